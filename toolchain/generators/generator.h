/* SPDX-License-Identifier: Apache-2.0 */
/* The table of generators: programs that write the C code of a model file. */
#ifndef RP_TOOLCHAIN_GENERATORS_GENERATOR_H
#define RP_TOOLCHAIN_GENERATORS_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/file.h"

struct rp_generator {
    const char *name;      /* in --generator */
    const char *files;     /* endings of the model files that it accepts, separated by blanks */
    const char *command;   /* words with placeholders, as in --generator: see generate.h */
    const char *output;    /* ending of what it writes to {output}, or of its standard output */
    const char *version;   /* argument that makes it print its version */
    const char *operators; /* of ONNX's standard domain that it supports; NULL: unknown */
    const char *from;      /* how to get it */
    const char *in_pack;   /* its program in the vendor's pack, or NULL */
    const char *stem;      /* its name for a model without --name; NULL: that of the file */
    const char *inert; /* its options, with or without a value, that start and load nothing and name
                          no files; separated by blanks */
};

/* The rows by position, NULL past the end. */
const struct rp_generator *rp_generator_at(size_t index);
/* The row with this name or program (perhaps a path), or NULL. */
const struct rp_generator *rp_generator_find(const char *name);
/*
 * May a report name it without --trust-report: the program of a row, and a model file in a format
 * without code? Those of Keras and PyTorch contain code.
 */
bool rp_generator_is_inert(const char *name, const char *model);
/* The first option that is not known to start and load nothing and to name no files, or NULL. */
const char *rp_generator_option_starts(const char *name, const struct rp_strings *options);
/*
 * The program of a row, which is the first word of its command, on PATH or else in the pack; or
 * NULL.
 */
char *rp_generator_program(struct rp_arena *arena, const struct rp_generator *generator,
                           const char *pack);
/* Does it accept the file, judging by the ending of its name? */
bool rp_generator_takes(const struct rp_generator *generator, const char *path);
/*
 * The first row whose program is on PATH and that accepts a model file without code (ONNX, TFLite)
 * and, as far as known, all of its operators; or NULL. Never one of the vendor's pack, whose code
 * is for its targets.
 */
const struct rp_generator *rp_generator_installed(const char *path);
/*
 * For a hint: the rows that accept a file with this name, each with whether its program is
 * installed and, if known, whether it supports the operators of the model. "": there are none.
 */
char *rp_generators_for(struct rp_arena *arena, const char *name, const struct rp_bytes *file);

#endif
