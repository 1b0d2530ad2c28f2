/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of network.c that return tables: buffers and epochs. See table.h. */
#include "toolchain/npu/table.h"

#include <string.h>

#include "toolchain/npu/value.h"

/* ---- a function's body: arrays, one table, and its return ---- */

struct body {
    const char *function; /* for messages */
    const char *const *row_types;
    enum rp_aton_table kind; /* of buffers */
    bool (*take)(struct rp_aton_reader *reader, const struct rp_aton_row *row, struct body *body);
    const char *table; /* name of the array of rows; NULL: none so far */
    bool ended;        /* the row that ends the table has been read */
    bool returns;
};

/* Reads "name[] = { … };" with the = as the current token. */
static bool read_definition(struct rp_aton_reader *reader, struct body *body) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *name = rp_ctokens_name(&source->head, "[");
    struct rp_cinit_list rows, members;
    struct rp_aton_row row = {.reader = reader};
    struct rp_cinit value;
    bool is_row = false;
    for (size_t i = 0; body->row_types[i] != NULL; i++)
        is_row = is_row || rp_ctokens_have(&source->head, body->row_types[i]);
    if (name == NULL || !is_row)
        return rp_aton_read_array(reader, &reader->arrays);
    if (body->table != NULL)
        return rp_aton_fail(reader, name->line, "%s: a second table", body->function);
    body->table = rp_aton_word(source, name);
    if (!rp_aton_sort_arrays(reader, &reader->arrays) || !rp_csource_next(source) ||
        !rp_csource_value(source))
        return false;
    const struct rp_cinit table = rp_cinit_of(source);
    if (!rp_cinit_items(&table, &rows))
        return rp_aton_fail(reader, table.line, "'{' expected in front of '%s'",
                            rp_cinit_text(source->arena, &table));
    for (; rp_cinit_next(&rows, &value); row.count = 0) {
        if (!rp_cinit_items(&value, &members))
            return rp_aton_fail(reader, value.line, "'{' expected in front of '%s'",
                                rp_cinit_text(source->arena, &value));
        row.line = value.line;
        while (rp_cinit_next(&members, &value)) {
            if (value.member == NULL)
                return rp_aton_fail(reader, value.line,
                                    "'.member = value' expected in a row, not '%s'",
                                    rp_cinit_text(source->arena, &value));
            *RP_PUSH(source->arena, &row) = value;
        }
        if (!body->take(reader, &row, body))
            return false;
    }
    return rp_csource_expect(source, ";");
}

/* Reads "return buff_info;" or "return NULL;". Other statements cannot change a constant table. */
static bool read_statement(struct rp_aton_reader *reader, struct body *body) {
    const struct rp_ctokens *head = &reader->source.head;
    if (head->count != 0 && rp_ctoken_is(&head->items[0], "return")) {
        unsigned line = head->items[0].line;
        const struct rp_cinit value = {NULL, head->items + 1, head->count - 1, line};
        const char *name = rp_aton_name_of(reader, &value);
        if (body->returns || (name == NULL) != (body->table == NULL) ||
            (name != NULL && strcmp(name, body->table) != 0))
            return rp_aton_fail(reader, line, "%s: 'return %s' is not understood", body->function,
                                name != NULL ? name : "NULL");
        body->returns = true;
    }
    return rp_csource_next(&reader->source);
}

/* Reads from the { of the body to after its }. */
static bool read_body(struct rp_aton_reader *reader, struct body *body) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *token = &source->token;
    unsigned start = token->line;
    reader->arrays = (struct rp_aton_arrays){0};
    reader->in_rows = true;
    if (!rp_aton_sort_arrays(reader, &reader->globals) || !rp_csource_next(source))
        return false;
    for (;;) {
        if (!rp_csource_head(source))
            return false;
        if (token->kind == RP_CTOKEN_END)
            return rp_csource_fail(source, RP_E_INPUT, start, "a brace is not closed");
        if (rp_ctoken_is(token, "{"))
            return rp_aton_fail(reader, token->line, "%s: only tables and a return are understood",
                                body->function);
        if (rp_ctoken_is(token, "}"))
            break;
        if (!(rp_ctoken_is(token, "=") ? read_definition : read_statement)(reader, body))
            return false;
    }
    if (!body->returns)
        return rp_aton_fail(reader, token->line, "%s returns nothing", body->function);
    reader->in_rows = false;
    return rp_csource_next(source);
}

/* ---- buffers ---- */

