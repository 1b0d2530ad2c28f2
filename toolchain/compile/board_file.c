/* SPDX-License-Identifier: Apache-2.0 */
/* Reads boards from JSON files: see board_file.h. */
#include "toolchain/compile/board_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "toolchain/compile/series.h"

enum { BOARD_FILE_MAX = 1 << 20, MEMORIES_MAX = 32, MEMORY_LEAST = 1024, CLOCK_LEAST = 32000 };

struct reader {
    struct rp_board *board;
    struct rp_arena *arena;
    const char *path;
    struct rp_error *err;
};

static bool wrong(const struct reader *reader, const char *key, const char *want) {
    return rp_fail(reader->err, RP_E_MANIFEST, "%s: member '%s' must be %s", reader->path, key,
                   want);
}

static bool unknown(const struct reader *reader, const char *key, const char *known) {
    rp_fail(reader->err, RP_E_MANIFEST, "%s: unknown member '%s'", reader->path, key);
    return rp_hint_nearest(reader->err, key, "", known);
}

/* An integer, or a text in C's notation, perhaps followed by K or M: 65536, "0x20000000", "64K". */
static bool take_number(const struct reader *reader, const struct rp_json *value, uint32_t *out) {
    int64_t number;
    const char *text = rp_json_string(value);
    if (text == NULL && rp_json_integer(value, 0, UINT32_MAX, &number)) {
        *out = (uint32_t)number;
        return true;
    }
    const char *start = text != NULL && strchr("0123456789", text[0]) != NULL ? text : "";
    char *end;
    errno = 0;
    unsigned long long read = strtoull(start, &end, 0);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    if (end == start || end[shift != 0] != '\0' || errno != 0 || read > UINT32_MAX >> shift)
        return wrong(reader, rp_json_key(value),
                     "a number below 4 GiB, such as 16000000, \"0x20000000\" or \"128K\"");
    *out = (uint32_t)(read << shift);
    return true;
}

static bool take_text(const struct reader *reader, const struct rp_json *value, const char **out) {
    const char *text = rp_json_string(value);
    if (text == NULL || text[0] == '\0')
        return wrong(reader, rp_json_key(value), "a non-empty string");
    *out = rp_strdup(reader->arena, text);
    return true;
}

static bool take_flag(const struct reader *reader, const struct rp_json *value, bool *out) {
    if (rp_json_type_of(value) != RP_JSON_BOOL)
        return wrong(reader, rp_json_key(value), "true or false");
    *out = rp_json_truth(value);
    return true;
}

/* One of two words; out: is it the second? */
static bool take_choice(const struct reader *reader, const struct rp_json *value,
                        const char *const words[2], bool *out) {
    const char *text = rp_json_string(value);
    if (text == NULL || (strcmp(text, words[0]) != 0 && strcmp(text, words[1]) != 0))
        return wrong(reader, rp_json_key(value),
                     rp_format(reader->arena, "\"%s\" or \"%s\"", words[0], words[1]));
    *out = strcmp(text, words[1]) == 0;
    return true;
}

/* ---- memories ---- */

static bool take_member(const struct reader *reader, const struct rp_json *value,
                        struct rp_board_memory *memory) {
    static const char *const kinds[] = {"ram", "flash"};
    const char *key = rp_json_key(value);
    bool executes = true;
    if (strcmp(key, "name") == 0)
        return take_text(reader, value, &memory->name);
    if (strcmp(key, "address") == 0)
        return take_number(reader, value, &memory->area.address);
    if (strcmp(key, "size") == 0)
        return take_number(reader, value, &memory->area.size);
    if (strcmp(key, "kind") == 0)
        return take_choice(reader, value, kinds, &memory->is_flash);
    if (strcmp(key, "external") == 0)
        return take_flag(reader, value, &memory->is_external);
    if (strcmp(key, "npu") == 0)
        return take_flag(reader, value, &memory->is_npus);
    if (strcmp(key, "needs_firmware") == 0)
        return take_flag(reader, value, &memory->needs_firmware);
    if (strcmp(key, "executable") != 0)
        return unknown(reader, key,
                       "name address size kind external npu needs_firmware executable");
    bool ok = take_flag(reader, value, &executes);
    memory->no_execute = !executes;
    return ok;
}

static uint64_t end_of(struct rp_area area) {
    return (uint64_t)area.address + area.size;
}

