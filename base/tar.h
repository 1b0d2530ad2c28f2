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
 * Reads the files whose name is wanted, in the archive's order. RP_E_INPUT: no tar archive, cut
 * short, damaged, too large; a name that leads out of the folder, comes twice or is not printable;
 * anything other than files and folders.
 */
bool rp_tar_read(struct rp_tar *tar, struct rp_arena *arena, const char *path,
                 bool (*wanted)(const char *name), struct rp_error *err);

#endif
