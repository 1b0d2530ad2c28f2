/* SPDX-License-Identifier: Apache-2.0 */
/* Whole small files in memory, streaming of large ones, and folders. */
#ifndef RP_BASE_FILE_H
#define RP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_bytes {
    const uint8_t *data; /* always followed by a 0 byte */
    size_t size;
};

/*
 * From now on, every path that rp_file_read or rp_file_head opens, or that is passed to
 * rp_file_note, is added to list once: everything that a result depends on. NULL ends this.
 */
void rp_file_journal(struct rp_arena *arena, struct rp_strings *list);
void rp_file_note(const char *path);

/*
 * Reads a file. RP_E_INPUT: it cannot be read, is not a regular file, or has more than limit bytes.
 */
bool rp_file_read(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* The same without the list, for files that may turn out not to belong to the model. */
bool rp_file_look(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* Reads at most limit bytes from the start of a file. RP_E_INPUT: it cannot be read. */
bool rp_file_head(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* Writes all bytes, with several calls if necessary; false: errno says why. */
bool rp_write_all(int fd, const void *data, size_t size);
/* Creates or truncates path and writes it. RP_E_SYSTEM, RP_E_NO_SPACE: this failed. */
bool rp_file_write(const char *path, const void *data, size_t size, struct rp_error *err);
struct rp_edit {
    uint64_t offset;
    uint8_t byte;
};

struct rp_edits {
    struct rp_edit *items;
    size_t count;
    size_t capacity;
};

/*
 * Changes bytes of a file, after breaking hard links. RP_E_SYSTEM, RP_E_NO_SPACE, RP_E_INPUT: this
 * failed.
 */
bool rp_file_edit(struct rp_arena *arena, const char *path, const struct rp_edits *edits,
                  struct rp_error *err);
/*
 * Appends to a file, or creates it; anything but a regular file is written by rp_stream_write.
 * RP_E_SYSTEM, RP_E_NO_SPACE: this failed. RP_E_USAGE: it is a block device.
 */
bool rp_file_append(const char *path, const char *text, size_t size, struct rp_error *err);
/* The size of a regular file in bytes. RP_E_INPUT: there is none. */
bool rp_file_size(const char *path, uint64_t *size, struct rp_error *err);
/* As mkdir -p. RP_E_SYSTEM, RP_E_NO_SPACE: a folder cannot be created. */
bool rp_make_dirs(const char *path, struct rp_error *err);
/*
 * Removes a folder with its contents, a file or a link. Never follows links, not even one that
 * somebody creates meanwhile. Ignores errors.
 */
void rp_remove_tree(const char *path);
/* Empties an open folder in the same way, except for the entry `kept` (or NULL). */
void rp_empty_dir(int dir, const char *kept);
/*
 * Adds the names in a folder to the empty list, sorted by byte value, without "." and "..".
 * RP_E_INPUT: it cannot be read.
 */
bool rp_list_dir(struct rp_arena *arena, const char *path, struct rp_strings *names,
                 struct rp_error *err);
/*
 * Adds the C files that an option names: one file, or all in a folder and below it, sorted in each
 * folder, with absolute paths. RP_E_INPUT: there is none, or a link to a folder, which could be a
 * cycle.
 */
bool rp_list_sources(struct rp_arena *arena, const char *option, const char *path,
                     struct rp_strings *sources, struct rp_error *err);

#endif
