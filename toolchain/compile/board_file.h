/* SPDX-License-Identifier: Apache-2.0 */
/* Boards for `run`: JSON files, described in docs/guide/boards.md. */
#ifndef RP_TOOLCHAIN_COMPILE_BOARD_FILE_H
#define RP_TOOLCHAIN_COMPILE_BOARD_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/compile/board.h"

/*
 * Reads a board. RP_E_MANIFEST: a member is missing, unknown, of the wrong type, or two memories
 * overlap; errors of rp_file_read.
 */
bool rp_board_read(struct rp_board *board, struct rp_arena *arena, const char *path,
                   struct rp_error *err);
/*
 * Finds a board by its name (in any case) among the files in data_dir/templates/boards, or by the
 * path of a JSON file, which has a slash or ends in .json. RP_E_USAGE lists the names. Errors of
 * rp_board_read.
 */
bool rp_board_find_any(struct rp_board *board, struct rp_arena *arena, const char *data_dir,
                       const char *name, struct rp_error *err);
/* Is there a file of that name? */
bool rp_board_is_known(struct rp_arena *arena, const char *data_dir, const char *name);
/* Paths of these files, sorted. RP_E_INPUT: the folder cannot be read. */
bool rp_board_files(struct rp_strings *paths, struct rp_arena *arena, const char *data_dir,
                    struct rp_error *err);

/* The first value of board->servers with this name, or NULL. */
const char *rp_board_for_server(const struct rp_board *board, const char *name);
/* The memory that holds all of an area, or NULL. */
const struct rp_board_memory *rp_board_holding(const struct rp_board *board, struct rp_area area);

#endif
