/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of network.c that return tables: buffers and epochs. See table.h. */
#include "toolchain/npu/table.h"

#include <string.h>

#include "toolchain/npu/tokens.h"
#include "toolchain/npu/value.h"

/* ---- a function's body: arrays, one table, and its return ---- */

struct body {
    const char *function; /* for messages */
    const char *const *row_types;
    struct rp_aton_rows rows;
    const char *table; /* name of the array of rows; NULL: none so far */
    bool returns;
};

static bool is_row_type(const struct rp_aton_reader *reader, const struct body *body) {
    for (size_t i = 0; body->row_types[i] != NULL; i++)
        if (rp_aton_head_has(reader, body->row_types[i]))
            return true;
    return false;
}

/* "name[] = { … };" with the = as the current token. */
static bool read_definition(struct rp_aton_reader *reader, struct body *body) {
    const struct rp_ctoken *name = rp_aton_head_name(reader, "[");
    if (name == NULL || !is_row_type(reader, body))
        return rp_aton_read_array(reader, &reader->arrays);
    if (body->table != NULL)
        return rp_aton_fail(reader, name->line, "%s: a second table", body->function);
    body->table = rp_aton_word(reader, name);
    return rp_aton_sort_arrays(reader, &reader->arrays) && rp_aton_read_rows(reader, &body->rows);
}

/* "return buff_info;" or "return NULL;". Other statements cannot change a constant table. */
static bool read_statement(struct rp_aton_reader *reader, struct body *body) {
    if (reader->head_count != 0 && rp_ctoken_is(&reader->head[0], "return")) {
        const struct rp_aton_member member = {reader->head[0].line, reader->head + 1,
                                              reader->head_count - 1};
        const char *name;
        if (!rp_aton_name(reader, &member, &name))
            return false;
        if (body->returns || (name == NULL) != (body->table == NULL) ||
            (name != NULL && strcmp(name, body->table) != 0))
            return rp_aton_fail(reader, member.line, "%s: 'return %s' is not understood",
                                body->function, name != NULL ? name : "NULL");
        body->returns = true;
    }
    return rp_aton_advance(reader);
}

static bool read_statements(struct rp_aton_reader *reader, struct body *body, unsigned start) {
    for (;;) {
        if (!rp_aton_read_head(reader))
            return false;
        const struct rp_ctoken *token = &reader->token;
        if (token->kind == RP_CTOKEN_END)
            return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a brace is not closed",
                           reader->lexer.path, start);
        if (rp_ctoken_is(token, "{"))
            return rp_aton_fail(reader, token->line, "%s: only tables and a return are understood",
                                body->function);
        if (rp_ctoken_is(token, "}"))
            break;
        if (!(rp_ctoken_is(token, "=") ? read_definition : read_statement)(reader, body))
            return false;
    }
    if (!body->returns)
        return rp_aton_fail(reader, reader->token.line, "%s returns nothing", body->function);
    reader->in_rows = false;
    return rp_aton_advance(reader);
}

static bool read_body(struct rp_aton_reader *reader, struct body *body) {
    unsigned start = reader->token.line;
    reader->arrays = (struct rp_aton_arrays){0};
    reader->in_rows = true;
    return rp_aton_sort_arrays(reader, &reader->globals) && rp_aton_advance(reader) &&
           read_statements(reader, body, start);
}

/* ---- buffers ---- */

enum buffer_member {
    B_NAME,
    B_ADDR_BASE,
    B_OFFSET_START,
    B_OFFSET_END,
    B_OFFSET_LIMIT,
    B_ADDR_START,
    B_ADDR_END,
    B_ADDR_LIMIT,
    B_IS_USER_ALLOCATED,
    B_IS_PARAM,
    B_EPOCH,
    B_BATCH,
    B_CHPOS,
    B_QM,
    B_QN,
    B_QUNSIGNED,
    B_TYPE,
    B_NBITS,
    B_NDIMS,
    B_SHAPE,
    B_MEM_NDIMS,
    B_MEM_SHAPE,
    B_PER_CHANNEL,
    B_SCALE,
    B_OFFSET,
    BUFFER_MEMBERS
};

