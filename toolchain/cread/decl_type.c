/* SPDX-License-Identifier: Apache-2.0 */
/* Turns one C declaration into names and types. See decl_type.h. */
#include "toolchain/cread/decl_type.h"

#include <stdio.h>
#include <string.h>

#include "toolchain/cread/expr.h"
#include "toolchain/cread/token.h"
#include "toolchain/cread/type.h"

/* Depth of parentheses, and of sizeof in sizeof. More would only serve to exhaust the stack. */
enum { DEPTH_MAX = 64, NESTED_MAX = 8 };

static bool at_is(const struct rp_cdecl_range *range, const char *text) {
    return range->at != range->end && rp_ctoken_is(range->at, text);
}

static char *word_of(struct rp_arena *arena, const struct rp_ctoken *token) {
    return rp_strndup(arena, token->at, token->len);
}

/* ---- integer constants ---- */

static void add_constant(struct rp_cdecl_scope *scope, const char *name, int64_t value) {
    scope->constants.items = rp_grow(scope->arena, scope->constants.items, scope->constants.count,
                                     &scope->constants.capacity, sizeof *scope->constants.items);
    scope->constants.items[scope->constants.count].name = name;
    scope->constants.items[scope->constants.count++].value = value;
}

/* After a value that is not known, the next ones are unknown too, up to one that is given. */
void rp_cdecl_read_enum(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens) {
    int64_t next = 0;
    bool known = true;
    while (tokens.at != tokens.end && tokens.at->kind == RP_CTOKEN_WORD) {
        const struct rp_ctoken *name = tokens.at++;
        if (at_is(&tokens, "=")) {
            tokens.at++;
            known = rp_cdecl_eval(scope, &tokens, &next) &&
                    (tokens.at == tokens.end || at_is(&tokens, ","));
        }
        if (known)
            add_constant(scope, word_of(scope->arena, name), next++);
        while (tokens.at != tokens.end && !at_is(&tokens, ","))
            tokens.at++;
        tokens.at += tokens.at != tokens.end;
    }
}

/* ---- passing over ---- */

/* Moves behind the parenthesis or bracket that closes the one at range->at, or to the end. */
static void skip_group(struct rp_cdecl_range *range) {
    unsigned depth = 0;
    for (; range->at != range->end; range->at++) {
        depth += (unsigned)(at_is(range, "(") || at_is(range, "["));
        depth -= (unsigned)(depth != 0 && (at_is(range, ")") || at_is(range, "]")));
        if (depth == 0) {
            range->at++;
            return;
        }
    }
}

static struct rp_cdecl_range take_group(struct rp_cdecl_range *range) {
    struct rp_cdecl_range inside = {range->at + 1, range->at + 1};
    skip_group(range);
    if (range->at > inside.at)
        inside.end = range->at - 1;
    return inside;
}

/* ---- specifiers ---- */

struct specifiers {
    const struct rp_ctype *type;
    bool is_const;
    bool opaque; /* something in it is not understood */
    const char *label;
    struct rp_cdecl_declaration *flags;
};

/* How often each word of C's arithmetic types has been read. */
struct words {
    unsigned count;
    unsigned is_char, is_short, is_int, is_long, is_signed, is_unsigned;
    unsigned is_float, is_double, is_bool, is_void, is_other;
};

