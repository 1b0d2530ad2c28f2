/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection to a GDB server, internal to this folder: the server's features and documents.
 * Errors as in gdb.h.
 */
#ifndef RP_TOOLCHAIN_PROBE_SESSION_H
#define RP_TOOLCHAIN_PROBE_SESSION_H

#include "toolchain/probe/describe.h"
#include "toolchain/probe/talk.h"

/* Is a feature there, which only an attempt shows? */
enum rp_known { RP_UNKNOWN, RP_YES, RP_NO };

struct rp_gdb {
    struct rp_arena *arena;
    struct rp_talk talk;
    struct rp_gdb_registers registers;
    struct rp_gdb_map map;
    void (*report)(void *context, uint32_t address, size_t done, size_t size); /* or NULL */
    void *report_context;
    char *text;                        /* of a packet; RP_TALK_MAX */
    bool is_gone;                      /* the server said at the start that there is no target */
    int signal;                        /* else the reason why it had stopped */
    bool has_description;              /* qXfer:features:read */
    bool has_map;                      /* qXfer:memory-map:read */
    bool knows_map;                    /* map was read */
    bool has_binary_read;              /* x */
    enum rp_known has_binary_write;    /* X */
    enum rp_known has_single_register; /* p */
};

/* Asks for features and the description of the target. talk must be connected. */
bool rp_session_open(struct rp_gdb *gdb, double seconds, struct rp_error *err);
/* Appends a document of the server. object, name: such as "features" and "target.xml". */
bool rp_session_read(struct rp_gdb *gdb, const char *object, const char *name, struct rp_buf *text,
                     struct rp_error *err);

#endif
