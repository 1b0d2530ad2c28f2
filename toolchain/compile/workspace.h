/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder in which one model is built. A temporary one is a claim (base/claim.h). One that the
 * user named is locked and kept; nothing that an earlier run made there is used again, and files of
 * others are left alone.
 */
#ifndef RP_TOOLCHAIN_COMPILE_WORKSPACE_H
#define RP_TOOLCHAIN_COMPILE_WORKSPACE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/claim.h"
#include "base/error.h"

struct rp_workspace {
    struct rp_arena *arena;
    const char *dir; /* absolute; NULL: none */
    bool temporary;
    struct rp_claim claim;     /* of a temporary one */
    int lock;                  /* of a named one, so that other runs wait */
    struct rp_strings foreign; /* names that a named one held before its first use */
    struct rp_strings written; /* files that this run wrote there */
};

/*
 * Creates a temporary folder (wanted is NULL) or takes the named one; waits while another run uses
 * that. RP_E_SYSTEM, RP_E_NO_SPACE, RP_E_INTERRUPTED, RP_E_FOREIGN.
 */
bool rp_workspace_open(struct rp_workspace *workspace, struct rp_arena *arena, const char *wanted,
                       struct rp_error *err);
/* Removes a temporary one unless keep is set. */
void rp_workspace_close(struct rp_workspace *workspace, bool keep);
/* May a file or folder of that name be written there? RP_E_FOREIGN. */
bool rp_workspace_may_write(const struct rp_workspace *workspace, const char *name,
                            struct rp_error *err);
/* Does that absolute path name a file of the build, and not one of somebody else? */
bool rp_workspace_is_own(const struct rp_workspace *workspace, const char *path);
/*
 * To be called after a program failed. false + RP_E_NO_SPACE, with the folder's name: no space is
 * left in the workspace or in the folder for temporary files, or the program said so.
 */
bool rp_workspace_has_space(const struct rp_workspace *workspace, const char *output,
                            struct rp_error *err);

#endif
