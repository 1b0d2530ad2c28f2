/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses that clang's code reads from words: see rewrite.h. */
#include "toolchain/npu/rewrite.h"

#include <stdint.h>
#include <string.h>

#include "toolchain/cread/token.h"

/* ---- names ---- */

static size_t slot_of(const struct rp_npu_names *names, const char *name, size_t len) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    size_t at = (size_t)hash & (names->room - 1);
    while (names->slots[at].name != NULL &&
           (names->slots[at].len != len || memcmp(names->slots[at].name, name, len) != 0))
        at = (at + 1) & (names->room - 1);
    return at;
}

const struct rp_npu_name *rp_npu_names_find(const struct rp_npu_names *names, const char *name,
                                            size_t len) {
    if (names->count == 0)
        return NULL;
    const struct rp_npu_name *found = &names->slots[slot_of(names, name, len)];
    return found->name != NULL ? found : NULL;
}

void rp_npu_names_add(struct rp_npu_names *names, struct rp_arena *arena,
                      const struct rp_npu_name *name) {
    if (2 * names->count >= names->room) {
        struct rp_npu_names larger = {.room = names->room != 0 ? 2 * names->room : 32};
        larger.slots = rp_alloc(arena, larger.room, sizeof *larger.slots);
        for (size_t i = 0; i < names->room; i++)
            if (names->slots[i].name != NULL)
                larger.slots[slot_of(&larger, names->slots[i].name, names->slots[i].len)] =
                    names->slots[i];
        larger.count = names->count;
        *names = larger;
    }
    names->slots[slot_of(names, name->name, name->len)] = *name;
    names->count++;
}

/* ---- state ---- */

enum scope {
    SCOPE_FILE,  /* declarations, also those in extern "C" { } */
    SCOPE_BODY,  /* in a function */
    SCOPE_OTHER, /* in brackets of a declaration at file scope */
};

struct open {
    char close; /* the bracket that ends it */
    enum scope scope;
    unsigned line;
};

struct rewriting {
    struct rp_clexer lexer;
    struct rp_ctoken token;
    struct rp_ctoken before; /* the last one, without comments and directives */
    const char *copied;      /* all text before this is in out */
    struct rp_buf *out;
    struct rp_npu_names *names;
    struct rp_arena *arena;
    struct rp_error *err;
    struct {
        struct open *items;
        size_t count, capacity;
    } opens;
    struct {             /* the current declaration at file scope */
        bool assigned;   /* its = was read */
        bool tagged;     /* struct, union or enum, and its brace may follow */
        bool parameters; /* parentheses were read that are not an attribute's */
        bool linkage;    /* extern "C" */
        bool fixed;      /* static, or a pointer that is const: clang knows its value */
        const char *behind;
    } declared;
    size_t constant;  /* in a body: open brackets where a static declaration began, or 0 */
    bool initialises; /* its = was read */
    struct {
        struct rp_npu_name *items;
        size_t count, capacity;
    } whole;       /* the names that are not macros */
    bool inserted; /* lines were inserted: a #line in text that an #if leaves out has no effect */
};

static bool fail(struct rewriting *run, const struct rp_ctoken *token, const char *what) {
    return rp_fail(run->err, RP_E_INPUT, "%s:%u: %s '%.*s'", run->lexer.path, token->line, what,
                   (int)(token->len < 200 ? token->len : 200), token->at);
}

static enum scope scope_of(const struct rewriting *run) {
    return run->opens.count != 0 ? run->opens.items[run->opens.count - 1].scope : SCOPE_FILE;
}

static void copy_to(struct rewriting *run, const char *end) {
    rp_buf_append(run->out, run->copied, (size_t)(end - run->copied));
    run->copied = end;
}

/* The name that a word stands for; a member of a struct is not meant. */
static const struct rp_npu_name *name_of(const struct rp_npu_names *names,
                                         const struct rp_ctoken *word,
                                         const struct rp_ctoken *before) {
    if (word->kind != RP_CTOKEN_WORD || rp_ctoken_is(before, ".") || rp_ctoken_is(before, "->"))
        return NULL;
    return rp_npu_names_find(names, word->at, word->len);
}

/* Are these len bytes the beginning of a name, but not all of it? */
static bool begins_name(const struct rewriting *run, const struct rp_ctoken *word) {
    for (size_t i = 0; i < run->whole.count; i++)
        if (run->whole.items[i].len > word->len &&
            memcmp(run->whole.items[i].name, word->at, word->len) == 0)
            return true;
    return false;
}

