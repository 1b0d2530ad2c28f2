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
 * From now on, every path that is opened for reading here or passed to rp_file_note is added to
 * list once, so that nothing that a result depends on is forgotten. NULL ends this.
 */
void rp_file_journal(struct rp_arena *arena, struct rp_strings *list);
void rp_file_note(const char *path);

/* Reads a file; RP_E_INPUT if it is missing, a folder, or larger than limit bytes. */
bool rp_file_read(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* The same without the journal, for files that may turn out not to belong to the model. */
bool rp_file_look(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* Reads at most limit bytes from the start of a file. */
bool rp_file_head(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* Writes all bytes, in as many calls as it takes; false with errno. */
bool rp_write_all(int fd, const void *data, size_t size);
/* Creates or truncates path; checks every write and the close (a full disk shows there). */
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
 * Changes bytes of a file. If it has other names, these keep what they have, and path gets a file
 * of its own. RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_file_edit(struct rp_arena *arena, const char *path, const struct rp_edits *edits,
                  struct rp_error *err);
/* Appends to a file, or creates it. Anything but a regular file is written by stream.h. */
bool rp_file_append(const char *path, const char *text, size_t size, struct rp_error *err);
bool rp_file_size(const char *path, uint64_t *size, struct rp_error *err);
/* mkdir -p. */
bool rp_make_dirs(const char *path, struct rp_error *err);
/*
 * Removes a folder with its contents, a file or a link. Links are not followed, not even one that
 * somebody puts there meanwhile. Errors are ignored.
 */
void rp_remove_tree(const char *path);
/* Empties an open folder in the same way, but keeps the entry of that name (NULL: none). */
void rp_empty_dir(int dir, const char *kept);
/* Names in a folder, sorted by byte value, without "." and "..". */
bool rp_list_dir(struct rp_arena *arena, const char *path, struct rp_strings *names,
                 struct rp_error *err);
/*
 * The C files that an option names: a file, or all in a folder and below, as absolute paths, sorted
 * in each folder. RP_E_INPUT: there is none, or there is a link to a folder, which could be a
 * cycle.
 */
bool rp_list_sources(struct rp_arena *arena, const char *option, const char *path,
                     struct rp_strings *sources, struct rp_error *err);

#endif
