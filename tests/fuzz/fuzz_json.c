/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of base/json and readers of it: any bytes, taken for a board, a custom file, a
 * quantisation, a matrix, a report or the record of a run, give what the reader promises or an
 * error. What was parsed has no member twice, and is the same when it is printed and parsed again.
 * The first byte chooses the reader.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "base/json.h"
#include "cli/batch/matrix.h"
#include "cli/facts/facts.h"
#include "cli/tensors/assess.h"
#include "cli/tensors/record.h"
#include "toolchain/compile/board_file.h"
#include "toolchain/graph/quantisation.h"
#include "toolchain/npu/pack.h"

struct input {
    struct rp_arena *arena;
    const char *path; /* of a file with the text */
    struct rp_bytes text;
};

/* ---- the parser ---- */

static void require_value(const struct rp_json *value) {
    bool is_object = rp_json_type_of(value) == RP_JSON_OBJECT;
    require(rp_json_type_of(value) != RP_JSON_NUMBER || isfinite(rp_json_number(value)));
    for (const struct rp_json *item = rp_json_first(value); item != NULL;
         item = rp_json_next(item)) {
        /* of two members of one name, this is the first */
        require(!is_object || rp_json_member(value, rp_json_key(item)) == item);
        require_value(item);
    }
}

static bool parse(const struct input *in, struct rp_error *err) {
    struct rp_json *root = rp_json_parse((const char *)in->text.data, in->text.size, in->path, err);
    if (root == NULL)
        return false;
    require_value(root);
    char *text = rp_json_print_line(root);
    struct rp_json *again = rp_json_parse(text, strlen(text), "printed", err);
    require(again != NULL);
    char *twice = rp_json_print_line(again);
    require(strcmp(text, twice) == 0);
    free(text);
    free(twice);
    rp_json_free(again);
    rp_json_free(root);
    return true;
}

/* ---- its readers ---- */

static bool read_board(const struct input *in, struct rp_error *err) {
    struct rp_board board;
    if (!rp_board_read(&board, in->arena, in->path, err))
        return false;
    require(board.name[0] != '\0' && board.series != NULL && board.clock_hz != 0);
    require(board.memory_count != 0 && board.memory_count <= 32);
    for (size_t i = 0; i < board.memory_count; i++) {
        const struct rp_board_memory *memory = &board.memories[i];
        require(memory->name[0] != '\0' && memory->area.size != 0);
        require(rp_board_holding(&board, memory->area) == memory);
    }
    return true;
}

static bool read_custom(const struct input *in, struct rp_error *err) {
    const struct rp_input input = {.path = "network.c", .custom = in->path, .pack_dir = ""};
    struct rp_model model = {0};
    struct rp_pack pack;
    return rp_pack_open(&pack, &model, in->arena, &input, err);
}

static bool quantise(const struct input *in, struct rp_error *err) {
    struct rp_graph_tensor tensors[] = {{.name = "x"}, {.name = "w"}};
    struct rp_graph graph = {.tensors = {tensors, 2, 2}};
    bool ok = rp_graph_quantise(&graph, in->arena, in->path, &in->text, err);
    for (size_t i = 0; ok && i < 2; i++)
        for (size_t k = 0; k < tensors[i].quantisation.count; k++)
            require(isfinite(tensors[i].quantisation.scales[k]));
    return ok;
}

static bool read_matrix(const struct input *in, struct rp_error *err) {
    const struct rp_matrix_text from = {(const char *)in->text.data, in->text.size, in->path, "/m",
                                        "/out"};
    struct rp_matrix matrix;
    if (!rp_matrix_read(&matrix, in->arena, &from, err))
        return false;
    require(matrix.count != 0);
    for (size_t i = 0; i < matrix.count; i++)
        require(matrix.items[i].words.count != 0 && strchr(matrix.items[i].model, '/') == NULL);
    return true;
}

static bool read_report(const struct input *in, struct rp_error *err) {
    struct rp_facts facts;
    if (!rp_facts_read(&facts, in->arena, in->path, err))
        return false;
    require(facts.count != 0);
    for (size_t i = 0; i < facts.count; i++)
        require(facts.items[i].name != NULL && facts.items[i].group < RP_FACT_GROUPS);
    return true;
}

static bool compare_record(const struct input *in, struct rp_error *err) {
    static const uint8_t values[] = {1, 2, 3, 4};
    const struct rp_tensor tensor = {
        .name = "y", .dtype = rp_dtype_find("int8"), .shape = {1, 2}, .rank = 2};
    struct rp_samples outputs[] = {{.tensor = &tensor, .bytes = {values, 4}, .count = 2}};
    struct rp_assessment assessment = {.inputs = "i", .outputs = outputs, .count = 1};
    return rp_record_compare(&assessment, in->arena, in->path, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool (*const readers[])(const struct input *in, struct rp_error *err) = {
        parse, read_board, read_custom, quantise, read_matrix, read_report, compare_record};
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    char path[32];
    if (size == 0)
        return 0;
    char *text = rp_strndup(&arena, (const char *)data + 1, size - 1);
    int fd = fuzz_file(data + 1, size - 1, path);
    const struct input in = {&arena, path, {(const uint8_t *)text, size - 1}};
    bool ok = readers[data[0] % (sizeof readers / sizeof readers[0])](&in, &err);
    require_error(ok, &err);
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
