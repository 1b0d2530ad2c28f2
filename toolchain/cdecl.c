/* SPDX-License-Identifier: Apache-2.0 */
/* Function definitions of preprocessed C: see cdecl.h. */
#include "toolchain/cdecl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum token_kind {
    TOK_END,
    TOK_WORD,
    TOK_NUMBER,
    TOK_STRING, /* string or character constant */
    TOK_PUNCT   /* one character */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t len;
};

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

static bool lex_string(struct lexer *lex, struct token *token) {
    char quote = *lex->at;
    token->kind = TOK_STRING;
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

static bool next(struct lexer *lex, struct token *token) {
    *token = (struct token){.kind = TOK_END};
    if (!skip_blanks(lex))
        return false;
    token->at = lex->at;
    if (lex->at == lex->end)
        return true;
    if (*lex->at == '"' || *lex->at == '\'')
        return lex_string(lex, token);
    if (!is_word(*lex->at)) {
        token->kind = TOK_PUNCT;
        lex->at++;
    } else {
        token->kind = isdigit((unsigned char)*lex->at) ? TOK_NUMBER : TOK_WORD;
        while (lex->at < lex->end &&
               (is_word(*lex->at) || (token->kind == TOK_NUMBER && *lex->at == '.')))
            lex->at++;
    }
    token->len = (size_t)(lex->at - token->at);
    return true;
}

static bool is(const struct token *token, const char *text) {
    return token->len == strlen(text) && memcmp(token->at, text, token->len) == 0;
}

/* Passes over { … } whose opening brace has been read; long initialisers make up the file. */
static bool skip_braces(struct lexer *lex) {
    unsigned start = lex->line;
    struct token token;
    for (unsigned depth = 1; depth != 0;) {
        lex->at = rp_cdecl_skip_dull(lex->at, lex->end);
        if (!next(lex, &token))
            return false;
        if (token.kind == TOK_END) {
            lex->line = start;
            return lex_fail(lex, "a brace is not closed");
        }
        if (token.kind == TOK_PUNCT)
            depth += (unsigned)(*token.at == '{') - (unsigned)(*token.at == '}');
    }
    return true;
}

/* ---- typedefs ---- */

struct typedef_list {
    struct {
        const char *name;
        const struct rp_dtype *dtype;
    } * items;
    size_t count;
    size_t capacity;
};

struct tokens {
    struct token *items;
    size_t count;
    size_t capacity;
};

struct parser {
    struct lexer lex;
    struct tokens decl; /* of the declaration being read, without bodies and initialisers */
    struct typedef_list types;
    struct rp_functions *out;
    bool cplusplus;
    unsigned linkage_blocks;   /* extern "C" { that are open */
    struct rp_strings c_names; /* C++: declared extern "C" */
};

static char *word_of(struct rp_arena *arena, const struct token *token) {
    return rp_strndup(arena, token->at, token->len);
}

static const struct rp_dtype *find_type(const struct parser *parser, const char *name) {
    for (size_t i = parser->types.count; i-- > 0;)
        if (strcmp(parser->types.items[i].name, name) == 0)
            return parser->types.items[i].dtype;
    return rp_dtype_find(name);
}

static bool is_qualifier(const struct token *token) {
    static const char *const words[] = {"const",     "volatile",      "restrict",   "__restrict",
                                        "static",    "extern",        "inline",     "__inline",
                                        "register",  "typedef",       "__inline__", "__restrict__",
                                        "_Noreturn", "__extension__", "__const"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(token, words[i]))
            return true;
    return false;
}

/* ---- array dimensions: sums and products of integers ---- */

enum { PARENTHESES_MAX = 64 }; /* more would only serve to exhaust the stack */

struct range {
    const struct token *at;
    const struct token *end;
    unsigned depth; /* of parentheses */
};

static bool eval_sum(struct range *range, int64_t *value);

static bool eval_atom(struct range *range, int64_t *value) {
    if (range->at == range->end)
        return false;
    if (is(range->at, "(")) {
        range->at++;
        if (++range->depth > PARENTHESES_MAX || !eval_sum(range, value) ||
            range->at == range->end || !is(range->at, ")"))
            return false;
        range->at++;
        range->depth--;
        return true;
    }
    if (range->at->kind != TOK_NUMBER || range->at->len > 12)
        return false;
    char digits[16] = {0};
    memcpy(digits, range->at->at, range->at->len);
    char *stop;
    *value = (int64_t)strtoull(digits, &stop, 0);
    range->at++;
    return stop[strspn(stop, "uUlL")] == '\0';
}

static bool eval_product(struct range *range, int64_t *value) {
    if (!eval_atom(range, value))
        return false;
    while (range->at != range->end && (is(range->at, "*") || is(range->at, "/"))) {
        bool times = is(range->at++, "*");
        int64_t right;
        if (!eval_atom(range, &right) || (!times && right == 0) || *value > UINT32_MAX ||
            right > UINT32_MAX || (times && right != 0 && *value > UINT32_MAX / right))
            return false;
        *value = times ? *value * right : *value / right;
    }
    return true;
}

static bool eval_sum(struct range *range, int64_t *value) {
    if (!eval_product(range, value))
        return false;
    while (range->at != range->end && (is(range->at, "+") || is(range->at, "-"))) {
        bool plus = is(range->at++, "+");
        int64_t right;
        if (!eval_product(range, &right))
            return false;
        *value = plus ? *value + right : *value - right;
        if (*value > UINT32_MAX || *value < 0)
            return false;
    }
    return true;
}

/* [ … ] at range->at; an empty or not constant dimension makes the shape incomplete. */
static void read_dimension(struct range *range, struct rp_param *param) {
    struct range inside = {range->at + 1, range->at + 1};
    while (inside.end != range->end && !is(inside.end, "]"))
        inside.end++;
    range->at = inside.end != range->end ? inside.end + 1 : inside.end;
    while (inside.at != inside.end && is_qualifier(inside.at))
        inside.at++;
    int64_t value = 0;
    bool known = eval_sum(&inside, &value) && inside.at == inside.end && value > 0 &&
                 value <= UINT32_MAX && param->rank < RP_RANK_MAX;
    if (known)
        param->shape[param->rank++] = (uint32_t)value;
    param->dims_complete = param->dims_complete && known;
    param->is_pointer = true;
}

/* ---- declarations ---- */

/* Never the name of a parameter: "long double" is not a long called double. */
static bool is_type_word(const char *word) {
    static const char *const words[] = {"char",  "short",    "int",    "long",  "signed",
                                        "float", "unsigned", "double", "_Bool", "_Complex"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* "const float in[1][4]", "float *restrict y". */
static void read_param(struct parser *parser, struct range range, struct rp_param *param) {
    struct rp_arena *arena = parser->lex.arena;
    char *type = rp_strdup(arena, "");
    *param = (struct rp_param){.name = "", .dims_complete = true};
    while (range.at != range.end) {
        const struct token *token = range.at;
        if (is(token, "[")) {
            read_dimension(&range, param);
            continue;
        }
        if (is(token, "*")) {
            param->is_pointer = true;
            param->dims_complete = false;
        } else if (is(token, "const") || is(token, "__const")) {
            param->is_const = param->is_const || !param->is_pointer;
        } else if (token->kind == TOK_WORD && !is_qualifier(token)) {
            char *word = word_of(arena, token);
            if (find_type(parser, type) != NULL && !is_type_word(word))
                param->name = word;
            else
                type = rp_format(arena, "%s%s%s", type, type[0] != '\0' ? " " : "", word);
        }
        range.at++;
    }
    param->dtype = find_type(parser, type);
    const char *last = strrchr(type, ' ');
    if (param->dtype == NULL && param->name[0] == '\0' && last != NULL) {
        param->name = last + 1; /* "half x": whatever half is, x is not part of it */
        type = rp_strndup(arena, type, (size_t)(last - type));
    }
    param->type = type;
}

static size_t matching(const struct tokens *decl, size_t open) {
    unsigned depth = 0;
    for (size_t i = open; i < decl->count; i++) {
        depth += (unsigned)is(&decl->items[i], "(") - (unsigned)is(&decl->items[i], ")");
        if (depth == 0)
            return i;
    }
    return 0;
}

/* Words whose parentheses are not a function's. */
static bool takes_parentheses(const struct token *token) {
    static const char *const words[] = {"__attribute__", "__attribute", "__asm__",    "__asm",
                                        "asm",           "_Alignas",    "__declspec", "__typeof__"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(token, words[i]))
            return true;
    return false;
}

/* The index of the ( that opens the parameters: "name (" at the end of a declarator. */
static size_t find_params(const struct tokens *decl) {
    for (size_t i = 1; i < decl->count; i++) {
        if (!is(&decl->items[i], "(") || decl->items[i - 1].kind != TOK_WORD)
            continue;
        if (!takes_parentheses(&decl->items[i - 1]))
            return i;
        i = matching(decl, i);
        if (i == 0)
            return 0;
    }
    return 0;
}

static void read_params(struct parser *parser, size_t open, size_t close,
                        struct rp_function *function) {
    const struct token *items = parser->decl.items;
    function->params = rp_alloc(parser->lex.arena, close - open, sizeof *function->params);
    unsigned depth = 0;
    size_t start = open + 1;
    for (size_t i = open + 1; i <= close; i++) {
        bool end = depth == 0 && (is(&items[i], ",") || i == close);
        depth += (unsigned)is(&items[i], "(") - (unsigned)(is(&items[i], ")") && i != close);
        if (!end)
            continue;
        struct range range = {&items[start], &items[i]};
        bool only_void = i == close && function->param_count == 0 &&
                         (start == i || (start + 1 == i && is(&items[start], "void")));
        if (!only_void)
            read_param(parser, range, &function->params[function->param_count++]);
        start = i + 1;
    }
}

/* ---- C++: whose names are not mangled ---- */

/* extern "C" before a declaration or {. */
static bool has_c_linkage(const struct tokens *decl) {
    return decl->count >= 2 && is(&decl->items[0], "extern") && is(&decl->items[1], "\"C\"");
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

/* The type that stands before a function's name, when it is a number's. */
static const struct rp_dtype *read_return(struct parser *parser, size_t name) {
    struct rp_arena *arena = parser->lex.arena;
    char *type = rp_strdup(arena, "");
    for (size_t i = 0; i < name; i++) {
        const struct token *token = &parser->decl.items[i];
        if (token->kind == TOK_PUNCT)
            return NULL;
        if (token->kind == TOK_WORD && !is_qualifier(token))
            type =
                rp_format(arena, "%s%s%s", type, type[0] != '\0' ? " " : "", word_of(arena, token));
    }
    return find_type(parser, type);
}

static void take_function(struct parser *parser, unsigned line) {
    const struct tokens *decl = &parser->decl;
    size_t open = find_params(decl);
    size_t close = open != 0 ? matching(decl, open) : 0;
    if (close == 0 || decl->items == NULL || parser->lex.system)
        return;
    struct rp_function *function = RP_PUSH(parser->lex.arena, parser->out);
    *function = (struct rp_function){.name = word_of(parser->lex.arena, &decl->items[open - 1]),
                                     .file = parser->lex.path,
                                     .line = line,
                                     .returns = read_return(parser, open - 1)};
    function->is_mangled = is_mangled(parser, function->name);
    for (size_t i = 0; i + 1 < open; i++) {
        function->is_static = function->is_static || is(&decl->items[i], "static");
        function->returns_void = function->returns_void || is(&decl->items[i], "void");
    }
    read_params(parser, open, close, function);
}

/* "typedef signed char __int8_t;" and the like: one type, one new name. */
static void take_typedef(struct parser *parser) {
    const struct tokens *decl = &parser->decl;
    struct rp_arena *arena = parser->lex.arena;
    char *type = rp_strdup(arena, "");
    if (decl->count < 3 || !is(&decl->items[0], "typedef"))
        return;
    for (size_t i = 1; i + 1 < decl->count; i++) {
        if (decl->items[i].kind != TOK_WORD)
            return;
        if (!is_qualifier(&decl->items[i]))
            type = rp_format(arena, "%s%s%s", type, type[0] != '\0' ? " " : "",
                             word_of(arena, &decl->items[i]));
    }
    const struct rp_dtype *dtype = find_type(parser, type);
    const struct token *name = &decl->items[decl->count - 1];
    if (dtype == NULL || name->kind != TOK_WORD)
        return;
    parser->types.items = rp_grow(arena, parser->types.items, parser->types.count,
                                  &parser->types.capacity, sizeof *parser->types.items);
    parser->types.items[parser->types.count].name = word_of(arena, name);
    parser->types.items[parser->types.count++].dtype = dtype;
}

/*
 * Is the { that was just read a function's body? (A struct, union, enum or initialiser is not.) In
 * C++, words may stand between it and the parameters.
 */
static bool opens_body(const struct parser *parser) {
    const struct tokens *decl = &parser->decl;
    if (decl->count < 3 ||
        (!is(&decl->items[decl->count - 1], ")") && !(parser->cplusplus && find_params(decl) != 0)))
        return false;
    for (size_t i = 0; i < decl->count; i++)
        if (is(&decl->items[i], "="))
            return false;
    return true;
}

/* Blocks and namespaces of C++: true when the brace that was just read is taken care of. */
static bool enter_block(struct parser *parser, const struct token *brace) {
    bool opens = is(brace, "{") && parser->decl.count == 2 && has_c_linkage(&parser->decl);
    bool closes = is(brace, "}") && parser->decl.count == 0 && parser->linkage_blocks != 0;
    if (opens)
        parser->linkage_blocks++;
    if (closes)
        parser->linkage_blocks--;
    if (opens)
        parser->decl.count = 0;
    return opens || closes;
}

/* Reads one declaration or definition; false at the end of the text or on an error. */
static bool read_declaration(struct parser *parser) {
    struct lexer *lex = &parser->lex;
    unsigned line = 0;
    parser->decl.count = 0;
    for (struct token token; next(lex, &token) && token.kind != TOK_END;) {
        if (parser->cplusplus && enter_block(parser, &token)) {
            line = 0;
            continue;
        }
        if (line == 0)
            line = lex->line;
        if (is(&token, ";")) {
            take_typedef(parser);
            note_linkage(parser);
            return true;
        }
        if (!is(&token, "{")) {
            *RP_PUSH(lex->arena, &parser->decl) = token;
            continue;
        }
        bool body = opens_body(parser);
        if (body)
            take_function(parser, line);
        if (!skip_braces(lex))
            return false;
        if (body || parser->cplusplus) /* nothing has to follow the braces of a namespace */
            return true;
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
    };
    while (read_declaration(&parser))
        ;
    return !parser.lex.failed;
}
