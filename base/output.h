/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of output files that appear together or not at all. Files are written into a hidden folder
 * inside the output folder (so that a rename never crosses file systems), then exchanged with what
 * was there; an exchange that fails half-way is taken back. The exchanges run in a process of their
 * own, which a signal to the tool, SIGKILL included, does not stop. Files are not flushed to the
 * disk, as with a compiler's: after a power cut the integrity trailer tells.
 */
#ifndef RP_BASE_OUTPUT_H
#define RP_BASE_OUTPUT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_outputs {
    struct rp_arena *arena;
    const char *dir;   /* where the files will appear */
    const char *stage; /* the hidden folder; NULL when there is none */
    bool made_dir;     /* dir did not exist before */
    struct rp_strings names;
    struct rp_strings dropped;
};

/* Creates dir and the hidden folder. */
bool rp_outputs_begin(struct rp_outputs *set, struct rp_arena *arena, const char *dir,
                      struct rp_error *err);
/* Registers a file by its plain name and returns the path to write it to. */
const char *rp_outputs_add(struct rp_outputs *set, const char *name);
/*
 * Registers a file of an earlier run that this one does not make again: with the commit it goes.
 * Not there: nothing happens.
 */
void rp_outputs_drop(struct rp_outputs *set, const char *name);
/* The path it will have in the end. */
const char *rp_outputs_final(struct rp_outputs *set, const char *name);
/* Puts all files in place; on failure everything is as before rp_outputs_begin. */
bool rp_outputs_commit(struct rp_outputs *set, struct rp_error *err);
/* Removes the hidden folder, and dir when it was made here; harmless after a commit. */
void rp_outputs_abort(struct rp_outputs *set);

#endif