static bool take_basic(struct words *words, const struct rp_ctoken *token) {
    const struct {
        const char *text;
        unsigned *count;
    } table[] = {{"char", &words->is_char},      {"short", &words->is_short},
                 {"int", &words->is_int},        {"long", &words->is_long},
                 {"signed", &words->is_signed},  {"__signed__", &words->is_signed},
                 {"float", &words->is_float},    {"unsigned", &words->is_unsigned},
                 {"double", &words->is_double},  {"_Bool", &words->is_bool},
                 {"bool", &words->is_bool},      {"void", &words->is_void},
                 {"_Complex", &words->is_other}, {"__complex__", &words->is_other},
                 {"_Float16", &words->is_other}, {"__fp16", &words->is_other},
                 {"__bf16", &words->is_other},   {"_Float32x", &words->is_other},
                 {"__int128", &words->is_other}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (rp_ctoken_is(token, table[i].text)) {
            words->count++;
            ++*table[i].count;
            return true;
        }
    return false;
}

static const struct rp_ctype *find_typedef(const struct rp_cdecl_scope *scope,
                                           const struct rp_ctoken *token) {
    for (size_t i = scope->types.count; i-- > 0;)
        if (rp_ctoken_is(token, scope->types.items[i].name))
            return scope->types.items[i].type;
    return NULL;
}

/* The number type of the words; NULL when no tensor can have it. Arm's long has 32 bits. */
static const struct rp_dtype *number_of(const struct rp_cdecl_scope *scope,
                                        const struct words *words) {
    if (words->is_other != 0 || words->is_void != 0)
        return NULL;
    if (words->is_float != 0)
        return words->count == 1 ? rp_dtype_find("float32") : NULL;
    if (words->is_double != 0)
        return words->count == 1 ? rp_dtype_find("float64") : NULL;
    if (words->is_bool != 0)
        return words->count == 1 ? rp_dtype_find("bool") : NULL;
    static const struct rp_ctoken plain_char = {.at = RP_CDECL_PLAIN_CHAR,
                                                .len = sizeof RP_CDECL_PLAIN_CHAR - 1};
    const struct rp_ctype *plain = words->is_char != 0 && words->is_signed + words->is_unsigned == 0
                                       ? find_typedef(scope, &plain_char)
                                       : NULL;
    if (plain != NULL)
        return plain->dtype;
    bool no_sign = words->is_unsigned != 0 || (words->is_char != 0 && words->is_signed == 0);
    unsigned bits = words->is_char != 0    ? 8
                    : words->is_short != 0 ? 16
                    : words->is_long > 1   ? 64
                                           : 32;
    char name[16];
    snprintf(name, sizeof name, "%sint%u", no_sign ? "u" : "", bits);
    return rp_dtype_find(name);
}

static const struct rp_ctype *basic_type(const struct rp_cdecl_scope *scope,
                                         const struct words *words, const char *spelling) {
    struct rp_ctype *type = rp_alloc(scope->arena, 1, sizeof *type);
    const struct rp_dtype *dtype = number_of(scope, words);
    bool is_void = words->is_void != 0 && words->count == 1;
    *type = (struct rp_ctype){.kind = is_void         ? RP_CTYPE_VOID
                                      : dtype != NULL ? RP_CTYPE_NUMBER
                                                      : RP_CTYPE_OTHER,
                              .dtype = dtype,
                              .name = spelling,
                              .is_byte = words->is_char != 0 && words->is_signed == 0};
    return type;
}

static const struct rp_ctype *tagged_type(struct rp_arena *arena, struct rp_cdecl_range *range) {
    struct rp_ctype *type = rp_alloc(arena, 1, sizeof *type);
    char *keyword = word_of(arena, range->at);
    bool is_enum = rp_ctoken_is(range->at++, "enum");
    while (range->at != range->end && rp_ctoken_takes_parentheses(range->at)) {
        range->at++;
        skip_group(range);
    }
    bool tag = range->at != range->end && range->at->kind == RP_CTOKEN_WORD;
    *type = (struct rp_ctype){
        .kind = is_enum ? RP_CTYPE_ENUM : RP_CTYPE_RECORD,
        .name = tag ? rp_format(arena, "%s %s", keyword, word_of(arena, range->at)) : keyword};
    range->at += tag;
    range->at += at_is(range, "{");
    return type;
}

/* The type of a name. int8_t and the like are types whether their header was seen or not. */
static const struct rp_ctype *named_type(const struct rp_cdecl_scope *scope,
                                         const struct rp_ctoken *token) {
    const struct rp_ctype *found = find_typedef(scope, token);
    char *word = word_of(scope->arena, token);
    const struct rp_dtype *dtype = found == NULL ? rp_dtype_find(word) : NULL;
    bool standard = dtype != NULL && strcmp(dtype->c_type, word) == 0;
    struct rp_ctype *type = rp_alloc(scope->arena, 1, sizeof *type);
    *type = found != NULL ? *found : rp_ctype_unknown;
    if (standard)
        *type = (struct rp_ctype){
            .kind = RP_CTYPE_NUMBER, .dtype = dtype, .is_byte = strcmp(word, "uint8_t") == 0};
    if (type->kind != RP_CTYPE_POINTER && type->kind != RP_CTYPE_ARRAY &&
        type->kind != RP_CTYPE_FUNCTION)
        type->name = word;
    return type;
}

/* Does an attribute turn the type into another one? */
static bool changes_type(struct rp_cdecl_range group) {
    static const char *const words[] = {
        "vector_size",          "__vector_size__", "mode", "__mode__", "neon_vector_type",
        "neon_polyvector_type", "ext_vector_type", NULL};
    for (; group.at != group.end; group.at++)
        if (rp_ctoken_is_any(group.at, words))
            return true;
    return false;
}

static bool has_word(struct rp_cdecl_range group, const char *word) {
    for (; group.at != group.end; group.at++)
        if (rp_ctoken_is(group.at, word))
            return true;
    return false;
}

static bool is_asm(const struct rp_ctoken *token) {
    static const char *const words[] = {"__asm__", "__asm", "asm", NULL};
    return rp_ctoken_is_any(token, words);
}

/* What __asm__("a" "b") says. An escape stays one: no name that C can call has a backslash. */
static const char *label_of(struct rp_arena *arena, struct rp_cdecl_range group) {
    const char *label = "";
    for (; group.at != group.end; group.at++)
        if (group.at->kind == RP_CTOKEN_STRING)
            label = rp_format(arena, "%s%.*s", label, (int)group.at->len - 2, group.at->at + 1);
    return label;
}

/* Takes const, or a word that does not matter for the type; false for any other word. */
static bool take_qualifier(struct rp_arena *arena, struct rp_cdecl_range *range,
                           struct specifiers *spec) {
    static const char *const none[] = {
        "volatile",     "restrict",   "__restrict",    "register", "_Noreturn",
        "__restrict__", "__volatile", "auto",          "noexcept", "__extension__",
        "__volatile__", "__thread",   "_Thread_local", NULL};
    static const char *const is_inline[] = {"inline", "__inline", "__inline__", NULL};
    const struct rp_ctoken *token = range->at;
    struct rp_cdecl_declaration ignored = {0},
                                *flags = spec->flags != NULL ? spec->flags : &ignored;
    if (rp_ctoken_is(token, "const") || rp_ctoken_is(token, "__const") ||
        rp_ctoken_is(token, "__const__"))
        spec->is_const = true;
    else if (rp_ctoken_is(token, "static"))
        flags->is_static = true;
    else if (rp_ctoken_is(token, "extern"))
        flags->is_extern = true;
    else if (rp_ctoken_is(token, "typedef"))
        flags->is_typedef = true;
    else if (rp_ctoken_is(token, "constexpr"))
        flags->is_constexpr = true;
    else if (rp_ctoken_is_any(token, is_inline))
        flags->is_inline = true;
    else if (rp_ctoken_is(token, "__typeof__") || rp_ctoken_is(token, "typeof") ||
             rp_ctoken_is(token, "decltype") || rp_ctoken_is(token, "_Atomic") ||
             rp_ctoken_is(token, "__auto_type") || rp_ctoken_is(token, "template")) {
        spec->opaque = true;
        range->at++;
        if (at_is(range, "("))
            skip_group(range);
        return true;
    } else if (rp_ctoken_takes_parentheses(token)) {
        range->at++;
        const struct rp_cdecl_range group = at_is(range, "(") ? take_group(range) : *range;
        spec->opaque = spec->opaque || changes_type(group);
        if (is_asm(token))
            spec->label = label_of(arena, group);
        flags->is_weak = flags->is_weak || has_word(group, "weak") || has_word(group, "__weak__");
        return true;
    } else if (token->kind == RP_CTOKEN_STRING) { /* of extern "C" */
    } else if (!rp_ctoken_is_any(token, none)) {
        return false;
    }
    range->at++;
    return true;
}

static bool is_tag_keyword(const struct rp_ctoken *token) {
    static const char *const words[] = {"struct", "union", "enum", "class", NULL};
    return rp_ctoken_is_any(token, words);
}

static void take_specifiers(struct rp_cdecl_scope *scope, struct rp_cdecl_range *range,
                            struct specifiers *spec) {
    struct rp_arena *arena = scope->arena;
    struct words words = {0};
    const char *spelling = "";
    while (range->at != range->end) {
        const struct rp_ctoken *token = range->at;
        bool first = spec->type == NULL && words.count == 0;
        if (take_qualifier(arena, range, spec))
            continue;
        bool basic =
            spec->type == NULL && find_typedef(scope, token) == NULL && take_basic(&words, token);
        if (basic) {
            spelling = rp_format(arena, "%s%s%s", spelling, spelling[0] != '\0' ? " " : "",
                                 word_of(arena, token));
            range->at++;
        } else if (first && is_tag_keyword(token)) {
            spec->type = tagged_type(arena, range);
        } else if (first && token->kind == RP_CTOKEN_WORD && !spec->opaque) {
            spec->type = named_type(scope, token);
            range->at++;
            if (at_is(range, ":") || at_is(range, "<")) /* of C++ */
                spec->opaque = true;
        } else {
            break;
        }
    }
    if (spec->opaque || (spec->type == NULL && words.count == 0))
        spec->type = &rp_ctype_unknown;
    else if (spec->type == NULL)
        spec->type = basic_type(scope, &words, spelling);
    if (spec->is_const)
        spec->type = rp_ctype_as_const(arena, spec->type);
}

/* ---- declarators ---- */

struct declarator {
    struct rp_cdecl_scope *scope;
    const char *name;
    const struct rp_ctype *type;
    const char *label;
    unsigned depth;
    bool opaque;
};

static const struct rp_ctype *derive(struct rp_arena *arena, enum rp_ctype_kind kind,
                                     const struct rp_ctype *of) {
    struct rp_ctype *type = rp_alloc(arena, 1, sizeof *type);
    *type = (struct rp_ctype){.kind = kind, .of = of};
    return type;
}

static void take_params(struct declarator *declarator, struct rp_cdecl_range group,
                        struct rp_ctype *function);

/* Takes [ ... ]: a constant, or an earlier parameter. Anything else is not known. */
static void take_dimension(struct rp_cdecl_scope *scope, struct rp_cdecl_range *range,
                           struct rp_ctype *array) {
    struct rp_cdecl_range inside = take_group(range);
    struct specifiers ignored = {0};
    while (inside.at != inside.end && inside.at->kind == RP_CTOKEN_WORD &&
           take_qualifier(scope->arena, &inside, &ignored))
        ;
    const struct rp_ctype *function = scope->function;
    for (size_t i = 0; function != NULL && i < function->param_count; i++)
        if (inside.end - inside.at == 1 && rp_ctoken_is(inside.at, function->params[i].name))
            array->counted_by = function->params[i].name;
    const struct rp_cdecl_range whole = inside;
    int64_t value = 0;
    if (!rp_cdecl_eval(scope, &inside, &value) || inside.at != inside.end)
        array->unread =
            whole.at != whole.end && array->counted_by == NULL
                ? rp_strndup(scope->arena, whole.at->at,
                             (size_t)(whole.end[-1].at + whole.end[-1].len - whole.at->at))
                : NULL;
    else if (value > 0 && value <= UINT32_MAX)
        array->count = (uint64_t)value;
}

/* Takes what follows a name: dimensions, of which the first is the outermost, or parameters. */
static const struct rp_ctype *take_suffixes(struct declarator *declarator,
                                            struct rp_cdecl_range *range,
                                            const struct rp_ctype *base) {
    struct rp_arena *arena = declarator->scope->arena;
    struct specifiers ignored = {0};
    if (++declarator->depth > DEPTH_MAX) {
        declarator->opaque = true;
        range->at = range->end;
        return base;
    }
    if (at_is(range, "[")) {
        struct rp_ctype *array = rp_alloc(arena, 1, sizeof *array);
        *array = (struct rp_ctype){.kind = RP_CTYPE_ARRAY};
        take_dimension(declarator->scope, range, array);
        array->of = take_suffixes(declarator, range, base);
        return array;
    }
    if (at_is(range, "(")) {
        struct rp_ctype *function = rp_alloc(arena, 1, sizeof *function);
        *function = (struct rp_ctype){.kind = RP_CTYPE_FUNCTION};
        take_params(declarator, take_group(range), function);
        function->of = take_suffixes(declarator, range, base);
        return function;
    }
    while (range->at != range->end && take_qualifier(arena, range, &ignored))
        declarator->opaque = declarator->opaque || ignored.opaque;
    if (ignored.label != NULL)
        declarator->label = ignored.label;
    return base;
}

static void take_declarator(struct declarator *declarator, struct rp_cdecl_range *range,
                            const struct rp_ctype *base);

/* Does the ( at range->at enclose a declarator rather than parameters? */
static bool groups(const struct declarator *declarator, const struct rp_cdecl_range *range) {
    struct rp_cdecl_range inside = {range->at + 1, range->end};
    if (inside.at == inside.end)
        return false;
    static const char *const starts[] = {"*", "&", "&&", "(", "[", NULL};
    if (rp_ctoken_is_any(inside.at, starts))
        return true;
    struct words ignored = {0};
    return inside.at->kind == RP_CTOKEN_WORD && !take_basic(&ignored, inside.at) &&
           !is_tag_keyword(inside.at) && find_typedef(declarator->scope, inside.at) == NULL &&
           inside.at + 1 != inside.end && rp_ctoken_is(inside.at + 1, ")");
}

static void take_declarator(struct declarator *declarator, struct rp_cdecl_range *range,
                            const struct rp_ctype *base) {
    struct rp_arena *arena = declarator->scope->arena;
    if (++declarator->depth > DEPTH_MAX) {
        declarator->opaque = true;
        range->at = range->end;
    }
    while (range->at != range->end) {
        struct specifiers spec = {0};
        if (at_is(range, "*")) {
            base = derive(arena, RP_CTYPE_POINTER, base);
            range->at++;
        } else if (at_is(range, "&") || at_is(range, "&&")) { /* of C++ */
            declarator->opaque = true;
            range->at++;
        } else if (take_qualifier(arena, range, &spec)) {
            declarator->opaque = declarator->opaque || spec.opaque;
            if (spec.is_const)
                base = rp_ctype_as_const(arena, base);
        } else {
            break;
        }
    }
    struct rp_cdecl_range inner = {0};
    if (at_is(range, "(") && groups(declarator, range)) {
        inner = take_group(range);
    } else if (range->at != range->end && range->at->kind == RP_CTOKEN_WORD) {
        declarator->name = word_of(arena, range->at++);
    }
    declarator->type = take_suffixes(declarator, range, base);
    if (inner.at != NULL)
        take_declarator(declarator, &inner, declarator->type);
}

/* The end of a list item: the next comma outside of all brackets. */
static const struct rp_ctoken *item_end(struct rp_cdecl_range range) {
    while (range.at != range.end && !at_is(&range, ",")) {
        if (at_is(&range, "(") || at_is(&range, "["))
            skip_group(&range);
        else
            range.at++;
    }
    return range.at;
}

/* A function as a parameter is a pointer to it. An array keeps its outermost dimension. */
static void take_param(struct rp_cdecl_scope *scope, struct rp_cdecl_range range, unsigned depth,
                       struct rp_cparam *param) {
    struct specifiers spec = {0};
    struct declarator declarator = {.scope = scope, .name = "", .depth = depth};
    take_specifiers(scope, &range, &spec);
    take_declarator(&declarator, &range, spec.type);
    if (range.at != range.end || declarator.opaque)
        declarator.type = &rp_ctype_unknown;
    param->name = declarator.name;
    param->type = declarator.type->kind == RP_CTYPE_FUNCTION
                      ? derive(scope->arena, RP_CTYPE_POINTER, declarator.type)
                      : declarator.type;
}

static void take_params(struct declarator *declarator, struct rp_cdecl_range group,
                        struct rp_ctype *function) {
    const struct rp_ctype *outer = declarator->scope->function;
    struct rp_arena *arena = declarator->scope->arena;
    size_t most = 1;
    for (const struct rp_ctoken *at = group.at; at != group.end; at++)
        most += rp_ctoken_is(at, ",");
    struct rp_cparam *params = rp_alloc(arena, most, sizeof *params);
    function->params = params;
    function->params_unknown = group.at == group.end;
    if (declarator->depth > DEPTH_MAX - 2 || function->params_unknown ||
        (group.at + 1 == group.end && rp_ctoken_is(group.at, "void"))) {
        declarator->opaque = declarator->opaque || declarator->depth > DEPTH_MAX - 2;
        return;
    }
    declarator->scope->function = function;
    while (group.at != group.end) {
        struct rp_cdecl_range one = {group.at, item_end(group)};
        group.at = one.end != group.end ? one.end + 1 : one.end;
        if (at_is(&one, "..."))
            function->variadic = true;
        else {
            take_param(declarator->scope, one, declarator->depth + 1,
                       &params[function->param_count]);
            function->param_count++; /* from now on it hides constants of its name */
        }
    }
    declarator->scope->function = outer;
}

/* The type that the tokens name; NULL when they do not begin a type. */
static const struct rp_ctype *type_name(struct rp_cdecl_scope *scope,
                                        struct rp_cdecl_range tokens) {
    static const char *const qualifiers[] = {"const", "volatile", "__const", "signed", NULL};
    struct words ignored = {0};
    struct rp_cparam named = {"", &rp_ctype_unknown};
    bool is_type =
        tokens.at->kind == RP_CTOKEN_WORD &&
        (rp_ctoken_is_any(tokens.at, qualifiers) || is_tag_keyword(tokens.at) ||
         take_basic(&ignored, tokens.at) || named_type(scope, tokens.at)->kind != RP_CTYPE_UNKNOWN);
    if (!is_type)
        return NULL;
    if (scope->nested < NESTED_MAX) {
        scope->nested++;
        take_param(scope, tokens, 0, &named);
        scope->nested--;
    }
    return named.type;
}

struct rp_cdecl_scope rp_cdecl_start(struct rp_arena *arena) {
    return (struct rp_cdecl_scope){.arena = arena, .type_name = type_name};
}

/* ---- the declaration ---- */

/* With "const int n = 4", the value of n is a constant. */
static void note_constant(struct rp_cdecl_scope *scope, const struct rp_cparam *named,
                          struct rp_cdecl_range tokens, bool is_constexpr) {
    const struct rp_ctype *type = named->type;
    int64_t value;
    tokens.end = item_end(tokens);
    if (!at_is(&tokens, "=") || type->kind != RP_CTYPE_NUMBER || type->dtype->is_float ||
        !(type->is_const || is_constexpr))
        return;
    tokens.at++;
    unsigned bits = 8 * type->dtype->size_bytes - type->dtype->is_signed;
    bool known = rp_cdecl_eval(scope, &tokens, &value) && tokens.at == tokens.end && value >= 0 &&
                 (bits >= 32 || value < INT64_C(1) << bits);
    /* a name whose value is not known hides an older one */
    add_constant(scope, named->name, known ? value : INT64_MAX);
}

void rp_cdecl_read(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens,
                   struct rp_cdecl_declaration *out) {
    struct specifiers spec = {.flags = out};
    *out = (struct rp_cdecl_declaration){0};
    take_specifiers(scope, &tokens, &spec);
    while (tokens.at != tokens.end) {
        struct declarator declarator = {.scope = scope, .name = ""};
        take_declarator(&declarator, &tokens, spec.type);
        bool understood = tokens.at == tokens.end || at_is(&tokens, ",") || at_is(&tokens, "=");
        *RP_PUSH(scope->arena, &out->names) = (struct rp_cparam){
            declarator.name, declarator.opaque || !understood ? &rp_ctype_unknown : declarator.type,
            declarator.label};
        if (!out->is_typedef && declarator.name[0] != '\0')
            note_constant(scope, &out->names.items[out->names.count - 1], tokens,
                          out->is_constexpr);
        tokens.at = item_end(tokens); /* behind an initialiser, or the width of a bit-field */
        tokens.at += tokens.at != tokens.end;
    }
    for (size_t i = 0; out->is_typedef && i < out->names.count; i++)
        *RP_PUSH(scope->arena, &scope->types) = out->names.items[i];
}
