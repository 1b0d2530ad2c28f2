/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents: how each begins, so that a reader knows what it is, and the one reader of those
 * that generate, verify and run have written. Anybody may have changed them since, so every figure
 * is held against its limits here, and the readers of single members need not.
 */
#ifndef RP_CLI_DOCUMENT_H
#define RP_CLI_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

/*
 * schema_version of reports: 2 since sections cover the files and imports are only the firmware's;
 * 3 since the members of the vendor's JSON stand where the vendor has them.
 */
enum { RP_REPORT_SCHEMA = 3, RP_REPORT_OLDEST = 2 /* that is read */ };
enum { RP_DOCUMENT_MAX = 256 << 20 /* bytes of a file */ };

enum rp_document_kind {
    RP_DOCUMENT_REPORT, /* of generate */
    RP_DOCUMENT_VERIFY,
    RP_DOCUMENT_RUN,
    RP_DOCUMENT_PROFILE,
    RP_DOCUMENT_OTHER, /* none of these */
    RP_DOCUMENT_IMAGE  /* not JSON */
};

enum rp_document_kind rp_document_kind_of(const struct rp_json *root);
/* "a report of generate", "what verify writes", ... */
const char *rp_document_name(enum rp_document_kind kind);
/*
 * RP_E_INPUT: schema_version is not one that this version reads, or a member is outside of its
 * limits; path is for the message. Members that have no limits here may be anything.
 */
bool rp_document_check(const struct rp_json *root, const char *path, struct rp_error *err);
/* Reads and checks a file. NULL: the same, or as rp_json_read. */
struct rp_json *rp_document_read(struct rp_arena *arena, const char *path, struct rp_error *err);
/* The same of a report of generate. NULL + RP_E_INPUT: it is something else. */
struct rp_json *rp_document_read_report(struct rp_arena *arena, const char *path,
                                        struct rp_error *err);

/* Can it be the key of a label: a column of its own, and a label's name of Prometheus? */
bool rp_document_is_label(const char *key);

/*
 * A new document: schema (the URN of docs/NAME.schema.json), schema_version, command (NULL: none)
 * and tool. RP_JSON_PUT adds the rest.
 */
struct rp_json *rp_document(const char *name, int version, const char *command);

#endif
