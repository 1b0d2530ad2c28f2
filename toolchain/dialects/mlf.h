/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a TVM model: a folder or tar in Model Library Format, or one C file or header of it
 * with its neighbours. In: a path. Out: C sources and headers in memory, and the contents of
 * metadata.json.
 */
#ifndef RP_TOOLCHAIN_DIALECTS_MLF_H
#define RP_TOOLCHAIN_DIALECTS_MLF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "toolchain/model.h"

struct rp_mlf_file {
    const char *path; /* absolute; in a tar: of the entry */
    struct rp_bytes text;
};

struct rp_mlf_files {
    struct rp_mlf_file *items;
    size_t count;
    size_t capacity;
};

/* An input or output of metadata.json. */
struct rp_mlf_tensor {
    const char *name; /* as an identifier */
    bool is_output;
    const struct rp_dtype *dtype; /* NULL: not one that a tensor can have */
    const char *dtype_name;
    uint64_t size_bytes;
};

struct rp_mlf_tensors {
    struct rp_mlf_tensor *items;
    size_t count;
    size_t capacity;
};

struct rp_mlf {
    const char *path;
    bool in_tar; /* the files are not on the disk: rp_mlf_unpack */
    struct rp_mlf_files sources;
    struct rp_mlf_files headers;
    struct rp_strings include_dirs; /* absolute; in a tar: within it */
    struct rp_bytes metadata;       /* .data is NULL when there is none */
    struct rp_bytes relay;          /* the model's text; likewise */
    const char *metadata_path;

    /* set by rp_mlf_describe, for one model */
    struct rp_mlf_tensors tensors;
    uint64_t workspace_bytes;
};

/* Would rp_mlf_load take this folder, or a tar of this name, as a whole? */
bool rp_mlf_is_folder(const char *path);
bool rp_mlf_is_tar(const char *path);

/* RP_E_INPUT: other files, no C sources, compiled parts, anything that rp_tar_read refuses. */
bool rp_mlf_load(struct rp_mlf *mlf, struct rp_arena *arena, const char *path,
                 struct rp_error *err);
/* Adds the headers tvmgen_*.h of a folder. */
bool rp_mlf_add_headers(struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                        struct rp_error *err);
/*
 * Tensors and workspace of a model ("default"), if there is a metadata.json. RP_E_INPUT: an
 * unknown version, another executor, several models but none of that name; RP_E_MANIFEST.
 */
bool rp_mlf_describe(struct rp_mlf *mlf, struct rp_arena *arena, const char *model,
                     struct rp_error *err);
/* Writes the files of a tar below a folder. */
bool rp_mlf_unpack(const struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                   struct rp_error *err);

#endif
