/* SPDX-License-Identifier: Apache-2.0 */
/* Takes file names apart, joins them, and turns them into C names. */
#ifndef RP_BASE_PATH_H
#define RP_BASE_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * dir + "/" + name; name alone when it is absolute or dir is empty or ".". An empty name is the
 * folder itself.
 */
char *rp_path_join(struct rp_arena *arena, const char *dir, const char *name);
/* The folder part ("." if there is none), and the last component. */
char *rp_path_dir(struct rp_arena *arena, const char *path);
const char *rp_path_base(const char *path);
/* path without its last ".suffix", if it has one. */
char *rp_path_stem(struct rp_arena *arena, const char *path);
bool rp_has_suffix(const char *text, const char *suffix);
/* The parenthesis that opens before the member in "libx.a(member.o)", or NULL. */
const char *rp_path_member(const char *text);
bool rp_has_prefix(const char *text, const char *prefix);
/* Is it one of the words, which are separated by blanks? Never true for "". */
bool rp_has_word(const char *words, const char *word);
/* An absolute path, without resolving links. NULL and RP_E_SYSTEM: there is no current folder. */
char *rp_path_absolute(struct rp_arena *arena, const char *path, struct rp_error *err);
bool rp_path_is_dir(const char *path);
bool rp_path_is_file(const char *path);
/* Does it begin with "#!"? What such a program does may depend on more than its own text. */
bool rp_path_is_script(const char *path);
bool rp_path_is_link(const char *path);
/* Do both exist, and are they the same file? */
bool rp_path_same(const char *a, const char *b);
/* Identifies a file; links are followed. Zeros if there is no file. */
struct rp_path_id {
    uint64_t device;
    uint64_t file;
};
struct rp_path_id rp_path_id(const char *path);
/*
 * text as a C identifier: bytes other than [A-Za-z0-9_] become '_', and an empty text, a leading
 * digit or a C keyword gets a '_' in front. Never empty.
 */
char *rp_c_identifier(struct rp_arena *arena, const char *text);
/* Can it be a name in C? It may contain UTF-8. */
bool rp_is_c_name(const char *text);
/* text as the inside of a C string literal. */
char *rp_c_string(struct rp_arena *arena, const char *text);
char *rp_upper(struct rp_arena *arena, const char *text);
/* The first program of this name on PATH, or NULL. A name with a slash is not searched for. */
char *rp_find_program(struct rp_arena *arena, const char *name);

#endif
