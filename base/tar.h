/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a tar archive, plain or gzip, in memory; tar.c is the only user of libarchive.
 * Nothing is unpacked onto the disk.
 */
#ifndef RP_BASE_TAR_H
#define RP_BASE_TAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

struct rp_tar_file {
    const char *name; /* relative, without "." and "..", printable */
    struct rp_bytes bytes;
};

struct rp_tar {
    struct rp_tar_file *items;
    size_t count;
    size_t capacity;
};

/*
 * Reads the files whose names are wanted, in the order of the archive. RP_E_INPUT: it is not a tar
 * archive, truncated, damaged or too large; a name leads out of the folder, occurs twice or is not
 * printable; or it contains something other than files and folders.
 */
bool rp_tar_read(struct rp_tar *tar, struct rp_arena *arena, const char *path,
                 bool (*wanted)(const char *name), struct rp_error *err);

#endif
