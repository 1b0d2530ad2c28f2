/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the function definitions of preprocessed C. See decl.h. */
#include "toolchain/cread/decl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/cread/decl_tokens.h"
#include "toolchain/cread/decl_type.h"
#include "toolchain/cread/old_style.h"
#include "toolchain/cread/reduce.h"
#include "toolchain/cread/token.h"
#include "toolchain/cread/type.h"
#include "toolchain/cread/ucn.h"

/* C++: what declarations are in. Deeper ones are not read. */
enum { BLOCKS_MAX = 16, OWN_MAX = 64 };
struct block {
    enum { NO_BLOCK, LINKAGE_BLOCK, NAMESPACE_BLOCK, CLASS_BLOCK } kind;
    const char *prefix;      /* "a::b::" of the names in it */
    size_t types, constants; /* of the scope when it began: what it declares ends with it */
};

struct parser {
    struct rp_csource source; /* path and line follow the line markers */
    bool system;              /* inside a system header */
    struct rp_strings own;    /* files that call themselves system headers */
    struct rp_arena *arena;
    struct rp_ctokens decl; /* the one that is being read; { stands for a body or an initialiser */
    size_t params_at; /* of a definition in the style of K&R: where its parameters are declared, or
                         0 */
    size_t unit_at;   /* of out->declared: where this text begins */
    struct rp_cdecl_scope scope;
    struct rp_functions *out;
    bool cplusplus;
    struct block blocks[BLOCKS_MAX]; /* C++: open ones */
    unsigned block_count;
    unsigned linkage_blocks;   /* those of them that are extern "C" { */
    struct rp_strings c_names; /* C++: declared extern "C" */
    struct {                   /* names that the assembler gives functions and variables */
        struct {
            const char *name;
            const char *label;
        } * items;
        size_t count;
        size_t capacity;
    } labels;
};

/* ---- tokens ---- */

static const char *find_label(const struct parser *parser, const char *name) {
    for (size_t i = 0; i < parser->labels.count; i++)
        if (strcmp(parser->labels.items[i].name, name) == 0)
            return parser->labels.items[i].label;
    return NULL;
}

/* The first label counts: compilers refuse another one, or warn and ignore it. */
static void add_label(struct parser *parser, const char *name, const char *label) {
    if (find_label(parser, name) != NULL)
        return;
    parser->labels.items = rp_grow(parser->arena, parser->labels.items, parser->labels.count,
                                   &parser->labels.capacity, sizeof *parser->labels.items);
    parser->labels.items[parser->labels.count].name = name;
    parser->labels.items[parser->labels.count++].label = label;
}

/* Takes "#pragma redefine_extname name label". */
static void take_pragma(struct parser *parser, const struct rp_ctoken *directive) {
    struct rp_ctokens words = {0};
    rp_cdirective_split(parser->arena, directive, &words);
    const struct rp_ctoken *word = words.items;
    if (words.count >= 4 && rp_ctoken_is(&word[0], "pragma") &&
        rp_ctoken_is(&word[1], "redefine_extname") && word[2].kind == RP_CTOKEN_WORD &&
        word[3].kind == RP_CTOKEN_WORD)
        add_label(parser, rp_strndup(parser->arena, word[2].at, word[2].len),
                  rp_strndup(parser->arena, word[3].at, word[3].len));
}

