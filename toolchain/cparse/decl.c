/* SPDX-License-Identifier: Apache-2.0 */
/* Function definitions of preprocessed C: see decl.h. */
#include "toolchain/cparse/decl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/cparse/decl_type.h"

struct lexer {
    const char *at;
    const char *end;
    const char *path; /* as the line markers say */
    unsigned line;
    bool system; /* inside a system header */
    struct rp_arena *arena;
    struct rp_error *err;
    bool failed;
};

/* ---- tokens ---- */

static bool lex_fail(struct lexer *lex, const char *what) {
    lex->failed = true;
    rp_fail(lex->err, RP_E_INPUT, "%s:%u: %s", lex->path, lex->line, what);
    return rp_fail_in(lex->err, lex->path, lex->line);
}

/* "# 12 "file" 1 3": flag 3 marks a system header. */
static void line_marker(struct lexer *lex, const char *line, size_t len) {
    char *copy = rp_strndup(lex->arena, line, len);
    char *at = copy + 1;
    unsigned long number = strtoul(at, &at, 10);
    char *open = strchr(at, '"');
    char *close = strrchr(copy, '"');
    if (number == 0 || open == NULL || close == open)
        return;
    *close = '\0';
    lex->line = (unsigned)number - 1; /* the newline that ends the marker counts */
    if (strcmp(lex->path, open + 1) != 0)
        lex->path = open + 1;
    lex->system = strstr(close + 1, " 3") != NULL;
}

static void skip_line(struct lexer *lex) {
    const char *newline = memchr(lex->at, '\n', (size_t)(lex->end - lex->at));
    const char *stop = newline != NULL ? newline : lex->end;
    if (stop - lex->at > 2 && lex->at[1] == ' ' && isdigit((unsigned char)lex->at[2]))
        line_marker(lex, lex->at, (size_t)(stop - lex->at));
    lex->at = stop;
}

static bool skip_comment(struct lexer *lex) {
    if (lex->at[1] == '/') {
        skip_line(lex);
        return true;
    }
    unsigned start = lex->line;
    for (lex->at += 2; lex->end - lex->at >= 2; lex->at++) {
        lex->line += *lex->at == '\n';
        if (lex->at[0] == '*' && lex->at[1] == '/') {
            lex->at += 2;
            return true;
        }
    }
    lex->line = start;
    return lex_fail(lex, "a comment is not closed");
}

static bool skip_blanks(struct lexer *lex) {
    while (lex->at < lex->end) {
        char c = *lex->at;
        if (c == '\n')
            lex->line++;
        if (isspace((unsigned char)c))
            lex->at++;
        else if (c == '#')
            skip_line(lex);
        else if (c == '/' && lex->end - lex->at > 1 && (lex->at[1] == '/' || lex->at[1] == '*')) {
            if (!skip_comment(lex))
                return false;
        } else
            return true;
    }
    return true;
}

