/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of output files that appear together or not at all. Files are written into hidden folders
 * next to their places (so that a rename never crosses file systems), then exchanged with what was
 * there; if one exchange fails, the others are undone. The exchanges run in a separate process,
 * which a signal to the tool, even SIGKILL, does not stop. As with a compiler, files are not
 * flushed to the disk; after a power cut, the integrity trailer shows whether an image is complete.
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
    const char *dir; /* the folder that it is in */
    struct rp_claim claim;
};

struct rp_output_file {
    const char *shown;  /* its path, as the user gave it */
    const char *final;  /* its final path, next to the stage */
    const char *staged; /* its path until the commit */
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
    const char *stage; /* the hidden folder in dir, or NULL */
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

/* Creates dir and the hidden folder, unless dir is NULL. RP_E_SYSTEM, RP_E_NO_SPACE. */
bool rp_outputs_begin(struct rp_outputs *set, struct rp_arena *arena, const char *dir,
                      struct rp_error *err);
/* Registers a file by its plain name and returns the path to write it to. */
const char *rp_outputs_add(struct rp_outputs *set, const char *name);
/*
 * Registers and stages a file that the user named (NULL: nothing to do). RP_E_USAGE: it is a block
 * device. RP_E_SYSTEM, RP_E_NO_SPACE: it cannot be written.
 */
bool rp_outputs_add_named(struct rp_outputs *set, const char *path, const char *text, size_t size,
                          struct rp_error *err);
/*
 * Checks before long work that a file named by the user (or NULL) can probably be written.
 * RP_E_SYSTEM: its folder does not allow it.
 */
bool rp_output_is_possible(const char *path, struct rp_error *err);
/* Registers a file of an earlier run for removal by the commit, if it exists. */
void rp_outputs_drop(struct rp_outputs *set, const char *name);
/* Does the set have a file of this name? */
bool rp_outputs_have(struct rp_outputs *set, const char *name);
/* The final path of a file. */
const char *rp_outputs_final(struct rp_outputs *set, const char *name);
/* RP_E_USAGE: a place is taken by something that is never replaced, or two outputs are the same. */
bool rp_outputs_check(const struct rp_outputs *set, struct rp_error *err);
/* RP_E_USAGE: an output would replace one of these files. what: "an input", for the message. */
bool rp_outputs_spare(const struct rp_outputs *set, const struct rp_strings *files,
                      const char *what, struct rp_error *err);
/*
 * Puts all files in place; after a failure, all files are as before. RP_E_USAGE, RP_E_SYSTEM,
 * RP_E_NO_SPACE.
 */
bool rp_outputs_commit(struct rp_outputs *set, struct rp_error *err);
/* Removes the hidden folders, and dir if rp_outputs_begin made it; harmless after a commit. */
void rp_outputs_abort(struct rp_outputs *set);

#endif
