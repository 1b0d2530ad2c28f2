/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a firmware compiles, the loader and the service for `run`: two files each that the program
 * contains, or for a loader the parts in runtime/ from which these were made when the program was
 * built (runtime/amalgamate.awk).
 */
#ifndef RP_CLI_GENERATE_LOADER_H
#define RP_CLI_GENERATE_LOADER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"

struct rp_loader_file {
    const char *name;
    const char *const *lines; /* up to NULL, each with its line end */
};

struct rp_loader {
    const struct rp_loader_file *files; /* up to a name that is NULL */
    const char *const *parts;           /* up to NULL, paths in runtime/ */
    const char *folder;                 /* of the sources, which have the same names */
};

/* Made when the program is built (cli/generate/loader_text.awk). */
extern const struct rp_loader rp_loader_cortex_m, rp_loader_neural_art;
extern const struct rp_loader rp_loader_service; /* has no parts */

/*
 * The first stages the loader's files and adds their names to names; the second does the same with
 * the parts, which it reads from data_dir. RP_E_USAGE: a part in data_dir, or somebody else's
 * header, would be replaced.
 */
bool rp_loader_write(const struct rp_loader *loader, const char *data_dir, struct rp_outputs *set,
                     struct rp_strings *names, struct rp_error *err);
bool rp_loader_write_parts(const struct rp_loader *loader, const char *data_dir,
                           struct rp_outputs *set, struct rp_strings *names, struct rp_error *err);

#endif
