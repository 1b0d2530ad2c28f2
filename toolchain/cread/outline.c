/* SPDX-License-Identifier: Apache-2.0 */
/* What C text may define: see outline.h. */
#include "toolchain/cread/outline.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "toolchain/cread/token.h"

enum { NESTING_MAX = 64 };

/* An #if that is open: braces and parentheses where it began, and braces where a branch ended. */
struct branch {
    unsigned depth, parens, end;
    bool has_end;
};

struct scanner {
    struct rp_outline *out;
    struct rp_arena *arena;
    struct branch branches[NESTING_MAX];
    size_t nesting;
    unsigned depth;          /* of braces */
    unsigned parens;         /* of parentheses, outside of braces */
    unsigned groups;         /* of parentheses in this declaration, without those of attributes */
    size_t begin;            /* where the names of this declaration begin */
    struct rp_ctoken called; /* what is in front of the first of these groups */
    bool is_attribute, is_asm, is_extern, is_typedef, is_variable, has_string;
    bool is_more; /* than a prototype: something is in front or behind that no prototype has */
    struct rp_ctoken last, before; /* tokens at file scope */
};

/* ---- texts ---- */

static bool contains(const char *text, size_t len, const char *part) {
    return memmem(text, len, part, strlen(part)) != NULL;
}

/* Adds all identifiers of a text, whatever is between them. */
static void add_words(struct rp_arena *arena, struct rp_strings *out, const char *at, size_t len) {
    const char *end = at + len;
    while (at < end) {
        const char *word = at;
        while (at < end &&
               (isalnum((unsigned char)*at) || *at == '_' || (unsigned char)*at >= 0x80))
            at++;
        if (at != word && !isdigit((unsigned char)*word))
            rp_strings_push(arena, out, rp_strndup(arena, word, (size_t)(at - word)));
        at += at == word;
    }
}

/* Assembly in a string, which may define what no C declares; capitals are the same to it. */
static bool defines_symbols(const char *text, size_t len) {
    static const char *const marks[] = {".glob", ".weak",  ".set", ".equ",     ".thumb_set",
                                        ".comm", ".macro", ".irp", ".include", ".symver"};
    for (const char *at = text; (at = memchr(at, '.', (size_t)(text + len - at))) != NULL; at++)
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            size_t mark = strlen(marks[i]);
            if (mark <= (size_t)(text + len - at) && strncasecmp(at, marks[i], mark) == 0)
                return true;
        }
    return false;
}

/* ---- directives ---- */

static void begin_branch(struct scanner *scanner) {
    if (scanner->nesting == NESTING_MAX) {
        scanner->out->unclear = true;
        return;
    }
    scanner->branches[scanner->nesting++] =
        (struct branch){.depth = scanner->depth, .parens = scanner->parens};
}

/* All branches have to end at the same depth. */
static void end_branch(struct scanner *scanner, bool is_last) {
    if (scanner->nesting == 0) {
        scanner->out->unclear = true;
        return;
    }
    struct branch *branch = &scanner->branches[scanner->nesting - 1];
    if (branch->has_end && branch->end != scanner->depth)
        scanner->out->unclear = true;
    branch->end = scanner->depth;
    branch->has_end = true;
    if (is_last)
        scanner->nesting--;
    else {
        scanner->depth = branch->depth;
        scanner->parens = branch->parens;
    }
}

static void add_macro(struct scanner *scanner, const char *at, size_t len) {
    size_t name = 0;
    long braces = 0;
    while (name < len && (isalnum((unsigned char)at[name]) || at[name] == '_'))
        name++;
    struct rp_outline_macro *macro = RP_PUSH(scanner->arena, &scanner->out->macros);
    *macro = (struct rp_outline_macro){.name = rp_strndup(scanner->arena, at, name)};
    at += name;
    len -= name;
    for (size_t i = 0; i < len; i++) {
        braces += (at[i] == '{') - (at[i] == '}');
        macro->shapes = macro->shapes || braces < 0;
    }
    macro->shapes = macro->shapes || braces != 0;
    /* in an asm label, strings are put together */
    macro->pastes =
        contains(at, len, "##") || contains(at, len, "%:%:") || contains(at, len, "asm");
    scanner->out->unclear =
        scanner->out->unclear || strcmp(macro->name, "extern") == 0 ||
        strcmp(macro->name, "typedef") == 0 ||
        (memchr(at, '"', len) != NULL && defines_symbols(at, len)); /* used in braces, maybe */
    add_words(scanner->arena, &macro->words, at, len);
}

static void add_include(struct scanner *scanner, const char *at, size_t len) {
    const char *end = len != 0 ? memchr(at + 1, *at == '<' ? '>' : '"', len - 1) : NULL;
    if (len == 0 || (*at != '<' && *at != '"') || end == NULL)
        scanner->out->unclear = true; /* the name is a macro's */
    else
        rp_strings_push(scanner->arena, &scanner->out->includes,
                        rp_strndup(scanner->arena, at + 1, (size_t)(end - at) - 1));
}