/* "# 12 "file" 1 3": flag 3 marks a system header. Pragmas may name labels. */
static bool take_directive(void *owner, const struct rp_ctoken *directive) {
    struct parser *parser = owner;
    if (directive->kind != RP_CTOKEN_DIRECTIVE)
        return true;
    if (directive->len < 3 || directive->at[1] != ' ' ||
        !isdigit((unsigned char)directive->at[2])) {
        take_pragma(parser, directive);
        return true;
    }
    char *copy = rp_strndup(parser->arena, directive->at, directive->len);
    char *at = copy + 1;
    unsigned long number = strtoul(at, &at, 10);
    char *open = strchr(at, '"');
    char *close = strrchr(copy, '"');
    if (number == 0 || open == NULL || close == open)
        return true;
    *close = '\0';
    parser->source.lexer.line = (unsigned)number - 1; /* the newline that ends the marker counts */
    bool same = strcmp(parser->source.lexer.path, open + 1) == 0,
         marked = strstr(close + 1, " 3") != NULL;
    /* #pragma GCC system_header, in the middle of a file of the model */
    if (same && marked && !parser->system && parser->own.count < OWN_MAX)
        rp_strings_push(parser->arena, &parser->own, open + 1);
    if (!same)
        parser->source.lexer.path = open + 1;
    parser->system = marked && !rp_strings_have(&parser->own, open + 1);
    return true;
}

/* ---- declarations ---- */

/* The name in front of the parameters; NULL when there are none. */
static const char *function_name(const struct parser *parser) {
    size_t open = rp_decl_params(&parser->decl);
    if (open == 0)
        return NULL;
    const struct rp_ctoken *name = &parser->decl.items[open - 1];
    return rp_strndup(parser->arena, name->at, name->len);
}

/* ---- C++: whose names are not mangled ---- */

/* Does the declaration, or a block, begin with extern "C"? */
static bool has_c_linkage(const struct rp_ctokens *decl) {
    return decl->count >= 2 && rp_ctoken_is(&decl->items[0], "extern") &&
           rp_ctoken_is(&decl->items[1], "\"C\"");
}

static bool is_mangled(const struct parser *parser, const char *name) {
    return parser->cplusplus && parser->linkage_blocks == 0 && !has_c_linkage(&parser->decl) &&
           !rp_strings_have(&parser->c_names, name) && find_label(parser, name) == NULL;
}

static const struct block *inner_block(const struct parser *parser) {
    static const struct block file = {.prefix = ""};
    return parser->block_count != 0 ? &parser->blocks[parser->block_count - 1] : &file;
}

static bool is_word(const struct rp_ctoken *token, const char *text) {
    return token->kind == RP_CTOKEN_WORD && rp_ctoken_is(token, text);
}

/* "inline namespace a :: b", "template <...> class X final : public Y": its kind and the name. */
static struct block block_of(const struct parser *parser) {
    const struct rp_ctokens *decl = &parser->decl;
    struct block block = {.prefix = inner_block(parser)->prefix};
    struct rp_buf name = {.arena = parser->arena};
    unsigned angles = 0;
    size_t i = 0;
    if (decl->count == 2 && has_c_linkage(decl))
        block.kind = LINKAGE_BLOCK;
    for (; block.kind == NO_BLOCK && i < decl->count; i++) {
        const struct rp_ctoken *token = &decl->items[i];
        for (size_t k = 0; token->kind == RP_CTOKEN_PUNCT && k < token->len; k++) {
            angles += (unsigned)(token->at[k] == '<');
            angles -= (unsigned)(angles != 0 && token->at[k] == '>');
        }
        if (angles != 0)
            continue;
        if (is_word(token, "namespace"))
            block.kind = NAMESPACE_BLOCK;
        else if (is_word(token, "class") || is_word(token, "struct"))
            block.kind = CLASS_BLOCK;
        else if (is_word(token, "enum") || is_word(token, "union") || rp_ctoken_is(token, "(") ||
                 rp_ctoken_is(token, "="))
            break;
    }
    for (; block.kind > LINKAGE_BLOCK && i < decl->count; i++) {
        const struct rp_ctoken *token = &decl->items[i];
        bool parted = block.kind == NAMESPACE_BLOCK && rp_ctoken_is(token, ":");
        if (token->kind != RP_CTOKEN_WORD && !parted)
            break;
        if (name.len != 0 && token->kind == RP_CTOKEN_WORD && name.data[name.len - 1] != ':')
            break;
        rp_buf_append(&name, token->at, token->len);
    }
    if (block.kind == CLASS_BLOCK && /* the struct of a variable, or that a function returns */
        (name.len == 0 ||
         (i < decl->count && !rp_ctoken_is(&decl->items[i], ":") &&
          !rp_ctoken_is(&decl->items[i], "<") && !is_word(&decl->items[i], "final"))))
        block.kind = NO_BLOCK;
    if (block.kind > LINKAGE_BLOCK)
        block.prefix = rp_format(parser->arena, "%s%s::", block.prefix,
                                 name.len != 0 ? name.data : "{anonymous}");
    block.types = parser->scope.types.count;
    block.constants = parser->scope.constants.count;
    return block;
}