static bool lex_string(struct lexer *lex, struct rp_cdecl_token *token) {
    char quote = *lex->at;
    token->kind = RP_CDECL_STRING;
    for (lex->at++; lex->at < lex->end && *lex->at != '\n'; lex->at++) {
        if (*lex->at == '\\' && lex->end - lex->at > 1)
            lex->at++;
        else if (*lex->at == quote) {
            lex->at++;
            token->len = (size_t)(lex->at - token->at);
            return true;
        }
    }
    return lex_fail(lex, "a string is not closed");
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool next(struct lexer *lex, struct rp_cdecl_token *token) {
    *token = (struct rp_cdecl_token){.kind = RP_CDECL_END};
    if (!skip_blanks(lex))
        return false;
    token->at = lex->at;
    if (lex->at == lex->end)
        return true;
    if (*lex->at == '"' || *lex->at == '\'')
        return lex_string(lex, token);
    if (!is_word(*lex->at)) {
        token->kind = RP_CDECL_PUNCT;
        lex->at++;
    } else {
        token->kind = isdigit((unsigned char)*lex->at) ? RP_CDECL_NUMBER : RP_CDECL_WORD;
        while (lex->at < lex->end &&
               (is_word(*lex->at) || (token->kind == RP_CDECL_NUMBER && *lex->at == '.')))
            lex->at++;
    }
    token->len = (size_t)(lex->at - token->at);
    return true;
}

/* Passes over { … } whose opening brace has been read; long initialisers make up the file. */
static bool skip_braces(struct lexer *lex) {
    unsigned start = lex->line;
    struct rp_cdecl_token token;
    for (unsigned depth = 1; depth != 0;) {
        lex->at = rp_cdecl_skip_dull(lex->at, lex->end);
        if (!next(lex, &token))
            return false;
        if (token.kind == RP_CDECL_END) {
            lex->line = start;
            return lex_fail(lex, "a brace is not closed");
        }
        if (token.kind == RP_CDECL_PUNCT)
            depth += (unsigned)(*token.at == '{') - (unsigned)(*token.at == '}');
    }
    return true;
}

/* ---- declarations ---- */

struct tokens {
    struct rp_cdecl_token *items;
    size_t count;
    size_t capacity;
};

struct parser {
    struct lexer lex;
    struct tokens decl; /* being read; { stands for a body or an initialiser */
    struct rp_cdecl_scope scope;
    struct rp_functions *out;
    bool cplusplus;
    unsigned linkage_blocks;   /* extern "C" { that are open */
    struct rp_strings c_names; /* C++: declared extern "C" */
};

static char *word_of(struct rp_arena *arena, const struct rp_cdecl_token *token) {
    return rp_strndup(arena, token->at, token->len);
}

static size_t matching(const struct tokens *decl, size_t open) {
    unsigned depth = 0;
    for (size_t i = open; i < decl->count; i++) {
        depth += (unsigned)rp_cdecl_is(&decl->items[i], "(") -
                 (unsigned)rp_cdecl_is(&decl->items[i], ")");
        if (depth == 0)
            return i;
    }
    return 0;
}

/* The index of the ( that opens the parameters: "name (" at the end of a declarator. */
static size_t find_params(const struct tokens *decl) {
    for (size_t i = 1; i < decl->count; i++) {
        if (!rp_cdecl_is(&decl->items[i], "(") || decl->items[i - 1].kind != RP_CDECL_WORD)
            continue;
        if (!rp_cdecl_takes_parentheses(&decl->items[i - 1]))
            return i;
        i = matching(decl, i);
        if (i == 0)
            return 0;
    }
    return 0;
}

/* ---- C++: whose names are not mangled ---- */

/* extern "C" before a declaration or {. */
static bool has_c_linkage(const struct tokens *decl) {
    return decl->count >= 2 && rp_cdecl_is(&decl->items[0], "extern") &&
           rp_cdecl_is(&decl->items[1], "\"C\"");
}

static bool is_mangled(const struct parser *parser, const char *name) {
    return parser->cplusplus && parser->linkage_blocks == 0 && !has_c_linkage(&parser->decl) &&
           !rp_strings_have(&parser->c_names, name);
}

/* A definition has the linkage that an earlier declaration gave the name. */
static void note_linkage(struct parser *parser) {
    size_t open = parser->cplusplus ? find_params(&parser->decl) : 0;
    if (open == 0)
        return;
    const char *name = word_of(parser->lex.arena, &parser->decl.items[open - 1]);
    if (!is_mangled(parser, name))
        rp_strings_push(parser->lex.arena, &parser->c_names, name);
}

/* ---- what a declaration says ---- */

/* The tensor that a parameter could be: the numbers that it is made of, and its dimensions. */
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
    }
    param->is_const = type->is_const;
    param->is_record = type->kind == RP_CTYPE_RECORD;
    param->dtype = type->kind == RP_CTYPE_NUMBER ? type->dtype : NULL;
    param->type = type->name != NULL ? type->name : rp_ctype_text(arena, type, "");
}

static void take_function(struct parser *parser, unsigned line,
                          const struct rp_cdecl_declaration *declaration,
                          const struct rp_cparam *named) {
    struct rp_arena *arena = parser->lex.arena;
    const struct rp_ctype *type = named->type;
    const struct rp_ctype *returns = type->of != NULL ? type->of : &rp_ctype_unknown;
    struct rp_function *function = RP_PUSH(arena, parser->out);
    *function = (struct rp_function){
        .name = named->name,
        .file = parser->lex.path,
        .line = line,
        .type = type,
        .is_static = declaration->is_static,
        .is_weak = declaration->is_weak,
        .is_mangled = is_mangled(parser, named->name),
        .returns_void = returns->kind == RP_CTYPE_VOID,
        .returns = returns->kind == RP_CTYPE_NUMBER ? returns->dtype : NULL,
        .params = rp_alloc(arena, type->param_count + 1, sizeof *function->params),
        .param_count = type->param_count,
    };
    for (size_t i = 0; i < type->param_count; i++)
        flatten(arena, &type->params[i], &function->params[i]);
}

/* Nothing but the types of system headers is of interest. */
static bool is_wanted(const struct parser *parser) {
    const struct tokens *decl = &parser->decl;
    if (!parser->lex.system)
        return decl->count != 0;
    return (decl->count > 0 && rp_cdecl_is(&decl->items[0], "typedef")) ||
           (decl->count > 1 && rp_cdecl_is(&decl->items[1], "typedef"));
}

/* A definition whose declarator is not understood still has a name. */
static void take_unread(struct parser *parser, unsigned line,
                        const struct rp_cdecl_declaration *found) {
    size_t open = find_params(&parser->decl);
    if (open == 0)
        return;
    const struct rp_cparam named = {word_of(parser->lex.arena, &parser->decl.items[open - 1]),
                                    &rp_ctype_unknown};
    take_function(parser, line, found, &named);
}