static void take_directive(struct scanner *scanner, const struct rp_ctoken *token) {
    static const char *const harmless[] = {"undef", "error", "warning", "line", "ident", ""};
    const char *at = token->at + 1, *end = token->at + token->len;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t len = 0;
    while (at + len < end && isalpha((unsigned char)at[len]))
        len++;
    const char *rest = at + len;
    while (rest < end && (*rest == ' ' || *rest == '\t'))
        rest++;
    const char *word = rp_strndup(scanner->arena, at, len);
    size_t left = (size_t)(end - rest);
    if (strncmp(word, "if", 2) == 0)
        begin_branch(scanner);
    else if (strncmp(word, "el", 2) == 0)
        end_branch(scanner, false);
    else if (strcmp(word, "endif") == 0)
        end_branch(scanner, true);
    else if (strcmp(word, "define") == 0)
        add_macro(scanner, rest, left);
    else if (strncmp(word, "include", 7) == 0 || strcmp(word, "import") == 0)
        add_include(scanner, rest, left);
    else if (strcmp(word, "pragma") == 0)
        scanner->out->unclear = scanner->out->unclear || contains(rest, left, "weak") ||
                                contains(rest, left, "redefine_extname");
    else {
        bool known = false;
        for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
            known = known || strcmp(word, harmless[i]) == 0;
        scanner->out->unclear = scanner->out->unclear || !known;
    }
}

/* ---- declarations ---- */

static bool is_asm(const struct rp_ctoken *token) {
    static const char *const words[] = {"__asm__", "__asm", "asm", NULL};
    return rp_ctoken_is_any(token, words);
}

static bool is_attribute(const struct rp_ctoken *token) {
    static const char *const asserts[] = {"_Static_assert", "static_assert", NULL};
    return rp_ctoken_takes_parentheses(token) || rp_ctoken_is_any(token, asserts);
}

/* Ends a declaration. A mere declaration of a function or of an extern variable defines nothing. */
static void end_declaration(struct scanner *scanner, bool has_body) {
    bool is_prototype =
        !has_body && scanner->groups == 1 && !scanner->is_variable && !scanner->is_more;
    bool is_mere = !has_body && !scanner->is_variable && scanner->is_extern;
    if ((!is_prototype && !is_mere && !scanner->is_typedef) || scanner->has_string)
        for (size_t i = scanner->begin; i < scanner->out->names.count; i++)
            rp_strings_push(scanner->arena, &scanner->out->defined, scanner->out->names.items[i]);
    else if (scanner->called.kind == RP_CTOKEN_WORD)
        rp_strings_push(scanner->arena, &scanner->out->called,
                        rp_strndup(scanner->arena, scanner->called.at, scanner->called.len));
    scanner->begin = scanner->out->names.count;
    scanner->groups = 0;
    scanner->is_extern = scanner->is_typedef = scanner->is_variable = scanner->has_string = false;
    scanner->is_more = false;
    scanner->last = scanner->before = scanner->called = (struct rp_ctoken){0};
}

/* Does TYPE ( begin a declaration, rather than TYPE NAME (? */
static bool is_type_alone(const struct scanner *scanner) {
    static const char *const types[] = {"char",   "short",  "int",      "long",  "float",
                                        "double", "signed", "unsigned", "_Bool", NULL};
    static const char *const first[] = {"struct", "union", "enum", "const", "volatile", NULL};
    bool has_two = scanner->before.kind == RP_CTOKEN_WORD || rp_ctoken_is(&scanner->before, "*");
    return !has_two || rp_ctoken_is_any(&scanner->last, types) ||
           rp_ctoken_is_any(&scanner->before, first);
}

static void open_paren(struct scanner *scanner) {
    if (scanner->parens++ != 0)
        return;
    scanner->is_attribute = is_attribute(&scanner->last);
    scanner->is_asm = is_asm(&scanner->last);
    /* NAME(…)(…): a name that a macro makes, or a declarator that is not simple */
    if (scanner->is_attribute)
        return;
    if (scanner->groups++ != 0)
        scanner->is_variable = true;
    else {
        scanner->called = scanner->last;
        scanner->is_more = scanner->is_more || is_type_alone(scanner);
    }
}

static void take_punct(struct scanner *scanner, const struct rp_ctoken *token) {
    if (rp_ctoken_is(token, "(")) {
        open_paren(scanner);
    } else if (rp_ctoken_is(token, ")")) {
        scanner->parens -= scanner->parens != 0;
    } else if (scanner->parens != 0) {
        /* (*name)(…) is a variable */
        if (rp_ctoken_is(token, "*") && rp_ctoken_is(&scanner->last, "("))
            scanner->is_variable = true;
    } else if (rp_ctoken_is(token, "=") || rp_ctoken_is(token, "[")) {
        scanner->is_variable = scanner->is_variable || rp_ctoken_is(token, "=");
        scanner->is_more = true;
    } else if (rp_ctoken_is(token, ",")) {
        scanner->is_variable = scanner->is_variable || scanner->groups != 0;
    } else if (rp_ctoken_is(token, "{")) {
        /* extern "C" { is no body */
        if (scanner->last.kind != RP_CTOKEN_STRING || !rp_ctoken_is(&scanner->before, "extern"))
            scanner->depth++;
        else
            end_declaration(scanner, false);
    } else if (rp_ctoken_is(token, ";")) {
        end_declaration(scanner, false);
    }
}