static bool is_any_of(const struct rp_ctoken *token, const char *a, const char *b) {
    return rp_ctoken_is(token, a) || rp_ctoken_is(token, b);
}

/*
 * A name may be put together where it is used, as in JOIN(_mem_pool_, X), or continue on the next
 * line. lexer stands after the word.
 */
static bool is_piece(const struct rewriting *run, struct rp_clexer lexer,
                     const struct rp_ctoken *word, const struct rp_ctoken *before) {
    enum { LEAST = 3 }; /* shorter ones are too frequent */
    struct rp_ctoken next;
    if (word->kind != RP_CTOKEN_WORD || word->len < LEAST)
        return false;
    const char *behind = word->at + word->len;
    bool splice = behind < lexer.end && *behind == '\\';
    bool argument = is_any_of(before, "(", ",");
    if (!splice && !argument)
        return false;
    if (!rp_ctoken_next(&lexer, &next, NULL))
        return false;
    bool joined =
        splice && next.kind == RP_CTOKEN_WORD && next.line == word->line + 1 && next.at[-1] == '\n';
    return (joined || (argument && is_any_of(&next, ",", ")"))) && begins_name(run, word);
}

/* ---- macros ---- */

struct define {
    struct rp_clexer lexer; /* after the name */
    struct rp_ctoken name;
    const char *end;
    struct rp_buf body; /* the text after the name, with names replaced */
    bool holds;         /* some were */
};

/*
 * A macro that declares something static may need a constant, and one that joins the name to
 * another word means that word.
 */
static bool read_body(struct rewriting *run, struct define *define) {
    struct rp_ctoken token, before = {0}, constant = {0}, last = {0};
    const char *copied = define->name.at + define->name.len;
    for (;;) {
        if (!rp_ctoken_next(&define->lexer, &token, run->err))
            return false;
        if (rp_ctoken_is(&token, "##") && last.len != 0 && last.at == before.at)
            return fail(run, &last, "cannot tell what becomes of");
        if (token.kind == RP_CTOKEN_END)
            break;
        if (rp_ctoken_is(&token, "static"))
            constant = token;
        const struct rp_npu_name *name = name_of(run->names, &token, &before);
        if (name != NULL) {
            if (rp_ctoken_is(&before, "#") || rp_ctoken_is(&before, "##"))
                return fail(run, &token, "cannot tell what becomes of");
            rp_buf_append(&define->body, copied, (size_t)(token.at - copied));
            rp_buf_puts(&define->body, name->instead);
            copied = token.at + token.len;
            last = token;
        } else if (is_piece(run, define->lexer, &token, &before)) {
            return fail(run, &token, "cannot tell what becomes of");
        }
        if (token.kind != RP_CTOKEN_COMMENT)
            before = token;
    }
    rp_buf_append(&define->body, copied, (size_t)(define->end - copied));
    define->holds = last.len != 0;
    return !define->holds || constant.len == 0 ||
           fail(run, &last, "a macro with something static has");
}

/* Puts the second macro after the first. */
static void add_macro(struct rewriting *run, const struct define *define, bool known) {
    const struct rp_ctoken *name = &define->name;
    const char *twin = rp_format(run->arena, "rp_code_%.*s", (int)name->len, name->at);
    copy_to(run, define->end);
    rp_buf_printf(run->out, "\n#define %s", twin);
    rp_buf_append(run->out, define->body.data, define->body.len);
    rp_buf_printf(run->out, "\n#line %u", run->lexer.line + 1);
    run->inserted = true;
    if (!known)
        rp_npu_names_add(run->names, run->arena,
                         &(struct rp_npu_name){.name = rp_strndup(run->arena, name->at, name->len),
                                               .len = name->len,
                                               .instead = twin,
                                               .is_macro = true});
}

/* The next token of a directive, without comments. */
static bool next_of(struct define *define, struct rp_ctoken *token, struct rp_error *err) {
    do {
        if (!rp_ctoken_next(&define->lexer, token, err))
            return false;
    } while (token->kind == RP_CTOKEN_COMMENT);
    return true;
}

static bool take_define(struct rewriting *run, struct define *define) {
    if (!next_of(define, &define->name, run->err))
        return false;
    const struct rp_ctoken *name = &define->name;
    const struct rp_npu_name *known = rp_npu_names_find(run->names, name->at, name->len);
    if (known != NULL && !known->is_macro)
        return fail(run, name, "cannot tell what uses mean, because a macro has the name");
    bool ok = name->kind != RP_CTOKEN_WORD || read_body(run, define);
    if (ok && (define->holds || known != NULL))
        add_macro(run, define, known != NULL);
    return ok;
}