/* A definition, whose body follows, or a declaration that ended in ;. */
static void take_declaration(struct parser *parser, unsigned line, bool body) {
    struct rp_arena *arena = parser->lex.arena;
    struct rp_cdecl_declaration found;
    if (!is_wanted(parser))
        return;
    const struct tokens *decl = &parser->decl;
    const struct rp_cdecl_range range = {decl->items, decl->items + decl->count};
    bool taken = false;
    rp_cdecl_read(&parser->scope, range, &found);
    for (size_t i = 0; i < found.names.count && !found.is_typedef && !parser->lex.system; i++) {
        const struct rp_cparam *named = &found.names.items[i];
        bool function = named->type->kind == RP_CTYPE_FUNCTION;
        if (named->name[0] == '\0')
            continue;
        if (body && function) {
            take_function(parser, line, &found, named);
            taken = true;
        }
        if (!function || !is_mangled(parser, named->name))
            *RP_PUSH(arena, &parser->out->declared) = (struct rp_declared){
                .name = named->name,
                .file = parser->lex.path,
                .line = line,
                .type = named->type,
                .is_static = found.is_static,
                .is_definition = body || (!function && !found.is_extern),
                .is_weak = found.is_weak,
            };
    }
    if (body && !taken && !parser->lex.system)
        take_unread(parser, line, &found);
}

/*
 * Is the { that was just read a function's body? (A struct, union, enum or initialiser is not.) In
 * C++, words may stand between it and the parameters.
 */
static bool opens_body(const struct parser *parser) {
    const struct tokens *decl = &parser->decl;
    if (decl->count < 3 || (!rp_cdecl_is(&decl->items[decl->count - 1], ")") &&
                            !(parser->cplusplus && find_params(decl) != 0)))
        return false;
    unsigned depth = 0; /* a dimension may compare */
    for (size_t i = 0; i < decl->count; i++) {
        const struct rp_cdecl_token *token = &decl->items[i];
        depth += (unsigned)(rp_cdecl_is(token, "(") || rp_cdecl_is(token, "["));
        depth -= (unsigned)(depth != 0 && (rp_cdecl_is(token, ")") || rp_cdecl_is(token, "]")));
        if (depth == 0 && rp_cdecl_is(token, "="))
            return false;
    }
    return true;
}

/* Blocks and namespaces of C++: true when the brace that was just read is taken care of. */
static bool enter_block(struct parser *parser, const struct rp_cdecl_token *brace) {
    bool opens = rp_cdecl_is(brace, "{") && parser->decl.count == 2 && has_c_linkage(&parser->decl);
    bool closes = rp_cdecl_is(brace, "}") && parser->decl.count == 0 && parser->linkage_blocks != 0;
    if (opens)
        parser->linkage_blocks++;
    if (closes)
        parser->linkage_blocks--;
    if (opens)
        parser->decl.count = 0;
    return opens || closes;
}

/* Passes over what stands in braces; of an enumeration, the constants are kept. */
static bool take_braces(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    const struct tokens *decl = &parser->decl;
    size_t count = decl->count;
    bool is_enum = (count > 0 && rp_cdecl_is(&decl->items[count - 1], "enum")) ||
                   (count > 1 && rp_cdecl_is(&decl->items[count - 2], "enum"));
    if (!is_enum)
        return skip_braces(lex);
    struct tokens body = {0};
    struct rp_cdecl_token token;
    while (next(lex, &token) && token.kind != RP_CDECL_END && !rp_cdecl_is(&token, "}"))
        *RP_PUSH(lex->arena, &body) = token;
    if (lex->failed || token.kind == RP_CDECL_END)
        return lex->failed ? false : lex_fail(lex, "a brace is not closed");
    if (body.count != 0)
        rp_cdecl_read_enum(&parser->scope,
                           (struct rp_cdecl_range){body.items, body.items + body.count});
    return true;
}

/* Reads one declaration or definition; false at the end of the text or on an error. */
static bool read_declaration(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    unsigned line = 0;
    parser->decl.count = 0;
    for (struct rp_cdecl_token token; next(lex, &token) && token.kind != RP_CDECL_END;) {
        if (parser->cplusplus && enter_block(parser, &token)) {
            line = 0;
            continue;
        }
        if (line == 0)
            line = lex->line;
        if (rp_cdecl_is(&token, ";")) {
            take_declaration(parser, line, false);
            note_linkage(parser);
            return true;
        }
        if (!rp_cdecl_is(&token, "{")) {
            *RP_PUSH(lex->arena, &parser->decl) = token;
            continue;
        }
        bool body = opens_body(parser);
        if (body)
            take_declaration(parser, line, true);
        if (!take_braces(parser))
            return false;
        if (body || parser->cplusplus) /* nothing has to follow the braces of a namespace */
            return true;
        *RP_PUSH(lex->arena, &parser->decl) = token;
    }
    return false;
}

bool rp_cdecl_functions(struct rp_arena *arena, const struct rp_c_text *text,
                        struct rp_functions *out, struct rp_error *err) {
    struct parser parser = {
        .lex = {.at = text->text,
                .end = text->text + text->len,
                .path = text->path,
                .line = 1,
                .arena = arena,
                .err = err},
        .out = out,
        .cplusplus = text->cplusplus,
        .scope = {.arena = arena},
    };
    while (read_declaration(&parser))
        ;
    return !parser.lex.failed;
}