/* extern "C", namespaces and classes: true when the brace that was just read opened or closed one.
 */
static bool enter_block(struct parser *parser, const struct rp_ctoken *brace) {
    if (rp_ctoken_is(brace, "}") && parser->decl.count == 0 && parser->block_count != 0) {
        const struct block *closed = &parser->blocks[--parser->block_count];
        parser->linkage_blocks -= closed->kind == LINKAGE_BLOCK;
        if (closed->kind == LINKAGE_BLOCK)
            return true;
        parser->scope.types.count = closed->types;
        parser->scope.constants.count = closed->constants;
        return true;
    }
    struct block opened = rp_ctoken_is(brace, "{") && parser->block_count < BLOCKS_MAX
                              ? block_of(parser)
                              : (struct block){0};
    if (opened.kind == NO_BLOCK)
        return false;
    parser->blocks[parser->block_count++] = opened;
    parser->linkage_blocks += opened.kind == LINKAGE_BLOCK;
    if (opened.kind == NAMESPACE_BLOCK)
        rp_strings_push(parser->arena, &parser->out->namespaces,
                        rp_strndup(parser->arena, opened.prefix, strlen(opened.prefix) - 2));
    parser->decl.count = 0;
    return true;
}

static const char *qualified(const struct parser *parser, const char *name) {
    const char *prefix = inner_block(parser)->prefix;
    return prefix[0] == '\0' ? name : rp_format(parser->arena, "%s%s", prefix, name);
}

/* A member without what only C++ has before a name and after the parameters. */
static struct rp_cdecl_range plain_member(const struct parser *parser) {
    static const char *const before[] = {"virtual", "inline", "constexpr", "explicit", NULL};
    const struct rp_ctokens *decl = &parser->decl;
    struct rp_cdecl_range range = {decl->items, decl->items + decl->count};
    size_t open = inner_block(parser)->kind > LINKAGE_BLOCK ? rp_decl_params(decl) : 0;
    if (open == 0)
        return range;
    size_t close = rp_decl_closing(decl, open);
    range.end = close != 0 ? decl->items + close + 1 : range.end;
    while (range.at != range.end && rp_ctoken_is_any(range.at, before))
        range.at++;
    return range;
}

/* ---- what a declaration says ---- */

/* Describes a parameter as the tensor that it could be: type of its numbers, and dimensions. */
static void flatten(struct rp_arena *arena, const struct rp_cparam *from, struct rp_param *param) {
    const struct rp_ctype *type = from->type;
    *param = (struct rp_param){.name = from->name, .dims_complete = true};
    param->is_pointer = type->kind == RP_CTYPE_POINTER || type->kind == RP_CTYPE_ARRAY;
    if (type->kind == RP_CTYPE_POINTER) {
        param->dims_complete = false;
        type = type->of;
    }
    for (; type->kind == RP_CTYPE_ARRAY; type = type->of) {
        bool known = type->count != 0 && param->rank < RP_RANK_MAX;
        if (known)
            param->shape[param->rank++] = (uint32_t)type->count;
        param->dims_complete = param->dims_complete && known;
        param->unread = param->unread != NULL ? param->unread : type->unread;
    }
    param->is_const = type->is_const;
    param->is_record = type->kind == RP_CTYPE_RECORD;
    param->dtype = type->kind == RP_CTYPE_NUMBER ? type->dtype : NULL;
    param->type = type->name != NULL ? type->name : rp_ctype_text(arena, type, "");
}