static bool take_directive(struct rewriting *run) {
    static const char *const branches[] = {"else", "elif", "endif", NULL};
    const struct rp_ctoken *directive = &run->token;
    struct define define = {
        .lexer = {directive->at + 1, directive->at + directive->len, run->lexer.path,
                  directive->line, true},
        .end = directive->at + directive->len,
        .body = {.arena = run->arena},
    };
    struct rp_ctoken word;
    /* what an #if leaves out may be any text */
    if (!next_of(&define, &word, NULL))
        return true;
    if (rp_ctoken_is(&word, "define"))
        return take_define(run, &define);
    if (run->inserted && rp_ctoken_is_any(&word, branches)) {
        copy_to(run, define.end);
        rp_buf_printf(run->out, "\n#line %u", run->lexer.line + 1);
    }
    return true;
}

/* ---- brackets ---- */

static bool scope_of_brace(struct rewriting *run, enum scope *scope) {
    if (run->declared.linkage && run->before.kind == RP_CTOKEN_STRING)
        *scope = SCOPE_FILE;
    else if (run->declared.assigned || run->declared.tagged)
        *scope = SCOPE_OTHER;
    else if (run->declared.parameters)
        *scope = SCOPE_BODY;
    else
        return fail(run, &run->token, "cannot tell what is opened by");
    return true;
}

static bool open_bracket(struct rewriting *run, char c) {
    enum scope scope = scope_of(run);
    bool outside = scope == SCOPE_FILE;
    if (outside) {
        bool attribute = c == '(' && rp_ctoken_takes_parentheses(&run->before);
        scope = SCOPE_OTHER;
        if (c == '{' && !scope_of_brace(run, &scope))
            return false;
        run->declared.parameters = run->declared.parameters || (c == '(' && !attribute);
        run->declared.tagged = run->declared.tagged && attribute;
    }
    if (outside && scope == SCOPE_FILE)
        memset(&run->declared, 0, sizeof run->declared);
    *RP_PUSH(run->arena, &run->opens) = (struct open){(char)(c == '('   ? ')'
                                                             : c == '[' ? ']'
                                                                        : '}'),
                                                      scope, run->token.line};
    return true;
}

static bool close_bracket(struct rewriting *run, char c) {
    if (run->opens.count == 0 || run->opens.items[run->opens.count - 1].close != c)
        return fail(run, &run->token, "nothing is open that is closed by");
    enum scope inside = run->opens.items[--run->opens.count].scope;
    if (scope_of(run) == SCOPE_FILE && inside != SCOPE_OTHER)
        memset(&run->declared, 0, sizeof run->declared);
    if (run->constant > run->opens.count)
        run->constant = 0;
    return true;
}

static void end_declaration(struct rewriting *run) {
    if (scope_of(run) == SCOPE_BODY && run->constant == run->opens.count)
        run->constant = 0;
    if (scope_of(run) != SCOPE_FILE)
        return;
    if (run->declared.assigned && run->declared.behind != NULL) {
        copy_to(run, run->lexer.at);
        rp_buf_puts(run->out, run->declared.behind);
    }
    memset(&run->declared, 0, sizeof run->declared);
}

static bool take_operator(struct rewriting *run) {
    char c = run->token.len == 1 ? *run->token.at : ' ';
    if (c == '(' || c == '[' || c == '{')
        return open_bracket(run, c);
    if (c == ')' || c == ']' || c == '}')
        return close_bracket(run, c);
    run->initialises = run->initialises || (c == '=' && run->constant != 0);
    if (c == ';') {
        end_declaration(run);
    } else if (scope_of(run) == SCOPE_FILE) {
        run->declared.assigned = run->declared.assigned || c == '=';
        run->declared.tagged = false;
    }
    return true;
}

/* ---- words ---- */