static bool check_memory(const struct reader *reader, const struct rp_board_memory *memory) {
    const struct rp_board *board = reader->board;
    if (memory->name == NULL || memory->area.size == 0 || end_of(memory->area) > UINT32_MAX)
        return rp_fail(reader->err, RP_E_MANIFEST,
                       "%s: a memory needs a name, an address and a size, and ends below "
                       "0xffffffff",
                       reader->path);
    if (memory->area.size < MEMORY_LEAST || (memory->area.address | memory->area.size) % 4 != 0)
        return rp_fail(reader->err, RP_E_MANIFEST,
                       "%s: memory '%s', %u bytes at 0x%08x: it needs %d bytes or more, and "
                       "multiples of 4",
                       reader->path, memory->name, memory->area.size, memory->area.address,
                       MEMORY_LEAST);
    for (size_t i = 0; i < board->memory_count; i++) {
        const struct rp_board_memory *other = &board->memories[i];
        if (memory->area.address < end_of(other->area) &&
            other->area.address < end_of(memory->area))
            return rp_fail(reader->err, RP_E_MANIFEST, "%s: memories '%s' and '%s' overlap",
                           reader->path, other->name, memory->name);
    }
    return true;
}

static bool take_memories(const struct reader *reader, const struct rp_json *list) {
    struct rp_board_memory *memories = rp_alloc(reader->arena, MEMORIES_MAX, sizeof *memories);
    reader->board->memories = memories;
    reader->board->memory_count = 0; /* of this table */
    if (rp_json_type_of(list) != RP_JSON_ARRAY || rp_json_count(list) > MEMORIES_MAX)
        return wrong(reader, "memories", "an array of at most 32 objects");
    for (const struct rp_json *item = rp_json_first(list); item != NULL;
         item = rp_json_next(item)) {
        struct rp_board_memory *memory = &memories[reader->board->memory_count];
        if (rp_json_type_of(item) != RP_JSON_OBJECT)
            return wrong(reader, "memories", "an array of objects");
        for (const struct rp_json *m = rp_json_first(item); m != NULL; m = rp_json_next(m))
            if (!take_member(reader, m, memory))
                return false;
        if (!check_memory(reader, memory))
            return false;
        reader->board->memory_count++;
    }
    return true;
}

/* ---- the board ---- */

static bool add_server(const struct reader *reader, const char *place,
                       const struct rp_json *value) {
    const char *text = rp_json_string(value);
    if (text == NULL || text[0] == '\0')
        return wrong(reader, place, "a text, or an array of texts");
    rp_strings_push(reader->arena, &reader->board->servers,
                    rp_format(reader->arena, "%s=%s", place, text));
    return true;
}

/* Lists become several values of one name. */
static bool take_servers(const struct reader *reader, const struct rp_json *object) {
    if (rp_json_type_of(object) != RP_JSON_OBJECT)
        return wrong(reader, "servers", "an object: the board's name for each server");
    for (const struct rp_json *m = rp_json_first(object); m != NULL; m = rp_json_next(m)) {
        const char *place = rp_json_key(m);
        bool is_list = rp_json_type_of(m) == RP_JSON_ARRAY;
        if (!is_list && !add_server(reader, place, m))
            return false;
        for (const struct rp_json *item = is_list ? rp_json_first(m) : NULL; item != NULL;
             item = rp_json_next(item))
            if (!add_server(reader, place, item))
                return false;
    }
    return true;
}

static bool take_board_member(const struct reader *reader, const struct rp_json *value) {
    static const char *const counters[] = {"cycles", "instructions"};
    struct rp_board *board = reader->board;
    const char *key = rp_json_key(value), *ignored;
    if (strcmp(key, "name") == 0)
        return take_text(reader, value, &board->name);
    if (strcmp(key, "title") == 0)
        return take_text(reader, value, &board->title);
    if (strcmp(key, "series") == 0)
        return take_text(reader, value, &board->series);
    if (strcmp(key, "clock_hz") == 0)
        return take_number(reader, value, &board->clock_hz);
    if (strcmp(key, "counter") == 0)
        return take_choice(reader, value, counters, &board->counts_instructions);
    if (strcmp(key, "caches") == 0)
        return take_flag(reader, value, &board->has_caches);
    if (strcmp(key, "memories") == 0)
        return take_memories(reader, value);
    if (strcmp(key, "servers") == 0)
        return take_servers(reader, value);
    if (strcmp(key, "comment") == 0)
        return take_text(reader, value, &ignored);
    return unknown(reader, key,
                   "name title series clock_hz counter caches memories servers comment");
}

