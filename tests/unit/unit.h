/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the unit tests: cmocka with the headers it needs, and for each test an arena, an error
 * and a temporary folder of its own.
 */
#ifndef RP_TESTS_UNIT_UNIT_H
#define RP_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"

struct unit {
    struct rp_arena arena;
    struct rp_error err;
    char dir[64]; /* empty at the start of the test, removed at its end */
};

int unit_setup(void **state);
int unit_teardown(void **state);
#define UNIT(test)  cmocka_unit_test_setup_teardown(test, unit_setup, unit_teardown)
#define RUN(tests)  cmocka_run_group_tests(tests, NULL, NULL)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A path in the test's folder; the same with a file written there. */
char *unit_path(struct unit *unit, const char *name);
char *unit_write(struct unit *unit, const char *name, const void *data, size_t size);
char *unit_text(struct unit *unit, const char *name, const char *text);
/* The whole file, followed by a 0; fails the test if it does not exist. */
char *unit_slurp(struct unit *unit, const char *name, size_t *size);
/* A copy of exactly size bytes from malloc, so that ASan sees its end. */
void *unit_exact(const void *data, size_t size);

/*
 * ACCEPTED(unit, call): the call is true and sets no error. REFUSED(unit, call, id, part): it is
 * false, the error has that id, its message holds part, and is cleared for the next.
 */
struct unit_call {
    bool result;
    const char *text;
    const char *file;
    int line;
};
#define UNIT_CALL(call)               ((struct unit_call){(call), #call, __FILE__, __LINE__})
#define ACCEPTED(unit, call)          unit_accepted(unit, UNIT_CALL(call))
#define REFUSED(unit, call, id, part) unit_refused(unit, UNIT_CALL(call), (id), (part))
void unit_accepted(struct unit *unit, struct unit_call call);
void unit_refused(struct unit *unit, struct unit_call call, enum rp_error_id id, const char *part);
/* Text holds part. */
#define CONTAINS(text, part) unit_contains((text), (part), __FILE__, __LINE__)
void unit_contains(const char *text, const char *part, const char *file, int line);

/* The exit status of a child that runs body(context), its stderr closed; -1 after a signal. */
int unit_in_child(void (*body)(void *context), void *context);

/* CRC-32 bit by bit and SHA-256 from FIPS 180-4; the tested code uses others. */
uint32_t unit_crc32(const void *bytes, size_t len);
void unit_sha256(uint8_t out[32], const void *bytes, size_t len);
void unit_put32(uint8_t *at, uint32_t word);
uint32_t unit_get32(const uint8_t *at);

#endif
