/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack boards`: the boards that `run` knows, and their memories. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/pipeline/open.h"
#include "cli/terminal.h"
#include "toolchain/compile/board_file.h"

struct boards_options {
    bool json;
};

#define AT(member) offsetof(struct boards_options, member)
static const struct rp_option rows[] = {
    {0, "json", RP_OPT_FLAG, AT(json), NULL, "print JSON", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static void print_size(uint32_t bytes) {
    if (bytes % (1u << 20) == 0)
        printf("%4u MB", bytes >> 20);
    else
        printf("%4u KB", bytes >> 10);
}

static void print_board(struct rp_arena *arena, const struct rp_board *board) {
    printf("%-16s %s, %s, %u.%u MHz\n", rp_printable(arena, board->name),
           rp_printable(arena, board->title), board->series, board->clock_hz / 1000000,
           board->clock_hz / 100000 % 10);
    for (size_t i = 0; i < board->memory_count; i++) {
        const struct rp_board_memory *memory = &board->memories[i];
        printf("    %-9s 0x%08x ", rp_printable(arena, memory->name), memory->area.address);
        print_size(memory->area.size);
        printf("%s%s%s%s%s\n", memory->is_flash ? ", flash" : "",
               memory->is_external ? ", external" : "", memory->is_npus ? ", NPU" : "",
               memory->no_execute ? ", not for code" : "",
               memory->needs_firmware ? ", after a firmware has set it up" : "");
    }
}

static struct rp_json *board_json(const struct rp_board *board) {
    struct rp_json *object =
        RP_JSON_NEW(RP_JSON_S("name", board->name), RP_JSON_S("title", board->title),
                    RP_JSON_S("series", board->series), RP_JSON_N("clock_hz", board->clock_hz),
                    RP_JSON_S("counter", board->counts_instructions ? "instructions" : "cycles"),
                    RP_JSON_B("caches", board->has_caches));
    struct rp_json *list = rp_json_new_array(object, "memories");
    for (size_t i = 0; i < board->memory_count; i++) {
        const struct rp_board_memory *memory = &board->memories[i];
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("name", memory->name),
                                       RP_JSON_W("address", memory->area.address),
                                       RP_JSON_N("size", memory->area.size),
                                       RP_JSON_S("kind", memory->is_flash ? "flash" : "ram"),
                                       RP_JSON_B("executable", !memory->no_execute),
                                       RP_JSON_B("external", memory->is_external),
                                       RP_JSON_B("npu", memory->is_npus),
                                       RP_JSON_B("needs_firmware", memory->needs_firmware)));
    }
    struct rp_json *servers = rp_json_new_array(object, "servers");
    for (size_t i = 0; i < board->servers.count; i++)
        rp_json_push_string(servers, board->servers.items[i]);
    return object;
}

/* The boards that are named, as files or by name; all when none is. */
static bool list_boards(struct rp_arena *arena, const struct rp_strings *named,
                        struct rp_json *list, struct rp_error *err) {
    struct rp_strings paths = {0};
    const char *data = rp_data_dir(arena, err);
    if (data == NULL || (named->count == 0 && !rp_board_files(&paths, arena, data, err)))
        return false;
    const struct rp_strings *from = named->count != 0 ? named : &paths;
    for (size_t i = 0; i < from->count; i++) {
        struct rp_board board;
        if (!rp_board_find_any(&board, arena, data, from->items[i], err))
            return false;
        if (list != NULL)
            rp_json_push(list, board_json(&board));
        else
            print_board(arena, &board);
    }
    return true;
}

static int run_boards(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                      struct rp_error *err) {
    const struct boards_options *options = given;
    if (!options->json)
        return list_boards(arena, arguments, NULL, err) ? 0 : -1;
    struct rp_json *root = rp_document("boards", 1, "boards");
    bool ok = list_boards(arena, arguments, rp_json_new_array(root, "boards"), err);
    if (ok)
        rp_print_json(root);
    else
        rp_json_free(root);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_boards = {
    "boards",  "[--json] [BOARD...]",         "Lists the boards that run knows, and their memories",
    rows,      sizeof(struct boards_options), NULL,
    run_boards};