static void take_function(struct parser *parser, unsigned line,
                          const struct rp_cdecl_declaration *declaration,
                          const struct rp_cparam *named) {
    struct rp_arena *arena = parser->arena;
    const struct rp_ctype *type = named->type;
    const struct rp_ctype *returns = type->of != NULL ? type->of : &rp_ctype_unknown;
    struct rp_function *function = RP_PUSH(arena, parser->out);
    *function = (struct rp_function){
        .name = qualified(parser, named->name),
        .linked = find_label(parser, named->name),
        .file = parser->source.lexer.path,
        .line = line,
        .type = type,
        .is_static = declaration->is_static,
        .is_weak = declaration->is_weak,
        .is_mangled = is_mangled(parser, named->name),
        .is_member = inner_block(parser)->kind == CLASS_BLOCK,
        .returns_void = returns->kind == RP_CTYPE_VOID,
        .returns = returns->kind == RP_CTYPE_NUMBER ? returns->dtype : NULL,
        .params = rp_alloc(arena, type->param_count + 1, sizeof *function->params),
        .param_count = type->param_count,
    };
    for (size_t i = 0; i < type->param_count; i++)
        flatten(arena, &type->params[i], &function->params[i]);
}

/* pcs("…"): the attribute, in any of its spellings. */
static bool has_pcs(const struct rp_ctokens *decl) {
    for (size_t i = 0; i + 2 < decl->count; i++)
        if ((rp_ctoken_is(&decl->items[i], "pcs") || rp_ctoken_is(&decl->items[i], "__pcs__")) &&
            rp_ctoken_is(&decl->items[i + 1], "(") && decl->items[i + 2].kind == RP_CTOKEN_STRING)
            return true;
    return false;
}

/*
 * "f(a, b)", where a and b are not types: the index after the parenthesis, where their declarations
 * follow in a definition in the style of K&R; 0 for any other declaration.
 */
static size_t find_old_style(struct parser *parser) {
    const struct rp_ctokens *decl = &parser->decl;
    size_t open = parser->cplusplus ? 0 : rp_decl_params(decl);
    size_t close = open != 0 ? rp_decl_closing(decl, open) : 0;
    for (size_t i = open + 1; i < close; i++) {
        bool name = (i - open) % 2 != 0;
        const struct rp_ctoken *token = &decl->items[i];
        if (name ? token->kind != RP_CTOKEN_WORD ||
                       parser->scope.type_name(&parser->scope,
                                               (struct rp_cdecl_range){token, token + 1}) != NULL
                 : !rp_ctoken_is(token, ","))
            return 0;
    }
    return close > open + 1 ? close + 1 : 0;
}

/* Does the ; that was just read end a parameter's declaration in a definition of K&R's style? */
static bool ends_parameter(struct parser *parser) {
    const struct rp_ctokens *decl = &parser->decl;
    if (parser->params_at == 0) {
        size_t at = find_old_style(parser);
        if (at == 0 || at >= decl->count || decl->items[at].kind != RP_CTOKEN_WORD ||
            rp_ctoken_takes_parentheses(&decl->items[at]))
            return false;
        parser->params_at = at;
    }
    return true;
}

/* Has this text a prototype of the function? It overrides a definition in the style of K&R. */
static bool has_prototype(const struct parser *parser, const char *name) {
    for (size_t i = parser->unit_at; i < parser->out->declared.count; i++) {
        const struct rp_declared *item = &parser->out->declared.items[i];
        if (item->type->kind == RP_CTYPE_FUNCTION && !item->type->params_unknown &&
            strcmp(item->name, name) == 0)
            return true;
    }
    return false;
}

