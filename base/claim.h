/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders that a run makes for itself and removes again. Each has a lock file that the run holds,
 * and that is inherited by what it starts. A run that is killed leaves its folder behind; a later
 * one of the same user finds the lock free and removes it.
 */
#ifndef RP_BASE_CLAIM_H
#define RP_BASE_CLAIM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_claim {
    const char *path; /* NULL: none */
    int lock;         /* -1: none, where the file system has no locks */
};

/*
 * Creates parent/prefixXXXXXX, after removing those that killed runs left there. RP_E_SYSTEM,
 * RP_E_NO_SPACE.
 */
bool rp_claim_make(struct rp_claim *claim, struct rp_arena *arena, const char *parent,
                   const char *prefix, struct rp_error *err);
/* Removes the folder and what is in it. */
void rp_claim_remove(struct rp_claim *claim);
/* Gives the folder away: no later run removes it. */
void rp_claim_keep(struct rp_claim *claim);

#endif
