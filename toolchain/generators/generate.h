/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a generator: a model file goes in, the C code that it writes comes out. --generator names a
 * row of the table, a path to the program of one, or any program, with places for
 *
 *   {input}      the model file
 *   {output}     the file to write, NAME.c; where it is not named and {folder} neither, the code is
 *                what the program writes to standard output
 *   {folder}     an empty folder, for programs that write several files
 *   {options}    the words of --generator-options; where it is not named, they come last
 *   {name}       the model's name as an identifier of C
 *   {target}     an STM32 series, {cpu} and {float-abi} as gcc has them
 *
 * A word whose place has no value is left out, and so is the option before it.
 */
#ifndef RP_TOOLCHAIN_GENERATORS_GENERATE_H
#define RP_TOOLCHAIN_GENERATORS_GENERATE_H

#include "base/error.h"
#include "toolchain/compile/series.h"
#include "toolchain/generators/generator.h"

struct rp_generate_request {
    const char *generator;            /* --generator */
    const struct rp_strings *options; /* --generator-options */
    const char *model;                /* the model file, as the user named it */
    const char *name;                 /* --name, or NULL */
    const char *pack;                 /* --pack-dir, or NULL: the environment says where it is */
    const char *folder;               /* absolute; what is written goes there */
    const struct rp_target *target;   /* NULL: not known yet */
    const struct rp_strings *passed;  /* variables of the environment that are handed on */
};

/* What ran, and what it wrote. */
struct rp_generated {
    const struct rp_generator *row; /* NULL: another program */
    const char *name;               /* of the row, or of the program */
    const char *version;            /* what the program says of itself; NULL: not known */
    struct rp_strings words;        /* the command for a report, without folders */
    struct rp_strings line;         /* the command as it ran */
    const char *path;               /* the C file, archive or folder */
    bool to_file, to_folder; /* the command has {output}, {folder}; neither: it prints the code */
    const char *messages;    /* what the program printed */
    bool failed;             /* it ran, and failed or wrote nothing that can be used */
};

/*
 * Fills in generated, except messages, and creates the folder, empty. Nothing is run but
 * the program's own question for its version. RP_E_USAGE; RP_E_TOOL_MISSING names what to install;
 * RP_E_INPUT: there is no such model file.
 */
bool rp_generate_begin(struct rp_generated *generated, struct rp_arena *arena,
                       const struct rp_generate_request *request, struct rp_error *err);
/*
 * Runs the program. RP_E_GENERATOR: it failed, or wrote nothing or something other than a regular
 * file. RP_E_TOOL_MISSING, RP_E_INTERRUPTED.
 */
bool rp_generate_run(struct rp_generated *generated, struct rp_arena *arena,
                     const struct rp_generate_request *request, struct rp_error *err);
/* The file that a word of its command names: FILE, --option=FILE or PROFILE@FILE; or NULL. */
const char *rp_generate_file_of(const char *word);

#endif
