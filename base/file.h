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
 * From now on, adds every path that is opened for reading here, or noted by rp_file_note, to list
 * once, so that nothing a result depends on is forgotten. NULL ends that.
 */
void rp_file_journal(struct rp_arena *arena, struct rp_strings *list);
void rp_file_note(const char *path);

/* A file of at most limit bytes; RP_E_INPUT when it is missing, a folder, or larger. */
bool rp_file_read(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* The same without the journal, for files that may turn out not to belong to the model. */
bool rp_file_look(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* The first bytes of a file, limit at most. */
bool rp_file_head(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err);
/* Writes all of it, in as many pieces as it takes; false + errno. */
bool rp_write_all(int fd, const void *data, size_t size);
/* Creates or truncates path; checks every write and the close (a full disk shows there). */
bool rp_file_write(const char *path, const void *data, size_t size, struct rp_error *err);
/* Appends to a file, or creates it. Anything but a regular file is written as in stream.h. */
bool rp_file_append(const char *path, const char *text, size_t size, struct rp_error *err);
bool rp_file_size(const char *path, uint64_t *size, struct rp_error *err);
/* mkdir -p. */
bool rp_make_dirs(const char *path, struct rp_error *err);
/*
 * Removes a folder and what is in it, a file or a link; links are not followed, not even one that
 * somebody puts there meanwhile; errors are ignored.
 */
void rp_remove_tree(const char *path);
/* The same for what is in an open folder, but for the entry of that name (or NULL). */
void rp_empty_dir(int dir, const char *kept);
/* Names in a folder, sorted by byte value, without "." and "..". */
bool rp_list_dir(struct rp_arena *arena, const char *path, struct rp_strings *names,
                 struct rp_error *err);

#endif