/* A label of asm that is made of parts, or has escapes: it is not a name as it stands. */
static bool is_part_of_label(const struct scanner *scanner, const struct rp_ctoken *token) {
    bool beside = scanner->last.kind == RP_CTOKEN_STRING || scanner->last.kind == RP_CTOKEN_WORD;
    return scanner->is_asm && scanner->parens != 0 &&
           (beside || (token->kind == RP_CTOKEN_STRING && memchr(token->at, '\\', token->len)));
}

static void take_at_file_scope(struct scanner *scanner, const struct rp_ctoken *token) {
    if (token->kind == RP_CTOKEN_WORD) {
        rp_strings_push(scanner->arena, &scanner->out->names,
                        rp_strndup(scanner->arena, token->at, token->len));
        scanner->is_extern = scanner->is_extern || rp_ctoken_is(token, "extern");
        scanner->is_typedef = scanner->is_typedef || rp_ctoken_is(token, "typedef");
        /* f(a) int a; {, and macros that are a body */
        scanner->is_more = scanner->is_more ||
                           (scanner->parens == 0 && scanner->groups != 0 && !is_attribute(token));
        scanner->out->unclear = scanner->out->unclear || is_part_of_label(scanner, token);
    } else if (token->kind == RP_CTOKEN_STRING) {
        bool is_linkage = rp_ctoken_is(&scanner->last, "extern");
        scanner->has_string = scanner->has_string || !is_linkage;
        scanner->out->unclear = scanner->out->unclear || defines_symbols(token->at, token->len) ||
                                is_part_of_label(scanner, token);
        if (!is_linkage)
            add_words(scanner->arena, &scanner->out->names, token->at, token->len);
    } else if (token->kind == RP_CTOKEN_PUNCT) {
        take_punct(scanner, token);
    }
    scanner->before = scanner->last;
    scanner->last = *token;
}

static void take_in_braces(struct scanner *scanner, const struct rp_ctoken *token) {
    if (token->kind == RP_CTOKEN_STRING)
        scanner->out->unclear = scanner->out->unclear || defines_symbols(token->at, token->len);
    if (rp_ctoken_is(token, "{"))
        scanner->depth++;
    if (!rp_ctoken_is(token, "}") || --scanner->depth != 0)
        return;
    /* a body ends a function; behind other braces, the declaration goes on to its semicolon */
    if (scanner->groups != 0 && !scanner->is_variable)
        end_declaration(scanner, true);
    else
        scanner->last = *token;
}

/* Of a name, or of the marks of comments. */
static bool is_part(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr("_$/*", c));
}

/* Is the backslash at *at the end of a line? gcc allows blanks behind it. *at: the next line. */
static bool ends_line(const char *text, size_t len, size_t *at) {
    size_t next = *at + 1;
    while (next < len && strchr(" \t\r\f\v", text[next]) != NULL && text[next] != '\0')
        next++;
    if (next >= len || text[next] != '\n')
        return false;
    *at = next + 1;
    return true;
}

/* Spellings that the scanner does not follow: digraphs, trigraphs, parts of names on two lines. */
static bool is_odd(const char *text, size_t len) {
    static const char *const odd[] = {"<%",   "%>",   "%:",  "?\?=", "?\?<",
                                      "?\?>", "?\?/", "\\u", "\\U"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (contains(text, len, odd[i]))
            return true;
    for (size_t i = 1; i < len; i++)
        if (text[i] == '\\' && is_part(text[i - 1])) {
            size_t next = i;
            while (next < len && text[next] == '\\' && ends_line(text, len, &next))
                continue;
            if (next != i && next < len && is_part(text[next]))
                return true;
        }
    return memchr(text, 0, len) != NULL;
}

void rp_outline_read(struct rp_outline *out, struct rp_arena *arena, const char *text, size_t len) {
    struct rp_clexer lexer = {.at = text, .end = text + len, .path = "", .line = 1};
    struct scanner scanner = {.out = out, .arena = arena};
    struct rp_ctoken token;
    bool ok;
    *out = (struct rp_outline){.unclear = len != 0 && is_odd(text, len)};
    while ((ok = rp_ctoken_next(&lexer, &token, NULL)) && token.kind != RP_CTOKEN_END)
        if (token.kind == RP_CTOKEN_DIRECTIVE)
            take_directive(&scanner, &token);
        else if (token.kind == RP_CTOKEN_COMMENT)
            continue;
        else if (scanner.depth != 0)
            take_in_braces(&scanner, &token);
        else
            take_at_file_scope(&scanner, &token);
    end_declaration(&scanner, true);
    out->unclear =
        out->unclear || !ok || scanner.depth != 0 || scanner.parens != 0 || scanner.nesting != 0;
    rp_strings_sort(&out->names);
    rp_strings_sort(&out->defined);
    rp_strings_sort(&out->called);
}