static void read_declarators(struct parser *parser, bool body, struct rp_cdecl_declaration *found) {
    const struct rp_ctoken *items = parser->decl.items, *end = items + parser->decl.count;
    size_t at = body ? find_old_style(parser) : 0;
    if (at == 0)
        rp_cdecl_read(&parser->scope, plain_member(parser), found);
    else
        rp_cdecl_read_old_style(&parser->scope, (struct rp_cdecl_range){items, items + at},
                                (struct rp_cdecl_range){items + at, end},
                                has_prototype(parser, function_name(parser)), found);
}

/* Takes a definition whose body follows, or a declaration that ends in ;. */
static void take_declaration(struct parser *parser, unsigned line, bool body) {
    const struct rp_ctokens *decl = &parser->decl;
    struct rp_cdecl_declaration found;
    bool taken = false, pcs = has_pcs(decl);
    if (decl->count == 0)
        return;
    bool is_typedef = rp_ctoken_is(&decl->items[0], "typedef") ||
                      (decl->count > 1 && rp_ctoken_is(&decl->items[1], "typedef"));
    if (parser->system && !is_typedef) /* of system headers, only the types matter */
        return;
    read_declarators(parser, body, &found);
    if (parser->system)
        return;
    for (size_t i = 0; i < found.names.count && !found.is_typedef; i++) {
        const struct rp_cparam *named = &found.names.items[i];
        bool function = named->type->kind == RP_CTYPE_FUNCTION;
        if (named->name[0] == '\0')
            continue;
        if (named->label != NULL)
            add_label(parser, named->name, named->label);
        if (body && function) {
            take_function(parser, line, &found, named);
            taken = true;
        }
        bool scoped = inner_block(parser)->prefix[0] != '\0';
        if (!function || scoped || !is_mangled(parser, named->name))
            *RP_PUSH(parser->arena, &parser->out->declared) = (struct rp_declared){
                .name = qualified(parser, named->name),
                .linked = find_label(parser, named->name),
                .file = parser->source.lexer.path,
                .line = line,
                .type = named->type,
                .is_static = found.is_static,
                .is_definition = body || (!function && !found.is_extern),
                .is_weak = found.is_weak,
                .is_inline = function && (parser->cplusplus ? found.is_inline || found.is_constexpr
                                                            : found.is_inline && !found.is_extern),
                .is_cplusplus = parser->cplusplus,
                .has_pcs = function && pcs,
            };
        pcs = pcs && !function;
    }
    if (pcs) /* of a type, or of something that is not understood: it has no name here */
        *RP_PUSH(parser->arena, &parser->out->declared) =
            (struct rp_declared){.name = "",
                                 .file = parser->source.lexer.path,
                                 .line = line,
                                 .type = &rp_ctype_unknown,
                                 .has_pcs = true};
    /* a definition whose declarator is not understood still has a name */
    const char *name = body && !taken ? function_name(parser) : NULL;
    if (name != NULL)
        take_function(parser, line, &found,
                      &(struct rp_cparam){.name = name, .type = &rp_ctype_unknown});
}

/*
 * Does the { that was just read open a function's body, and not that of a struct, union, enum or
 * initialiser? In C++, words may stand between it and the parameters.
 */
static bool opens_body(const struct parser *parser) {
    const struct rp_ctokens *decl = &parser->decl;
    if (parser->params_at != 0)
        return rp_ctoken_is(&decl->items[decl->count - 1], ";");
    if (decl->count < 3 || (!rp_ctoken_is(&decl->items[decl->count - 1], ")") &&
                            !(parser->cplusplus && rp_decl_params(decl) != 0)))
        return false;
    unsigned depth = 0; /* a = in brackets is part of a comparison */
    for (size_t i = 0; i < decl->count; i++) {
        const struct rp_ctoken *token = &decl->items[i];
        depth += (unsigned)(rp_ctoken_is(token, "(") || rp_ctoken_is(token, "["));
        depth -= (unsigned)(depth != 0 && (rp_ctoken_is(token, ")") || rp_ctoken_is(token, "]")));
        if (depth == 0 && rp_ctoken_is(token, "="))
            return false;
    }
    return true;
}

