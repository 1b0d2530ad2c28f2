/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a Glow bundle: see glow_header.h. */
#include "toolchain/dialects/glow_header.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/cread/init.h"
#include "toolchain/cread/source.h"

enum { ALIGN_MAX = 4096 };

struct macro {
    const char *name;
    int64_t value;
    unsigned line;
};

struct reader {
    struct rp_glow *glow;
    struct rp_csource source;
    struct rp_ctokens words; /* of the last directive */
    struct {
        struct macro *items;
        size_t count;
        size_t capacity;
    } macros;
};

bool rp_glow_is_header(const char *text) {
    static const char size[] = "_CONSTANT_MEM_SIZE";
    bool found = false;
    for (size_t len; *text != '\0' && !found; text += len + (text[len] != '\0')) {
        len = strcspn(text, "\n");
        found = text[strspn(text, " \t")] == '#' && memmem(text, len, size, strlen(size)) != NULL;
    }
    return found;
}

struct rp_glow_tensor *rp_glow_find(const struct rp_glow *glow, const char *name) {
    for (size_t i = 0; i < glow->tensors.count; i++)
        if (strcmp(glow->tensors.items[i].tensor.name, name) == 0)
            return &glow->tensors.items[i];
    return NULL;
}

/* ---- comments ---- */

/* Names of element types in Glow; others have no dtype. */
static const struct rp_dtype *type_of(const char *name) {
    static const struct {
        const char *glow;
        const char *dtype;
    } rows[] = {{"float", "float32"}, {"float64", "float64"}, {"i8", "int8"},
                {"ui8", "uint8"},     {"uindex8", "uint8"},   {"i16", "int16"},
                {"i32", "int32"},     {"index32", "int32"},   {"i64", "int64"},
                {"index64", "int64"}, {"bool", "bool"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].glow, name) == 0)
            return rp_dtype_find(rows[i].dtype);
    return NULL;
}

/* "1 x 28 x 28>" or "1, 28, 28]", up to the byte that ends it. */
static bool take_shape(struct rp_tensor *tensor, const char *at, char end) {
    tensor->rank = 0;
    for (;; at++) {
        char *stop;
        at += strspn(at, " ");
        if (*at == end && tensor->rank == 0) { /* a scalar */
            tensor->shape[tensor->rank++] = 1;
            return true;
        }
        unsigned long value = isdigit((unsigned char)*at) ? strtoul(at, &stop, 10) : 0;
        if (value == 0 || value > RELOC_OFFSET_MASK || tensor->rank == RP_RANK_MAX)
            return false;
        tensor->shape[tensor->rank++] = (uint32_t)value;
        at = stop + strspn(stop, " ");
        if (*at == end)
            return at[1] == '\0';
        if (*at != (end == '>' ? 'x' : ','))
            return false;
    }
}

/* ai_buffer holds the zero point in the tensor's own type. */
static bool fits(const struct rp_dtype *dtype, long zero) {
    unsigned bits = 8 * dtype->size_bytes;
    int64_t span = INT64_C(1) << (bits < 32 ? bits : 32), low = dtype->is_signed ? -span / 2 : 0;
    return !dtype->is_float && zero >= low && zero <= low + span - 1 && zero <= INT32_MAX;
}

/* "S:0.0078 O:-1]": returns the text after it, or NULL. */
static const char *take_quantisation(struct rp_tensor *tensor, const char *at) {
    char *stop;
    tensor->scale = strtod(at + 2, &stop);
    at = stop + strspn(stop, " ");
    if (!(tensor->scale >= (double)FLT_MIN && tensor->scale <= (double)FLT_MAX) ||
        strncmp(at, "O:", 2) != 0 || tensor->dtype == NULL)
        return NULL;
    long zero = strtol(at + 2, &stop, 10);
    if (stop == at + 2 || *stop != ']' || !fits(tensor->dtype, zero))
        return NULL;
    tensor->zero_point = (int32_t)zero;
    tensor->quantised = true;
    return stop + 1;
}

