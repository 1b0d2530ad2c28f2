/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of output files that appear together or not at all. Files are written into hidden folders
 * beside their places (so that a rename never crosses file systems), then exchanged with what was
 * there; if one exchange fails, the others are undone. The exchanges run in a process of their
 * own, which a signal to the tool, SIGKILL included, does not stop. Files are not flushed to the
 * disk, as with a compiler; after a power cut, the integrity trailer tells.
 *
 * Only a regular file is ever replaced (in the output folder, a link of that name as well). What a
 * user names may be something else: a FIFO or a character device is written to, a link is followed,
 * and "-" is the standard output.
 */
#ifndef RP_BASE_OUTPUT_H
#define RP_BASE_OUTPUT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/claim.h"
#include "base/error.h"

/* A hidden folder. */
struct rp_stage {
    const char *dir; /* beside whose files it is */
    struct rp_claim claim;
};

struct rp_output_file {
    const char *shown;  /* what the user calls it */
    const char *final;  /* its place, in the folder of the stage */
    const char *staged; /* where it is until then */
    size_t stage;
};

/* An output that cannot be replaced. It is written before the files are put in place. */
struct rp_stream {
    const char *path; /* "-": the standard output */
    const char *text;
    size_t size;
};

struct rp_outputs {
    struct rp_arena *arena;
    const char *dir;   /* where the files will appear; NULL: only named ones */
    const char *stage; /* the hidden folder in dir; NULL when there is none */
    bool made_dir;     /* dir did not exist before */
    struct {
        struct rp_stage *items;
        size_t count;
        size_t capacity;
    } stages;
    struct {
        struct rp_output_file *items;
        size_t count;
        size_t capacity;
    } files;
    struct {
        struct rp_stream *items;
        size_t count;
        size_t capacity;
    } streams;
    struct rp_strings dropped;
};

/* Creates dir and the hidden folder, or neither if dir is NULL. */
bool rp_outputs_begin(struct rp_outputs *set, struct rp_arena *arena, const char *dir,
                      struct rp_error *err);
/* Registers a file by its plain name and returns the path to write it to. */
const char *rp_outputs_add(struct rp_outputs *set, const char *name);
/*
 * Registers and stages a file that the user named (NULL: nothing to do); text has to last until the
 * commit. RP_E_USAGE for a block device, RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_outputs_add_named(struct rp_outputs *set, const char *path, const char *text, size_t size,
                          struct rp_error *err);
/*
 * Can a file that the user named (NULL: true) be written, as far as its folder tells? Asked before
 * long work. RP_E_SYSTEM.
 */
bool rp_output_is_possible(const char *path, struct rp_error *err);
/*
 * Registers a file of an earlier run that this run does not write again: the commit removes it. A
 * file that is not there is no error.
 */
void rp_outputs_drop(struct rp_outputs *set, const char *name);
/* Is there a file of that name in the set? */
bool rp_outputs_have(struct rp_outputs *set, const char *name);
/* The path that the file will have in the end. */
const char *rp_outputs_final(struct rp_outputs *set, const char *name);
/* RP_E_USAGE unless every place is free or a file that may be replaced, and no two are the same. */
bool rp_outputs_check(const struct rp_outputs *set, struct rp_error *err);
/* RP_E_USAGE when an output would replace one of these files. what: "an input", for the message. */
bool rp_outputs_spare(const struct rp_outputs *set, const struct rp_strings *files,
                      const char *what, struct rp_error *err);
/* Puts all files in place; on failure everything is as before rp_outputs_begin. */
bool rp_outputs_commit(struct rp_outputs *set, struct rp_error *err);
/* Removes the hidden folders, and dir when it was made here; harmless after a commit. */
void rp_outputs_abort(struct rp_outputs *set);

#endif