static const char *const buffer_names[BUFFER_MEMBERS] = {
    [B_NAME] = "name",
    [B_ADDR_BASE] = "addr_base",
    [B_OFFSET_START] = "offset_start",
    [B_OFFSET_END] = "offset_end",
    [B_OFFSET_LIMIT] = "offset_limit",
    [B_ADDR_START] = "addr_start",
    [B_ADDR_END] = "addr_end",
    [B_ADDR_LIMIT] = "addr_limit",
    [B_IS_USER_ALLOCATED] = "is_user_allocated",
    [B_IS_PARAM] = "is_param",
    [B_EPOCH] = "epoch",
    [B_BATCH] = "batch",
    [B_CHPOS] = "chpos",
    [B_QM] = "Qm",
    [B_QN] = "Qn",
    [B_QUNSIGNED] = "Qunsigned",
    [B_TYPE] = "type",
    [B_NBITS] = "nbits",
    [B_NDIMS] = "ndims",
    [B_SHAPE] = "shape",
    [B_MEM_NDIMS] = "mem_ndims",
    [B_MEM_SHAPE] = "mem_shape",
    [B_PER_CHANNEL] = "per_channel",
    [B_SCALE] = "scale",
    [B_OFFSET] = "offset",
};
_Static_assert((int)BUFFER_MEMBERS <= (int)RP_ATON_MEMBERS_MAX, "room for the members of a row");

struct buffers {
    enum rp_aton_table table;
    bool ended; /* the row without a name has been read */
};

/* The three addresses of the old form, or base and offsets of the new one added up. */
static bool read_addresses(const struct rp_aton_reader *reader, const struct rp_aton_row *row,
                           struct rp_cvalue addresses[3]) {
    const struct rp_aton_member *member = row->members;
    bool is_new = member[B_ADDR_BASE].count != 0;
    size_t first = is_new ? B_OFFSET_START : B_ADDR_START;
    size_t other = is_new ? B_ADDR_START : B_OFFSET_START;
    struct rp_cvalue base;
    if (member[first].count == 0 || member[first + 1].count == 0 ||
        member[other].count + member[other + 1].count + member[other + 2].count != 0)
        return rp_aton_fail(reader, row->line,
                            "a buffer has to have either .addr_base, .offset_start and "
                            ".offset_end, or .addr_start and .addr_end");
    if (!rp_aton_value(reader, &member[B_ADDR_BASE], &base))
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!rp_aton_value(reader, &member[first + i], &addresses[i]))
            return false;
        if (is_new && addresses[i].label.len != 0)
            return rp_aton_fail(reader, member[first + i].line, "an offset that is no number");
        if (!is_new)
            continue;
        int64_t offset = addresses[i].number;
        addresses[i] = base;
        if (__builtin_add_overflow(base.number, offset, &addresses[i].number))
            return rp_aton_fail(reader, member[first + i].line, "an offset of more than 32 bits");
    }
    if (member[first + 2].count == 0) /* the limit may be left out */
        addresses[2] = addresses[1];
    return true;
}

static bool same_label(const struct rp_cvalue *a, const struct rp_cvalue *b) {
    return a->label.len == b->label.len && a->address_of == b->address_of &&
           (a->label.len == 0 || memcmp(a->label.at, b->label.at, a->label.len) == 0);
}

static bool read_place(const struct rp_aton_reader *reader, const struct rp_aton_row *row,
                       struct rp_aton_buffer *buffer) {
    struct rp_cvalue at[3] = {{.number = 0}}, base;
    if (!read_addresses(reader, row, at) ||
        !rp_aton_value(reader, &row->members[B_ADDR_BASE], &base))
        return false;
    if (!same_label(&at[0], &at[1]) || !same_label(&at[0], &at[2]))
        return rp_aton_fail(reader, row->line,
                            "buffer '%s': its start and end are of different "
                            "labels",
                            buffer->name);
    if (at[0].address_of && !buffer->is_user_allocated)
        return rp_aton_fail(reader, row->line,
                            "buffer '%s': the address of '%.*s' is understood "
                            "of user-allocated buffers only",
                            buffer->name, (int)at[0].label.len, at[0].label.at);
    const int64_t room = (int64_t)UINT32_MAX + 1;
    bool fits = at[0].number >= 0 && at[1].number <= room && at[2].number <= 2 * room;
    if (!fits || at[1].number < at[0].number || at[2].number < at[0].number)
        return rp_aton_fail(
            reader, row->line, "buffer '%s': from 0x%llx to 0x%llx is no range of addresses",
            buffer->name, (unsigned long long)at[0].number, (unsigned long long)at[1].number);
    buffer->start = (uint64_t)at[0].number;
    buffer->end = (uint64_t)at[1].number;
    buffer->limit = (uint64_t)at[2].number;
    buffer->base = base.label.len == 0 ? (uint64_t)base.number : 0;
    buffer->label = at[0].label.len != 0 ? rp_aton_word(reader, &at[0].label) : NULL;
    return true;
}