/* "float<1 x 10>", "i8[S:0.0078 O:-1][-0.996,1.004]<1 x 8>", and "float" with a shape elsewhere. */
static bool take_type(struct reader *reader, struct rp_glow_tensor *of, const char *value) {
    size_t len = strcspn(value, "[<");
    const char *at = value + len;
    of->type = rp_strndup(reader->source.arena, value, len);
    of->tensor.dtype = type_of(of->type);
    if (strncmp(at, "[S:", 3) == 0 && (at = take_quantisation(&of->tensor, at + 1)) == NULL)
        return false;
    if (*at == '[')
        at += strcspn(at, "<");
    return *at == '\0' || (*at == '<' && take_shape(&of->tensor, at + 1, '>'));
}

/* "1536 (bytes)"; the number of elements follows from the shape. */
static bool take_bytes(const char *value, uint32_t *out) {
    char *stop;
    if (!isdigit((unsigned char)*value))
        return false;
    unsigned long number = strtoul(value, &stop, 10);
    if (number > RELOC_OFFSET_MASK)
        return false;
    if (strcmp(stop, " (bytes)") == 0)
        *out = (uint32_t)number;
    return strcmp(stop, " (bytes)") == 0 || strcmp(stop, " (elements)") == 0;
}

/* The bytes between the first two quotes, or NULL. */
static char *take_quoted(struct rp_arena *arena, const char *value) {
    size_t len = *value == '"' ? strcspn(value + 1, "\"") : 0;
    return len != 0 && strcmp(value + 1 + len, "\"") == 0 ? rp_strndup(arena, value + 1, len)
                                                          : NULL;
}

static bool take_tensor(struct reader *reader, const char *value, unsigned line) {
    const char *name = take_quoted(reader->source.arena, value);
    if (name == NULL || strcmp(rp_c_identifier(reader->source.arena, name), name) != 0)
        return rp_fail(reader->source.err, RP_E_INPUT,
                       "%s:%u: a tensor's name has to be an identifier", reader->glow->path, line);
    if (rp_glow_find(reader->glow, name) != NULL)
        return rp_fail(reader->source.err, RP_E_INPUT, "%s:%u: two tensors are named '%s'",
                       reader->glow->path, line, name);
    *RP_PUSH(reader->source.arena, &reader->glow->tensors) =
        (struct rp_glow_tensor){.tensor = {.name = name}, .type = "", .offset = UINT32_MAX};
    return true;
}

/* One line of a comment: "Key: value". Keys that do not describe a tensor are skipped. */
static bool take_line(struct reader *reader, const char *text, unsigned line) {
    struct rp_glow *glow = reader->glow;
    static const char version[] = "Glow Tools version: ", name[] = "Name: \"";
    if (rp_has_prefix(text, version))
        glow->version = text + strlen(version);
    if (rp_has_prefix(text, name))
        return take_tensor(reader, text + strlen(name) - 1, line);
    struct rp_glow_tensor *last =
        glow->tensors.count != 0 ? &glow->tensors.items[glow->tensors.count - 1] : NULL;
    bool ok = true;
    if (last != NULL && rp_has_prefix(text, "Type: "))
        ok = take_type(reader, last, text + strlen("Type: "));
    else if (last != NULL && rp_has_prefix(text, "Shape: ["))
        ok = take_shape(&last->tensor, text + strlen("Shape: ["), ']');
    else if (last != NULL && rp_has_prefix(text, "Size: "))
        ok = take_bytes(text + strlen("Size: "), &last->size);
    else if (last != NULL && rp_has_prefix(text, "Offset: "))
        ok = take_bytes(text + strlen("Offset: "), &last->offset);
    return ok || rp_fail(reader->source.err, RP_E_INPUT, "%s:%u: '%.100s' is not understood",
                         glow->path, line, text);
}

