/* SPDX-License-Identifier: Apache-2.0 */
/* Generators: programs that write the C code of a model file. One table has them all. */
#ifndef RP_TOOLCHAIN_GENERATORS_GENERATOR_H
#define RP_TOOLCHAIN_GENERATORS_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/file.h"

struct rp_generator {
    const char *name;      /* in --generator */
    const char *files;     /* endings of the model files that it takes, separated by blanks */
    const char *command;   /* words with places, as --generator can have them: see generate.h */
    const char *output;    /* ending of what it writes to {output}, or of its standard output */
    const char *version;   /* argument that makes it print its version */
    const char *operators; /* of ONNX's standard domain that it takes; NULL: not known */
    const char *from;      /* where it comes from */
    const char *in_pack;   /* its program in the vendor's pack; NULL: it is in none */
    const char *stem;      /* the name that it gives a model unless --name does; NULL: the file's */
    const char *inert; /* of its options, with or without a value, those that start and load nothing
                          and say nothing of files; separated by blanks */
};

/* The rows by position, NULL past the end. */
const struct rp_generator *rp_generator_at(size_t index);
/* The row of that name, or of a path to its program; NULL: none. */
const struct rp_generator *rp_generator_find(const char *name);
/*
 * Does a report's word suffice for it: a row's own program, and a model file in a format that holds
 * no code? Those of Keras and PyTorch do.
 */
bool rp_generator_is_inert(const char *name, const char *model);
/*
 * The first of its options that is not known to start and load nothing, and to say nothing of
 * files; NULL: there is none.
 */
const char *rp_generator_option_starts(const char *name, const struct rp_strings *options);
/* The program of a row, the first word of its command: on PATH, else in the pack; NULL: neither. */
char *rp_generator_program(struct rp_arena *arena, const struct rp_generator *generator,
                           const char *pack);
/* May the file be one that it takes, by the ending of its name? */
bool rp_generator_takes(const struct rp_generator *generator, const char *path);
/*
 * The first row that is on PATH, takes a model file that holds no code (ONNX, TFLite), and has all
 * of its operators as far as is known; none of the vendor's pack, whose code is for its targets.
 * NULL: none.
 */
const struct rp_generator *rp_generator_installed(const char *path);
/*
 * For a hint: the rows that take a file of that name, each with whether its program is there and,
 * where both are known, whether it takes the operators of the model. "": none does.
 */
char *rp_generators_for(struct rp_arena *arena, const char *name, const struct rp_bytes *file);

#endif