static void note_word(struct rewriting *run) {
    static const char *const tags[] = {"struct", "union", "enum", NULL};
    static const char *const storage[] = {"static", "extern", "typedef", "_Thread_local", NULL};
    enum scope scope = scope_of(run);
    if (scope == SCOPE_FILE && rp_ctoken_is_any(&run->token, tags))
        run->declared.tagged = true;
    if (scope == SCOPE_BODY && run->constant == 0 && rp_ctoken_is_any(&run->token, storage) &&
        run->opens.items[run->opens.count - 1].close == '}') {
        run->constant = run->opens.count;
        run->initialises = false;
    }
    if (scope == SCOPE_FILE &&
        (rp_ctoken_is(&run->token, "static") ||
         (rp_ctoken_is(&run->token, "const") && rp_ctoken_is(&run->before, "*"))))
        run->declared.fixed = true;
}

/*
 * static T *p = label: clang uses the value in place of p, so code has the address after all.
 * Tables, in braces, are nearly always read.
 */
static bool is_scalar_constant(const struct rewriting *run) {
    bool body = run->constant != 0;
    size_t from = run->constant;
    if (body ? !run->initialises : !run->declared.assigned || !run->declared.fixed)
        return false;
    while (!body && from < run->opens.count && run->opens.items[from].scope == SCOPE_FILE)
        from++; /* extern "C" */
    for (size_t i = from; i < run->opens.count; i++)
        if (run->opens.items[i].close != ')')
            return false;
    return true;
}

/* Words that an expression may follow; after any other word, a name is declared. */
static bool is_before_expression(const struct rp_ctoken *word) {
    static const char *const words[] = {"return", "sizeof",        "case",     "else", "do",
                                        "goto",   "__extension__", "_Alignof", NULL};
    return word->kind != RP_CTOKEN_WORD || rp_ctoken_is_any(word, words);
}

static bool take_word(struct rewriting *run) {
    const struct rp_npu_name *name = name_of(run->names, &run->token, &run->before);
    enum scope scope = scope_of(run);
    note_word(run);
    bool constant = scope != SCOPE_BODY || run->constant != 0;
    if (name == NULL && !constant && is_piece(run, run->lexer, &run->token, &run->before))
        return fail(run, &run->token, "cannot tell what becomes of");
    if (name == NULL)
        return true;
    if (constant && is_scalar_constant(run))
        return fail(run, &run->token, "code would have the address that a constant is set to:");
    if (scope == SCOPE_BODY && constant)
        return true;
    if (scope == SCOPE_FILE) {
        if (name->behind != NULL && !run->declared.assigned)
            run->declared.behind = name->behind;
        return true;
    }
    if (scope == SCOPE_OTHER)
        return run->declared.assigned || fail(run, &run->token, "cannot tell whether code uses");
    if (!is_before_expression(&run->before))
        return fail(run, &run->token, "a function has something else of the name");
    copy_to(run, run->token.at);
    rp_buf_puts(run->out, name->instead);
    run->copied = run->lexer.at;
    return true;
}

static bool take_token(struct rewriting *run) {
    switch (run->token.kind) {
    case RP_CTOKEN_COMMENT:
        return true;
    case RP_CTOKEN_DIRECTIVE:
        return take_directive(run);
    case RP_CTOKEN_WORD:
        if (!take_word(run))
            return false;
        break;
    case RP_CTOKEN_PUNCT:
        if (!take_operator(run))
            return false;
        break;
    case RP_CTOKEN_STRING:
        if (scope_of(run) == SCOPE_FILE && rp_ctoken_is(&run->before, "extern"))
            run->declared.linkage = true;
        break;
    case RP_CTOKEN_NUMBER:
    case RP_CTOKEN_CHAR:
    case RP_CTOKEN_END:
        break;
    }
    run->before = run->token;
    return true;
}

bool rp_npu_rewrite(struct rp_buf *out, struct rp_npu_names *names, struct rp_arena *arena,
                    const struct rp_aton_text *text, struct rp_error *err) {
    struct rewriting run = {
        .lexer = {text->bytes, text->bytes + text->size, text->path, 1, false},
        .copied = text->bytes,
        .out = out,
        .names = names,
        .arena = arena,
        .err = err,
    };
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i].name != NULL && !names->slots[i].is_macro)
            *RP_PUSH(arena, &run.whole) = names->slots[i];
    do {
        if (!rp_ctoken_next(&run.lexer, &run.token, err) || !take_token(&run))
            return false;
    } while (run.token.kind != RP_CTOKEN_END);
    copy_to(&run, run.lexer.end);
    if (run.opens.count == 0)
        return true;
    const struct open *last = &run.opens.items[run.opens.count - 1];
    return rp_fail(err, RP_E_INPUT, "%s:%u: the bracket that '%c' would close is not closed",
                   text->path, last->line, last->close);
}