static bool take_comment(struct reader *reader, const struct rp_ctoken *token) {
    const char *at = token->at, *end = token->at + token->len;
    for (unsigned line = token->line; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop != NULL ? stop + 1 : end;
        stop = stop != NULL ? stop : end;
        while (at < stop && strchr("/* \t", *at) != NULL && *at != '\0')
            at++;
        while (stop > at && strchr(" \t\r", stop[-1]) != NULL && stop[-1] != '\0')
            stop--;
        if (!take_line(reader, rp_strndup(reader->source.arena, at, (size_t)(stop - at)), line))
            return false;
        at = next;
    }
    return true;
}

/* ---- macros ---- */

static struct macro *find_macro(struct reader *reader, const char *name) {
    for (size_t i = 0; i < reader->macros.count; i++)
        if (strcmp(reader->macros.items[i].name, name) == 0)
            return &reader->macros.items[i];
    return NULL;
}

/* Takes "#define NAME number"; other directives are skipped. */
static bool take_directive(struct reader *reader, const struct rp_ctoken *token) {
    int64_t number;
    rp_cdirective_split(reader->source.arena, token, &reader->words);
    if (!rp_cdirective_number(&reader->words, &number))
        return true;
    const struct rp_ctoken *name = &reader->words.items[1];
    const char *text = rp_strndup(reader->source.arena, name->at, name->len);
    const struct macro *before = find_macro(reader, text);
    if (before != NULL && before->value != number)
        return rp_fail(reader->source.err, RP_E_INPUT,
                       "%s:%u: '%s' is %lld here and %lld in line %u", reader->glow->path,
                       token->line, text, (long long)number, (long long)before->value,
                       before->line);
    if (before == NULL)
        *RP_PUSH(reader->source.arena, &reader->macros) = (struct macro){text, number, token->line};
    return true;
}

static bool take_aside(void *owner, const struct rp_ctoken *token) {
    return (token->kind == RP_CTOKEN_COMMENT ? take_comment : take_directive)(owner, token);
}

/* ---- the prototype ---- */

/*
 * Which memory a parameter is, by its name or its const: 0, 1, 2; 3: neither says it. 4: it is not
 * [const] uint8_t * [name].
 */
static unsigned memory_of(const struct rp_cinit *param) {
    static const char *const names[] = {"const", "mutable", "activation"};
    static const char *const types[] = {"uint8_t", "unsigned", "char", NULL};
    size_t i = 0, words = 0;
    for (; i < param->count &&
           (rp_ctoken_is(&param->tokens[i], "const") || rp_ctoken_is_any(&param->tokens[i], types));
         i++)
        words += !rp_ctoken_is(&param->tokens[i], "const");
    bool star = words != 0 && i < param->count && rp_ctoken_is(&param->tokens[i], "*");
    i += star;
    i += i < param->count && param->tokens[i].kind == RP_CTOKEN_WORD;
    if (!star || i != param->count)
        return 4;
    for (i = 0; i < param->count; i++)
        for (unsigned k = 0; k < 3; k++)
            if (param->tokens[i].len >= strlen(names[k]) &&
                strncasecmp(param->tokens[i].at, names[k], strlen(names[k])) == 0)
                return k;
    return 3;
}

/* A declaration ended: is it int|void NAME(uint8_t *, uint8_t *, uint8_t *)? */
static bool take_declaration(struct reader *reader) {
    static const char *const memories[] = {"constant weights", "mutable weights", "activations"};
    const struct rp_ctokens *head = &reader->source.head;
    struct rp_glow *glow = reader->glow;
    struct rp_cinit_list list;
    struct rp_cinit call, param;
    unsigned places[3], count = 0;
    size_t i = 0;
    while (i < head->count &&
           (rp_ctoken_is(&head->items[i], "extern") || head->items[i].kind == RP_CTOKEN_STRING))
        i++;
    if (head->count - i < 3)
        return true;
    const struct rp_ctoken *type = &head->items[i];
    if (!(rp_ctoken_is(type, "int") || rp_ctoken_is(type, "void")) ||
        !rp_cinit_call(head, type + 1, &call) || call.count + i + 1 != head->count ||
        !rp_cinit_items(&call, &list))
        return true;
    for (; rp_cinit_next(&list, &param); count++)
        if (count == 3 || (places[count] = memory_of(&param)) == 4)
            return true;
    if (count != 3)
        return true;
    const char *name = rp_strndup(reader->source.arena, type[1].at, type[1].len);
    for (unsigned k = 0; k < 3; k++)
        if (places[k] != 3 && places[k] != k)
            return rp_fail(reader->source.err, RP_E_INPUT,
                           "%s:%u: '%s' has the %s as parameter %u, where a bundle has its %s",
                           glow->path, type->line, name, memories[places[k]], k + 1, memories[k]);
    if (glow->entry != NULL && strcmp(glow->entry, name) != 0)
        return rp_fail(reader->source.err, RP_E_INPUT,
                       "%s:%u: two bundles in one header: '%s' and '%s' can both be the entry",
                       glow->path, type->line, glow->entry, name);
    glow->entry = name;
    glow->returns_int = rp_ctoken_is(type, "int");
    return true;
}