static bool read_numbers(const struct rp_aton_reader *reader, const struct rp_aton_row *row,
                         struct rp_aton_buffer *buffer) {
    const struct rp_aton_member *member = row->members;
    return rp_aton_flag(reader, &member[B_IS_PARAM], &buffer->is_param) &&
           rp_aton_flag(reader, &member[B_IS_USER_ALLOCATED], &buffer->is_user_allocated) &&
           rp_aton_flag(reader, &member[B_PER_CHANNEL], &buffer->is_per_channel) &&
           rp_aton_flag(reader, &member[B_QUNSIGNED], &buffer->is_Qunsigned) &&
           rp_aton_integer(reader, &member[B_EPOCH], -1, &buffer->epoch) &&
           rp_aton_integer(reader, &member[B_BATCH], -1, &buffer->batch) &&
           rp_aton_integer(reader, &member[B_NBITS], -1, &buffer->nbits) &&
           rp_aton_integer(reader, &member[B_QM], -1, &buffer->Qm) &&
           rp_aton_integer(reader, &member[B_QN], -1, &buffer->Qn) &&
           rp_aton_integer(reader, &member[B_NDIMS], -1, &buffer->ndims) &&
           rp_aton_integer(reader, &member[B_MEM_NDIMS], -1, &buffer->mem_ndims) &&
           rp_aton_name(reader, &member[B_TYPE], &buffer->type) &&
           rp_aton_name(reader, &member[B_CHPOS], &buffer->channels);
}

static bool read_shape(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                       int64_t ndims, struct rp_aton_integers *out) {
    const struct rp_aton_array *array;
    if (!rp_aton_member_array(reader, member, false, &array))
        return false;
    if (array == NULL)
        return true;
    if (ndims != -1 && (uint64_t)ndims != array->integers.count)
        return rp_aton_fail(reader, member->line, "'%s' has %zu numbers, and its ndims is %lld",
                            array->name, array->integers.count, (long long)ndims);
    *out = array->integers;
    return true;
}

static bool read_arrays(const struct rp_aton_reader *reader, const struct rp_aton_row *row,
                        struct rp_aton_buffer *buffer) {
    const struct rp_aton_member *member = row->members;
    const struct rp_aton_array *scale, *offset;
    if (!read_shape(reader, &member[B_SHAPE], buffer->ndims, &buffer->shape) ||
        !read_shape(reader, &member[B_MEM_SHAPE], buffer->mem_ndims, &buffer->mem_shape) ||
        !rp_aton_member_array(reader, &member[B_SCALE], true, &scale) ||
        !rp_aton_member_array(reader, &member[B_OFFSET], false, &offset))
        return false;
    if (scale != NULL)
        buffer->scale = scale->reals;
    if (offset != NULL)
        buffer->offset = offset->integers;
    return true;
}

static bool take_buffer(struct rp_aton_reader *reader, const struct rp_aton_row *row,
                        void *context) {
    struct buffers *buffers = context;
    struct rp_aton_buffer buffer = {.table = buffers->table, .line = row->line};
    if (!rp_aton_string(reader, &row->members[B_NAME], &buffer.name))
        return false;
    if (buffers->ended)
        return rp_aton_fail(reader, row->line, "a row behind the one that ends the table");
    if (buffer.name == NULL) {
        buffers->ended = true;
        return true;
    }
    if (!read_numbers(reader, row, &buffer) || !read_place(reader, row, &buffer) ||
        !read_arrays(reader, row, &buffer))
        return false;
    buffer.type = buffer.type != NULL ? buffer.type : "";
    buffer.channels = buffer.channels != NULL ? buffer.channels : "";
    struct rp_aton *out = reader->out;
    out->rows[buffers->table]++;
    out->user_inputs |= buffer.is_user_allocated && buffers->table == RP_ATON_INPUT;
    out->user_outputs |= buffer.is_user_allocated && buffers->table == RP_ATON_OUTPUT;
    *RP_PUSH(reader->arena, &out->buffers) = buffer;
    return true;
}