/* The three addresses of the old form, or base and offsets of the new one added up. */
static bool read_addresses(const struct rp_aton_row *row, const struct rp_cvalue *base,
                           struct rp_cvalue addresses[3]) {
    static const char *const names[2][3] = {{"addr_start", "addr_end", "addr_limit"},
                                            {"offset_start", "offset_end", "offset_limit"}};
    struct rp_cinit member[2][3], ignored;
    bool has[2][3], is_new = rp_aton_member(row, "addr_base", &ignored);
    for (size_t i = 0; i < 3; i++)
        for (size_t form = 0; form < 2; form++)
            has[form][i] = rp_aton_member(row, names[form][i], &member[form][i]);
    const bool *given = has[is_new], *other = has[!is_new];
    if (!given[0] || !given[1] || other[0] || other[1] || other[2])
        return rp_aton_fail(row->reader, row->line,
                            "a buffer has to have either .addr_base, .offset_start and "
                            ".offset_end, or .addr_start and .addr_end");
    for (size_t i = 0; i < 3; i++) {
        unsigned line = member[is_new][i].line;
        addresses[i] = rp_aton_value(row, names[is_new][i]);
        if (!is_new)
            continue;
        if (addresses[i].label.len != 0)
            return rp_aton_fail(row->reader, line, "an offset that is not a number");
        int64_t offset = addresses[i].number;
        addresses[i] = *base;
        if (__builtin_add_overflow(base->number, offset, &addresses[i].number))
            return rp_aton_fail(row->reader, line, "an offset of more than 32 bits");
    }
    if (!given[2]) /* the limit may be left out */
        addresses[2] = addresses[1];
    return true;
}

static bool same_label(const struct rp_cvalue *a, const struct rp_cvalue *b) {
    return a->label.len == b->label.len && a->address_of == b->address_of &&
           (a->label.len == 0 || memcmp(a->label.at, b->label.at, a->label.len) == 0);
}

static bool read_place(const struct rp_aton_row *row, struct rp_aton_buffer *buffer) {
    const struct rp_aton_reader *reader = row->reader;
    const struct rp_cvalue base = rp_aton_value(row, "addr_base");
    struct rp_cvalue at[3];
    if (!read_addresses(row, &base, at))
        return false;
    const struct rp_ctoken *label = &at[0].label;
    if (!same_label(&at[0], &at[1]) || !same_label(&at[0], &at[2]))
        return rp_aton_fail(reader, buffer->line,
                            "buffer '%s': its start and end are of different labels", buffer->name);
    if (at[0].address_of && !buffer->is_user_allocated)
        return rp_aton_fail(reader, buffer->line,
                            "buffer '%s': the address of '%.*s' is understood of user-allocated "
                            "buffers only",
                            buffer->name, (int)label->len, label->at);
    const int64_t room = (int64_t)UINT32_MAX + 1;
    bool fits = at[0].number >= 0 && at[1].number <= room && at[2].number <= 2 * room;
    if (!fits || at[1].number < at[0].number || at[2].number < at[0].number)
        return rp_aton_fail(
            reader, buffer->line, "buffer '%s': from 0x%llx to 0x%llx is not a range of addresses",
            buffer->name, (unsigned long long)at[0].number, (unsigned long long)at[1].number);
    buffer->start = (uint64_t)at[0].number;
    buffer->end = (uint64_t)at[1].number;
    buffer->limit = (uint64_t)at[2].number;
    buffer->base = base.label.len == 0 ? (uint64_t)base.number : 0;
    buffer->label = label->len != 0 ? rp_aton_word(&reader->source, label) : NULL;
    return true;
}

static struct rp_aton_integers read_shape(const struct rp_aton_row *row, const char *name,
                                          int64_t ndims) {
    const struct rp_aton_array *array = rp_aton_member_array(row, name, false);
    struct rp_cinit member;
    if (array == NULL)
        return (struct rp_aton_integers){0};
    if (ndims != -1 && (uint64_t)ndims != array->integers.count &&
        rp_aton_member(row, name, &member))
        rp_aton_fail(row->reader, member.line, "'%s' has %zu numbers, and its ndims is %lld",
                     array->name, array->integers.count, (long long)ndims);
    return array->integers;
}

