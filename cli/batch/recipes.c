/* SPDX-License-Identifier: Apache-2.0 */
/* What make and ninja read: see recipes.h. */
#include "cli/batch/recipes.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/quote.h"

enum { TEXT_MAX = 256 << 20 };
static const char MARK[] = "# Written by relocpack batch.";

void rp_recipes_words(struct rp_buf *out, const struct rp_strings *words) {
    for (size_t i = 0; i < words->count; i++)
        rp_buf_printf(out, "%s\n", rp_rsp_quote(out->arena, words->items[i]));
}

bool rp_recipes_put(struct rp_arena *arena, const char *path, const struct rp_buf *text,
                    struct rp_error *err) {
    struct rp_bytes old;
    if (rp_file_look(arena, path, TEXT_MAX, &old, NULL) && old.size == text->len &&
        memcmp(old.data, text->data, text->len) == 0)
        return true;
    return rp_file_write(path, text->data, text->len, err);
}

/* How make or ninja, for both of which $$ is a $, writes a # in the value of a variable. */
static const char make_hash[] = "$(HASH)", ninja_hash[] = "#";

/* A word for a shell. */
static bool put_word(struct rp_buf *out, const char *word, const char *hash, struct rp_error *err) {
    if (word[strcspn(word, "\r\n")] != '\0')
        return rp_fail(err, RP_E_USAGE, "'%s' has a line end, which no makefile can take", word);
    rp_buf_puts(out, " ");
    for (const char *c = rp_shell_quote(out->arena, word); *c != '\0'; c++)
        if (*c == '#')
            rp_buf_puts(out, hash);
        else
            rp_buf_printf(out, *c == '$' ? "$%c" : "%c", *c);
    return true;
}

static bool put_words(struct rp_buf *out, const struct rp_strings *words, const char *hash,
                      struct rp_error *err) {
    for (size_t i = 0; i < words->count; i++)
        if (!put_word(out, words->items[i], hash, err))
            return false;
    rp_buf_puts(out, "\n");
    return true;
}

/* This program and the words in front of it, as variables. */
static bool put_variables(struct rp_buf *out, const struct rp_strings *wrap, const char *hash,
                          struct rp_error *err) {
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct rp_strings program = {0};
    rp_strings_push(out->arena, &program,
                    len > 0 ? rp_strndup(out->arena, self, (size_t)len) : "relocpack");
    rp_buf_puts(out, "RELOCPACK =");
    if (!put_words(out, &program, hash, err))
        return false;
    rp_buf_puts(out, "WRAP =");
    return put_words(out, wrap, hash, err);
}

static bool is_foreign(struct rp_arena *arena, const char *path) {
    struct rp_bytes head;
    if (!rp_path_is_file(path))
        return access(path, F_OK) == 0;
    return !rp_file_look(arena, path, TEXT_MAX, &head, NULL) ||
           !rp_has_prefix((const char *)head.data, MARK);
}

static bool write_file(struct rp_arena *arena, const char *output, const char *name,
                       const struct rp_buf *text, struct rp_error *err) {
    const char *path = rp_path_join(arena, output, name);
    if (!is_foreign(arena, path))
        return rp_recipes_put(arena, path, text, err);
    rp_fail(err, RP_E_FOREIGN, "'%s' was there before, and no batch wrote it", path);
    return rp_hint(err, "give -o a folder of its own");
}

// clang-format off
/* The command of a cell. job: "-j1" where its compiler runs have no jobs to share. */
#define COMMAND(cell, job) \
    "$(WRAP) $(RELOCPACK) generate --options-file=\"$$PWD\"/" cell "/" RP_RECIPES_ARGS job \
    " > " cell "/cell.log 2>&1; code=$$?; echo $$code > " cell "/cell.exit; exit $$code\n"

/* With +, which hands the jobs on, make -n would run it. */
static const char make_rules[] =
    "\n\n"
    ".PHONY: all $(CELLS)\n"
    "all: $(CELLS)\n"
    "ifneq ($(strip $(WRAP)),)\n"
    "$(CELLS):\n"
    "\t@MAKEFLAGS= " COMMAND("$@", " -j1")
    "else ifeq (,$(findstring n,$(firstword -$(MAKEFLAGS))))\n"
    "$(CELLS):\n"
    "\t+@" COMMAND("$@", "")
    "else\n"
    "$(CELLS):\n"
    "\t" COMMAND("$@", "")
    "endif\n";
// clang-format on

/* " \\", line end, name: of each. */
static void put_cells(struct rp_buf *out, const struct rp_strings *names) {
    for (size_t i = 0; i < names->count; i++)
        rp_buf_printf(out, " \\\n  %s", names->items[i]);
}

static bool write_make(struct rp_arena *arena, const char *output, const struct rp_strings *names,
                       const struct rp_strings *wrap, struct rp_error *err) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(
        &out,
        "%s `make -f %s -kjN` makes what is not up to date, which each\n"
        "# job finds out for itself, from contents. Jobs share those of make, unless WRAP "
        "takes them elsewhere.\n",
        MARK, RP_RECIPES_MAKE);
    rp_buf_puts(&out, "HASH := \\#\n");
    if (!put_variables(&out, wrap, make_hash, err))
        return false;
    rp_buf_puts(&out, "CELLS :=");
    put_cells(&out, names);
    rp_buf_puts(&out, make_rules);
    return write_file(arena, output, RP_RECIPES_MAKE, &out, err);
}

/* The same text with ninja's spelling of variables. */
static void put_ninja_command(struct rp_buf *out) {
    for (const char *c = COMMAND("$cell", " -j1"); *c != '\0'; c++)
        if (rp_has_prefix(c, "$(")) {
            size_t len = strcspn(c, ")");
            rp_buf_printf(out, "$%.*s", (int)len - 2, c + 2);
            c += len;
        } else {
            rp_buf_append(out, c, 1);
        }
}

static bool write_ninja(struct rp_arena *arena, const char *output, const struct rp_strings *names,
                        const struct rp_strings *wrap, struct rp_error *err) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(
        &out,
        "%s `ninja -k 0` runs all jobs; each finds out for itself, from contents, whether\n"
        "# it is up to date. They have no jobs of their own.\n",
        MARK);
    if (!put_variables(&out, wrap, ninja_hash, err))
        return false;
    rp_buf_puts(&out, "rule cell\n  description = $cell\n  command = ");
    put_ninja_command(&out);
    for (size_t i = 0; i < names->count; i++)
        rp_buf_printf(&out, "build %s/cell: cell\n  cell = %s\n", names->items[i], names->items[i]);
    return write_file(arena, output, "build.ninja", &out, err);
}

bool rp_recipes_write(struct rp_arena *arena, const char *output, const struct rp_strings *names,
                      const struct rp_strings *wrap, struct rp_error *err) {
    return write_make(arena, output, names, wrap, err) &&
           write_ninja(arena, output, names, wrap, err);
}

bool rp_recipes_write_goals(struct rp_arena *arena, const char *output,
                            const struct rp_strings *names, struct rp_error *err) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(&out, "%s\n.PHONY: " RP_RECIPES_GOAL "\n" RP_RECIPES_GOAL ":", MARK);
    put_cells(&out, names);
    rp_buf_puts(&out, "\n");
    return write_file(arena, output, RP_RECIPES_GOALS, &out, err);
}