/* ---- the bundle ---- */

/* The value of PREFIX_suffix. */
static bool take_size(struct reader *reader, const char *suffix, uint32_t *out) {
    struct rp_glow *glow = reader->glow;
    const char *name = rp_format(reader->source.arena, "%s_%s", glow->prefix, suffix);
    const struct macro *macro = find_macro(reader, name);
    if (macro == NULL)
        return rp_fail(reader->source.err, RP_E_INPUT, "%s: there is no '#define %s' with a number",
                       glow->path, name);
    if (macro->value < 0)
        return rp_fail(reader->source.err, RP_E_INPUT, "%s:%u: '%s' is %lld", glow->path,
                       macro->line, name, (long long)macro->value);
    if (macro->value > RELOC_OFFSET_MASK)
        return rp_fail(reader->source.err, RP_E_TOO_LARGE, "%s:%u: '%s' is %lld: 256 MiB or more",
                       glow->path, macro->line, name, (long long)macro->value);
    *out = (uint32_t)macro->value;
    return true;
}

static bool take_prefix(struct reader *reader) {
    static const char suffix[] = "_CONSTANT_MEM_SIZE";
    struct rp_glow *glow = reader->glow;
    for (size_t i = 0; i < reader->macros.count; i++) {
        const char *name = reader->macros.items[i].name;
        if (!rp_has_suffix(name, suffix) || strlen(name) == strlen(suffix))
            continue;
        const char *prefix = rp_strndup(reader->source.arena, name, strlen(name) - strlen(suffix));
        if (glow->prefix != NULL)
            return rp_fail(reader->source.err, RP_E_INPUT,
                           "%s:%u: two bundles in one header: macros of %s and of %s", glow->path,
                           reader->macros.items[i].line, glow->prefix, prefix);
        glow->prefix = prefix;
    }
    if (glow->prefix != NULL)
        return true;
    rp_fail(reader->source.err, RP_E_INPUT, "%s: there is no '#define ..._CONSTANT_MEM_SIZE'",
            glow->path);
    return rp_hint(reader->source.err, "bundles with the static API have it: generate with "
                                       "-bundle-api=static");
}

static bool take_sizes(struct reader *reader) {
    struct rp_glow *glow = reader->glow;
    if (!take_size(reader, "CONSTANT_MEM_SIZE", &glow->constant_size) ||
        !take_size(reader, "MUTABLE_MEM_SIZE", &glow->mutable_size) ||
        !take_size(reader, "ACTIVATIONS_MEM_SIZE", &glow->activations_size) ||
        !take_size(reader, "MEM_ALIGN", &glow->align))
        return false;
    return (glow->align != 0 && glow->align <= ALIGN_MAX &&
            (glow->align & (glow->align - 1)) == 0) ||
           rp_fail(reader->source.err, RP_E_INPUT,
                   "%s: '%s_MEM_ALIGN' is %u, not a power of two up to %d", glow->path,
                   glow->prefix, glow->align, ALIGN_MAX);
}