static bool take_buffer(struct rp_aton_reader *reader, const struct rp_aton_row *row,
                        struct body *body) {
    struct rp_aton_buffer buffer = {
        .table = body->kind, .line = row->line, .name = rp_aton_string(row, "name")};
    if (reader->source.err->id != 0)
        return false;
    if (body->ended)
        return rp_aton_fail(reader, buffer.line, "a row after the one that ends the table");
    body->ended = buffer.name == NULL;
    if (body->ended)
        return true;
    buffer.is_param = rp_aton_integer(row, "is_param", 0) != 0;
    buffer.is_user_allocated = rp_aton_integer(row, "is_user_allocated", 0) != 0;
    buffer.is_per_channel = rp_aton_integer(row, "per_channel", 0) != 0;
    buffer.is_Qunsigned = rp_aton_integer(row, "Qunsigned", 0) != 0;
    buffer.epoch = rp_aton_integer(row, "epoch", -1);
    buffer.batch = rp_aton_integer(row, "batch", -1);
    buffer.nbits = rp_aton_integer(row, "nbits", -1);
    buffer.Qm = rp_aton_integer(row, "Qm", -1);
    buffer.Qn = rp_aton_integer(row, "Qn", -1);
    buffer.ndims = rp_aton_integer(row, "ndims", -1);
    buffer.mem_ndims = rp_aton_integer(row, "mem_ndims", -1);
    const char *type = rp_aton_name(row, "type"), *channels = rp_aton_name(row, "chpos");
    buffer.type = type != NULL ? type : "";
    buffer.channels = channels != NULL ? channels : "";
    if (!read_place(row, &buffer))
        return false;
    buffer.shape = read_shape(row, "shape", buffer.ndims);
    buffer.mem_shape = read_shape(row, "mem_shape", buffer.mem_ndims);
    const struct rp_aton_array *scale = rp_aton_member_array(row, "scale", true);
    const struct rp_aton_array *offset = rp_aton_member_array(row, "offset", false);
    buffer.scale = scale != NULL ? scale->reals : buffer.scale;
    buffer.offset = offset != NULL ? offset->integers : buffer.offset;
    struct rp_aton *out = reader->out;
    out->rows[body->kind]++;
    out->user_inputs |= buffer.is_user_allocated && body->kind == RP_ATON_INPUT;
    out->user_outputs |= buffer.is_user_allocated && body->kind == RP_ATON_OUTPUT;
    *RP_PUSH(reader->source.arena, &out->buffers) = buffer;
    return reader->source.err->id == 0;
}

bool rp_aton_read_buffers(struct rp_aton_reader *reader, enum rp_aton_table table) {
    static const char *const types[] = {"LL_Buffer_InfoTypeDef", NULL};
    struct body body = {
        .function = rp_format(reader->source.arena, "the %s buffers", rp_aton_table_name(table)),
        .row_types = types,
        .kind = table,
        .take = take_buffer};
    unsigned line = reader->source.token.line;
    if (!read_body(reader, &body))
        return false;
    return body.table == NULL || body.ended ||
           rp_aton_fail(reader, line, "%s: the row without a name that ends the table is missing",
                        body.function);
}

/* ---- epochs ---- */

/* Looks for a flag outside parentheses; inside, some depend on macros (blob_encrypted). */
static bool has_flag(const struct rp_cinit *flags, const char *name) {
    static const char prefix[] = "EpochBlock_Flags_";
    size_t depth = 0, skip = sizeof prefix - 1;
    for (size_t i = 0; i < flags->count; i++) {
        struct rp_ctoken token = flags->tokens[i];
        depth += rp_ctoken_is(&token, "(");
        depth -= depth != 0 && rp_ctoken_is(&token, ")");
        if (depth != 0 || !rp_ctoken_has_prefix(&token, prefix))
            continue;
        token.at += skip;
        token.len -= skip;
        if (rp_ctoken_is(&token, name))
            return true;
    }
    return false;
}

static enum rp_aton_epoch_kind kind_of(const struct rp_cinit *flags) {
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
                       struct body *body) {
    struct rp_cinit flags;
    unsigned line = row->line;
    if (body->ended)
        return rp_aton_fail(reader, line, "a row after the one that ends the epochs");
    rp_aton_member(row, "flags", &flags);
    body->ended = has_flag(&flags, "last_eb");
    if (body->ended)
        return reader->source.err->id == 0;
    const struct rp_aton_epoch epoch = {
        .kind = kind_of(&flags),
        .line = line,
        .start_function = rp_aton_name(row, "start_epoch_block"),
        .end_function = rp_aton_name(row, "end_epoch_block"),
        .blob = rp_aton_name(row, "blob_address"),
        .epoch_num = rp_aton_integer(row, "epoch_num", -1),
        .last_epoch_num = rp_aton_integer(row, "last_epoch_num", -1),
    };
    if (epoch.kind == RP_ATON_EPOCH_BLOB && epoch.blob == NULL)
        return rp_aton_fail(reader, line, "an epoch of the controller without .blob_address");
    *RP_PUSH(reader->source.arena, &reader->out->epochs) = epoch;
    return reader->source.err->id == 0;
}

bool rp_aton_read_epochs(struct rp_aton_reader *reader) {
    /* 1.0.0 to 1.1.3-8, then 1.1.3-275 */
    static const char *const types[] = {"EpochBlock_ItemTypeDef", "LL_ATON_RT_EpochBlockItem_t",
                                        NULL};
    unsigned line = reader->source.token.line;
    struct body body = {.function = "the epochs", .row_types = types, .take = take_epoch};
    return read_body(reader, &body) &&
           (body.ended ||
            rp_aton_fail(reader, line, "the epochs: no row has EpochBlock_Flags_last_eb"));
}
