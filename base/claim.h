/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders that a run makes for itself and removes again. The run, and the programs that it starts,
 * hold the lock of a file in it. If a run is killed, a later one of the same user finds the lock
 * free and removes the folder.
 */
#ifndef RP_BASE_CLAIM_H
#define RP_BASE_CLAIM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_claim {
    const char *path; /* NULL: none */
    int lock;         /* -1: none, because the file system has no locks */
};

/*
 * Removes folders of killed runs, then creates parent/prefixXXXXXX. RP_E_SYSTEM, RP_E_NO_SPACE: it
 * cannot be created.
 */
bool rp_claim_make(struct rp_claim *claim, struct rp_arena *arena, const char *parent,
                   const char *prefix, struct rp_error *err);
/* Removes the folder and its contents. */
void rp_claim_remove(struct rp_claim *claim);
/* Gives the folder to the user: no later run removes it. */
void rp_claim_keep(struct rp_claim *claim);

#endif