/* Passes over what is in braces, but reads the constants of an enumeration. */
static bool take_braces(struct parser *parser) {
    struct rp_csource *source = &parser->source;
    const struct rp_ctoken *token = &source->token;
    unsigned line = token->line;
    if (!rp_decl_opens_enum(&parser->decl))
        return rp_csource_skip_braces(source, NULL);
    struct rp_ctokens body = {0};
    while (rp_csource_next(source) && !rp_ctoken_is(token, "}")) {
        if (token->kind == RP_CTOKEN_END)
            return rp_csource_fail(source, RP_E_INPUT, line, "a brace is not closed");
        *RP_PUSH(parser->arena, &body) = *token;
    }
    if (!rp_ctoken_is(token, "}"))
        return false;
    if (body.count != 0)
        rp_cdecl_read_enum(&parser->scope,
                           (struct rp_cdecl_range){body.items, body.items + body.count});
    return rp_csource_next(source);
}

/* "public:" */
static bool is_access_label(const struct parser *parser, const struct rp_ctoken *colon) {
    static const char *const words[] = {"public", "protected", "private", NULL};
    return inner_block(parser)->kind == CLASS_BLOCK && parser->decl.count == 1 &&
           rp_ctoken_is(colon, ":") && rp_ctoken_is_any(&parser->decl.items[0], words);
}

/* Reads one declaration or definition, and moves to the token after it. */
static bool read_declaration(struct parser *parser) {
    struct rp_csource *source = &parser->source;
    const struct rp_ctoken *token = &source->token;
    unsigned line = 0;
    parser->decl.count = parser->params_at = 0;
    while (token->kind != RP_CTOKEN_END) {
        if ((parser->cplusplus && enter_block(parser, token)) || is_access_label(parser, token)) {
            parser->decl.count = 0;
            line = 0;
            if (!rp_csource_next(source))
                return false;
            continue;
        }
        line = line != 0 ? line : token->line;
        if (rp_ctoken_is(token, ";") && !ends_parameter(parser)) {
            take_declaration(parser, line, false);
            /* a later definition has the linkage that this declaration gives the name */
            const char *name = parser->cplusplus ? function_name(parser) : NULL;
            if (name != NULL && !is_mangled(parser, name))
                rp_strings_push(parser->arena, &parser->c_names, name);
            return rp_csource_next(source);
        }
        const struct rp_ctoken here = *token;
        bool brace = rp_ctoken_is(token, "{"), body = brace && opens_body(parser);
        if (body)
            take_declaration(parser, line, true);
        if (rp_ctoken_is(token, "("))
            rp_decl_drop_parentheses(&parser->decl);
        if (!(brace ? take_braces(parser) : rp_csource_next(source)))
            return false;
        if (brace &&
            (body || parser->cplusplus)) /* nothing need follow the braces of a namespace */
            return true;
        *RP_PUSH(parser->arena, &parser->decl) = here;
    }
    return true;
}

bool rp_cdecl_functions(struct rp_arena *arena, const struct rp_c_text *text,
                        struct rp_functions *out, struct rp_error *err) {
    size_t len = text->len;
    const char *plain = rp_ucn_replace(arena, text->text, &len);
    struct parser parser = {
        .source = {.lexer = {.at = plain, .end = plain + len, .path = text->path, .line = 1},
                   .arena = arena,
                   .err = err,
                   .aside = take_directive,
                   .owner = &parser},
        .arena = arena,
        .out = out,
        .cplusplus = text->cplusplus,
        .unit_at = out->declared.count,
        .scope = rp_cdecl_start(arena),
    };
    parser.scope.cplusplus = text->cplusplus;
    bool ok = rp_csource_next(&parser.source);
    while (ok && parser.source.token.kind != RP_CTOKEN_END)
        ok = read_declaration(&parser);
    return ok;
}