/* Is it one of the macros that do not describe a tensor? */
static bool is_size(const char *rest) {
    static const char *const sizes[] = {"CONSTANT_MEM_SIZE", "MUTABLE_MEM_SIZE",
                                        "ACTIVATIONS_MEM_SIZE", "MEM_ALIGN"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (strcmp(rest, sizes[i]) == 0)
            return true;
    return false;
}

/* Offsets come from macros PREFIX_tensor. Without comments, they are all that is known of tensors.
 */
static bool take_offsets(struct reader *reader) {
    struct rp_glow *glow = reader->glow;
    bool described = glow->tensors.count != 0;
    size_t len = strlen(glow->prefix);
    for (size_t i = 0; i < reader->macros.count; i++) {
        const struct macro *macro = &reader->macros.items[i];
        if (!rp_has_prefix(macro->name, glow->prefix) || macro->name[len] != '_' ||
            is_size(macro->name + len + 1))
            continue;
        const char *name = macro->name + len + 1;
        struct rp_glow_tensor *tensor = rp_glow_find(glow, name);
        if (tensor == NULL && described)
            continue; /* the user's own */
        if (tensor == NULL) {
            tensor = RP_PUSH(reader->source.arena, &glow->tensors);
            *tensor = (struct rp_glow_tensor){.tensor = {.name = name}, .offset = UINT32_MAX};
        }
        if (macro->value < 0 || macro->value > glow->mutable_size ||
            (tensor->offset != UINT32_MAX && tensor->offset != macro->value))
            return rp_fail(reader->source.err, RP_E_INPUT,
                           "%s:%u: '%s' is %lld, which is not where the comment has the tensor, or "
                           "outside the mutable memory of %u bytes",
                           glow->path, macro->line, macro->name, (long long)macro->value,
                           glow->mutable_size);
        tensor->offset = (uint32_t)macro->value;
    }
    return glow->tensors.count != 0 ||
           rp_fail(reader->source.err, RP_E_INPUT,
                   "%s: it names no tensor: neither comments nor '%s_...'", glow->path,
                   glow->prefix);
}

/* Do the comments agree with themselves and with the size of the memory? */
static bool check_tensor(const struct rp_glow *glow, struct rp_glow_tensor *of,
                         struct rp_error *err) {
    const struct rp_tensor *tensor = &of->tensor;
    uint64_t bytes = tensor->dtype != NULL ? tensor->dtype->size_bytes : 0;
    for (unsigned i = 0; i < tensor->rank; i++)
        if (__builtin_mul_overflow(bytes, tensor->shape[i], &bytes))
            return rp_fail(err, RP_E_TOO_LARGE, "%s: tensor '%s' has more than 256 MiB", glow->path,
                           tensor->name);
    if (tensor->rank == 0 || tensor->dtype == NULL)
        bytes = of->size;
    if (of->size == 0 && bytes <= RELOC_OFFSET_MASK)
        of->size = (uint32_t)bytes;
    if (of->offset == UINT32_MAX)
        return rp_fail(err, RP_E_INPUT, "%s: there is no offset for tensor '%s' ('#define %s_%s')",
                       glow->path, tensor->name, glow->prefix, tensor->name);
    if (bytes != of->size)
        return rp_fail(err, RP_E_INPUT,
                       "%s: tensor '%s' has %llu bytes by type and shape, %u by its comment",
                       glow->path, tensor->name, (unsigned long long)bytes, of->size);
    if (of->offset > glow->mutable_size || of->size > glow->mutable_size - of->offset)
        return rp_fail(err, RP_E_INPUT,
                       "%s: tensor '%s' (%u bytes at offset %u) does not fit into the mutable "
                       "memory of %u bytes",
                       glow->path, tensor->name, of->size, of->offset, glow->mutable_size);
    return true;
}

bool rp_glow_check(struct rp_glow *glow, struct rp_error *err) {
    for (size_t i = 0; i < glow->tensors.count; i++) {
        struct rp_glow_tensor *a = &glow->tensors.items[i];
        if (!check_tensor(glow, a, err))
            return false;
        for (size_t k = 0; k < i; k++) {
            const struct rp_glow_tensor *b = &glow->tensors.items[k];
            if (a->size != 0 && b->size != 0 && a->offset < b->offset + b->size &&
                b->offset < a->offset + a->size)
                return rp_fail(err, RP_E_INPUT, "%s: the tensors '%s' and '%s' overlap", glow->path,
                               b->tensor.name, a->tensor.name);
        }
    }
    return true;
}

static int by_offset(const void *a, const void *b) {
    const struct rp_glow_tensor *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : strcmp(x->tensor.name, y->tensor.name);
}

bool rp_glow_parse(struct rp_glow *glow, struct rp_arena *arena, const struct rp_glow_text *text,
                   struct rp_error *err) {
    struct reader reader = {.glow = glow,
                            .source = {.lexer = {.at = text->text,
                                                 .end = text->text + text->len,
                                                 .path = text->path,
                                                 .line = 1},
                                       .arena = arena,
                                       .err = err,
                                       .aside = take_aside,
                                       .owner = &reader}};
    const struct rp_ctoken *token = &reader.source.token;
    *glow = (struct rp_glow){.path = text->path};
    bool ok = rp_csource_next(&reader.source);
    while (ok && token->kind != RP_CTOKEN_END)
        ok = rp_csource_head(&reader.source) &&
             (!rp_ctoken_is(token, ";") || take_declaration(&reader)) &&
             rp_csource_pass(&reader.source, NULL);
    if (!ok || !take_prefix(&reader) || !take_sizes(&reader) || !take_offsets(&reader))
        return false;
    if (glow->entry == NULL)
        return rp_fail(err, RP_E_INPUT,
                       "%s: there is no 'int NAME(uint8_t *constantWeight, uint8_t *mutableWeight, "
                       "uint8_t *activations);'",
                       glow->path);
    qsort(glow->tensors.items, glow->tensors.count, sizeof *glow->tensors.items, by_offset);
    return true;
}

/* ---- directions ---- */

static bool says(const char *name, const char *const *words) {
    for (; *words != NULL; words++)
        if (strcasestr(name, *words) != NULL)
            return true;
    return false;
}

static enum rp_glow_direction by_name(const char *name) {
    static const char *const inputs[] = {"input", "data", "image", NULL};
    static const char *const outputs[] = {
        "output", "identity", "softmax", "statefulpartitionedcall", "prob", "pred",
        "result", "logits",   NULL};
    bool in = says(name, inputs), out = says(name, outputs);
    return in == out ? RP_GLOW_UNKNOWN : in ? RP_GLOW_INPUT : RP_GLOW_OUTPUT;
}

static bool fail_direction(const struct rp_glow *glow, struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    for (size_t i = 0; i < glow->tensors.count && list.len < 600; i++)
        rp_buf_printf(&list, "%s%s %s", i != 0 ? ", " : "",
                      i + 1 == glow->tensors.count ? "out" : "in",
                      glow->tensors.items[i].tensor.name);
    rp_fail(err, RP_E_ENTRY, "%s: nothing in it says which tensors are inputs and which outputs",
            glow->path);
    rp_hint(err, "say it, such as --entry '%s(%s)'", glow->entry, list.data);
    rp_arena_release(&arena);
    return false;
}

bool rp_glow_direct(struct rp_glow *glow, struct rp_error *err) {
    size_t count = glow->tensors.count, last_input = 0, first_output = count - 1;
    for (size_t i = 0; i < count; i++) {
        enum rp_glow_direction named = by_name(glow->tensors.items[i].tensor.name);
        if (named == RP_GLOW_INPUT)
            last_input = i;
        if (named == RP_GLOW_OUTPUT && i < first_output)
            first_output = i;
    }
    if (last_input + 1 != first_output)
        return fail_direction(glow, err);
    for (size_t i = 0; i < count; i++)
        glow->tensors.items[i].direction = i <= last_input ? RP_GLOW_INPUT : RP_GLOW_OUTPUT;
    return true;
}