bool rp_aton_read_buffers(struct rp_aton_reader *reader, enum rp_aton_table table) {
    static const char *const types[] = {"LL_Buffer_InfoTypeDef", NULL};
    struct buffers buffers = {table, false};
    struct body body = {.function =
                            rp_format(reader->arena, "the %s buffers", rp_aton_table_name(table)),
                        .row_types = types,
                        .rows = {buffer_names, BUFFER_MEMBERS, take_buffer, &buffers}};
    unsigned line = reader->token.line;
    if (!read_body(reader, &body))
        return false;
    if (body.table != NULL && !buffers.ended)
        return rp_aton_fail(reader, line,
                            "%s: the row without a name that ends the table is "
                            "missing",
                            body.function);
    return true;
}

/* ---- epochs ---- */

enum epoch_member { E_START, E_END, E_BLOB, E_FLAGS, E_EPOCH_NUM, E_LAST_EPOCH_NUM, EPOCH_MEMBERS };

static const char *const epoch_names[EPOCH_MEMBERS] = {
    [E_START] = "start_epoch_block", [E_END] = "end_epoch_block",
    [E_BLOB] = "blob_address",       [E_FLAGS] = "flags",
    [E_EPOCH_NUM] = "epoch_num",     [E_LAST_EPOCH_NUM] = "last_epoch_num",
};

/* Looks for a flag outside parentheses; inside, some depend on macros (blob_encrypted). */
static bool has_flag(const struct rp_aton_member *flags, const char *name) {
    size_t depth = 0;
    for (size_t i = 0; i < flags->count; i++) {
        const struct rp_ctoken *token = &flags->tokens[i];
        depth += rp_ctoken_is(token, "(");
        depth -= depth != 0 && rp_ctoken_is(token, ")");
        if (depth == 0 && rp_ctoken_has_prefix(token, "EpochBlock_Flags_") &&
            strlen(name) == token->len - 17 && memcmp(token->at + 17, name, token->len - 17) == 0)
            return true;
    }
    return false;
}

static enum rp_aton_epoch_kind kind_of(const struct rp_aton_member *flags) {
    static const struct {
        const char *flag;
        enum rp_aton_epoch_kind kind;
    } rows[] = {{"blob", RP_ATON_EPOCH_BLOB},
                {"internal", RP_ATON_EPOCH_INTERNAL},
                {"pure_hw", RP_ATON_EPOCH_HW},
                {"pure_sw", RP_ATON_EPOCH_SW},
                {"hybrid", RP_ATON_EPOCH_HYBRID}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (has_flag(flags, rows[i].flag))
            return rows[i].kind;
    return RP_ATON_EPOCH_OTHER;
}

static bool take_epoch(struct rp_aton_reader *reader, const struct rp_aton_row *row,
                       void *context) {
    bool *ended = context;
    const struct rp_aton_member *member = row->members;
    if (*ended)
        return rp_aton_fail(reader, row->line, "a row behind the one that ends the epochs");
    *ended = has_flag(&member[E_FLAGS], "last_eb");
    if (*ended)
        return true;
    struct rp_aton_epoch epoch = {.kind = kind_of(&member[E_FLAGS]), .line = row->line};
    if (!rp_aton_name(reader, &member[E_START], &epoch.start_function) ||
        !rp_aton_name(reader, &member[E_END], &epoch.end_function) ||
        !rp_aton_name(reader, &member[E_BLOB], &epoch.blob) ||
        !rp_aton_integer(reader, &member[E_EPOCH_NUM], -1, &epoch.epoch_num) ||
        !rp_aton_integer(reader, &member[E_LAST_EPOCH_NUM], -1, &epoch.last_epoch_num))
        return false;
    if (epoch.kind == RP_ATON_EPOCH_BLOB && epoch.blob == NULL)
        return rp_aton_fail(reader, row->line, "an epoch of the controller without .blob_address");
    *RP_PUSH(reader->arena, &reader->out->epochs) = epoch;
    return true;
}

bool rp_aton_read_epochs(struct rp_aton_reader *reader) {
    /* 1.0.0 to 1.1.3-8, then 1.1.3-275 */
    static const char *const types[] = {"EpochBlock_ItemTypeDef", "LL_ATON_RT_EpochBlockItem_t",
                                        NULL};
    bool ended = false;
    unsigned line = reader->token.line;
    struct body body = {.function = "the epochs",
                        .row_types = types,
                        .rows = {epoch_names, EPOCH_MEMBERS, take_epoch, &ended}};
    if (!read_body(reader, &body))
        return false;
    if (!ended)
        return rp_aton_fail(reader, line, "the epochs: no row has EpochBlock_Flags_last_eb");
    return true;
}
