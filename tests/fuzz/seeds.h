/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of make_seeds: writing a seed, and the seeds of JSON and images. */
#ifndef RP_TESTS_FUZZ_SEEDS_H
#define RP_TESTS_FUZZ_SEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

extern struct rp_arena seed_arena;
extern struct rp_error seed_err;

/* Ends the program with seed_err unless ok. */
void seed_check(bool ok);
void seed_put(const char *dir, const char *name, const void *data, size_t size);

/* An object of these members as NAME, and as NAME_twice with each of them twice. */
void seed_twice(const char *dir, const char *start, const char *name, const char *members);

void seed_json(const char *dir);
void seed_image(const char *dir);
void seed_npu_image(const char *dir);
/* What stands behind the trailer of a signed image. */
void seed_signed(const char *dir);

#endif