static bool check_board(const struct reader *reader) {
    struct rp_board *board = reader->board;
    bool has_ram = false;
    for (size_t i = 0; i < board->memory_count; i++)
        has_ram = has_ram || (!board->memories[i].is_flash && !board->memories[i].no_execute);
    if (board->name == NULL || board->series == NULL || board->clock_hz == 0 || !has_ram)
        return rp_fail(reader->err, RP_E_MANIFEST,
                       "%s: a board needs a name, a series, its clock_hz, and memories with RAM "
                       "that code can run in",
                       reader->path);
    if (board->clock_hz < CLOCK_LEAST)
        return rp_fail(reader->err, RP_E_MANIFEST,
                       "%s: clock_hz is %u: no core is slower than %d Hz; the unit is Hz, not MHz",
                       reader->path, board->clock_hz, CLOCK_LEAST);
    bool is_core = rp_has_prefix(board->series, "cortex-");
    const struct rp_target *target =
        rp_target_find(is_core ? NULL : board->series, is_core ? board->series : NULL, reader->err);
    if (target == NULL)
        return false;
    board->series = target->series;
    board->core = target->core->name;
    board->title = board->title != NULL ? board->title : board->name;
    board->machine = rp_board_for_server(board, "machine");
    return true;
}

bool rp_board_read(struct rp_board *board, struct rp_arena *arena, const char *path,
                   struct rp_error *err) {
    const struct reader reader = {board, arena, path, err};
    *board = (struct rp_board){0};
    struct rp_json *root = rp_json_read(arena, path, BOARD_FILE_MAX, err);
    if (root == NULL)
        return false;
    bool ok = rp_json_type_of(root) == RP_JSON_OBJECT ||
              rp_fail(err, RP_E_MANIFEST, "%s: a board is a JSON object", path);
    for (const struct rp_json *m = rp_json_first(root); ok && m != NULL; m = rp_json_next(m))
        ok = take_board_member(&reader, m);
    rp_json_free(root);
    return ok && check_board(&reader);
}

/* ---- boards by name ---- */

bool rp_board_files(struct rp_strings *paths, struct rp_arena *arena, const char *data_dir,
                    struct rp_error *err) {
    const char *dir = rp_path_join(arena, data_dir, "templates/boards");
    struct rp_strings names = {0};
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++)
        if (rp_has_suffix(names.items[i], ".json"))
            rp_strings_push(arena, paths, rp_path_join(arena, dir, names.items[i]));
    return true;
}

/* The path of a board's file, or NULL; known gets the names of those before it. */
static const char *find_named(const struct rp_strings *paths, const char *name,
                              struct rp_buf *known) {
    for (size_t i = 0; i < paths->count; i++) {
        const char *base = rp_path_base(paths->items[i]);
        size_t len = strlen(base) - strlen(".json");
        if (strlen(name) == len && strncasecmp(base, name, len) == 0)
            return paths->items[i];
        rp_buf_printf(known, "%s%.*s", i == 0 ? "" : " ", (int)len, base);
    }
    return NULL;
}

bool rp_board_is_known(struct rp_arena *arena, const char *data_dir, const char *name) {
    struct rp_strings paths = {0};
    struct rp_buf names = {.arena = arena};
    return rp_board_files(&paths, arena, data_dir, NULL) &&
           find_named(&paths, name, &names) != NULL;
}

bool rp_board_find_any(struct rp_board *board, struct rp_arena *arena, const char *data_dir,
                       const char *name, struct rp_error *err) {
    struct rp_strings paths = {0};
    struct rp_buf known = {.arena = arena};
    if (strchr(name, '/') != NULL || rp_has_suffix(name, ".json"))
        return rp_board_read(board, arena, name, err);
    if (!rp_board_files(&paths, arena, data_dir, err))
        return false;
    const char *path = find_named(&paths, name, &known);
    if (path != NULL)
        return rp_board_read(board, arena, path, err);
    rp_fail(err, RP_E_USAGE, "unknown board '%s'; valid boards: %s", name, rp_buf_text(&known));
    (void)rp_hint_nearest(err, name, "", rp_buf_text(&known));
    return rp_hint(err, "--board FILE takes a board's JSON file; docs/guide/boards.md says how to "
                        "write one");
}

const char *rp_board_for_server(const struct rp_board *board, const char *place) {
    size_t len = strlen(place);
    for (size_t i = 0; i < board->servers.count; i++)
        if (strncmp(board->servers.items[i], place, len) == 0 &&
            board->servers.items[i][len] == '=')
            return board->servers.items[i] + len + 1;
    return NULL;
}

const struct rp_board_memory *rp_board_holding(const struct rp_board *board, struct rp_area area) {
    for (size_t i = 0; i < board->memory_count; i++) {
        const struct rp_area in = board->memories[i].area;
        if (area.address >= in.address && area.address - in.address < in.size &&
            area.size <= in.size - (area.address - in.address))
            return &board->memories[i];
    }
    return NULL;
}
