/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors of the host tool: a stable id, an exit code and one sentence "what: where: why", if
 * possible with a hint. The first failure wins. Functions that can fail return bool or a pointer
 * and take a struct rp_error as their last parameter, which they leave alone on success. A caller
 * that does not need the reason passes NULL.
 *
 * An error is a few words, copied like a number. Its texts live until the program ends, so they
 * outlast every arena. Only one thread of the program makes errors.
 */
#ifndef RP_BASE_ERROR_H
#define RP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes (the command-line reference, "Exit codes"). */
enum rp_exit {
    RP_EXIT_OK = 0,
    RP_EXIT_FAILURE = 1,
    RP_EXIT_USAGE = 2,
    RP_EXIT_TOOLCHAIN = 3,
    RP_EXIT_COMPILE = 4,
    RP_EXIT_NOT_PIC = 5,
    RP_EXIT_UNDEFINED = 6,
    RP_EXIT_BUDGET = 7,
    RP_EXIT_VERIFY = 8,
    RP_EXIT_INPUT = 9
};

enum rp_error_id {
#define X(name, number, exit_code, title, text) RP_E_##name = number,
#include "base/errors.def"
#undef X
};

struct rp_error {
    enum rp_error_id id; /* 0: no error */
    unsigned line;       /* 0: the failure has none */
    const char *message; /* at most 32,767 bytes */
    const char *hint;    /* at most 1,023; this and the rest: NULL if the failure has none */
    const char *file;
    const char *symbol;
};

/* One row of errors.def. */
struct rp_error_info {
    enum rp_error_id id;
    enum rp_exit exit_code;
    const char *title;
    const char *text;
};

/*
 * Sets id and message if no error is set yet; always returns false. Here and below, err may be
 * NULL.
 */
bool rp_fail(struct rp_error *err, enum rp_error_id id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the hint of the error that was just set; always returns false. */
bool rp_hint(struct rp_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The hint of RP_E_UNTRUSTED. */
#define RP_HINT_TRUST "give --trust-report if you trust whoever made the report"
/* Set the file (with a line, or 0) or the symbol that the error is about; always return false. */
bool rp_fail_in(struct rp_error *err, const char *file, unsigned line);
bool rp_fail_symbol(struct rp_error *err, const char *symbol);
/* Copies another error with its hint if no error is set yet; always returns false. */
bool rp_fail_with(struct rp_error *err, const struct rp_error *other);
/*
 * Fails with "WHAT 'PATH': " and the text of errnum: RP_E_NO_SPACE if the disk or a quota is full,
 * else RP_E_SYSTEM. Always returns false.
 */
bool rp_fail_errno(struct rp_error *err, int errnum, const char *what, const char *path);

/* The row for an id, or NULL. */
const struct rp_error_info *rp_error_lookup(int id);
/* A row by its position; NULL past the end. */
const struct rp_error_info *rp_error_at(size_t index);
enum rp_exit rp_exit_code(const struct rp_error *err);
/* Ends the life of all texts: for programs that go on after errors, such as fuzzers. */
void rp_error_texts_release(void);

#endif
