/* SPDX-License-Identifier: Apache-2.0 */
/* Names reserved for the glue and the linker script: see reserved.h. */
#include "elfpack/elf/reserved.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>

#include "base/path.h"

/* ---- linker scripts ---- */

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Finds KEEP(*(.name)): one section, without wildcards. */
static void add_kept(struct rp_reserved *reserved, struct rp_arena *arena, const char *script) {
    static const char keep[] = "KEEP(*(";
    for (const char *at = strstr(script, keep); at != NULL; at = strstr(at + 1, keep)) {
        const char *name = at + strlen(keep);
        size_t len = 0;
        while (is_name(name[len]))
            len++;
        if (len != 0 && strncmp(name + len, "))", 2) == 0)
            rp_strings_push(arena, &reserved->sections, rp_strndup(arena, name, len));
    }
}

/* Finds NAME = ...; at the start of a statement. */
static void add_assigned(struct rp_reserved *reserved, struct rp_arena *arena, const char *script) {
    for (const char *at = strstr(script, " = "); at != NULL; at = strstr(at + 1, " = ")) {
        size_t len = 0;
        while (at - len > script && is_name(*(at - len - 1)))
            len++;
        if (len != 0 && !(len == 1 && at[-1] == '.'))
            rp_strings_push(arena, &reserved->symbols, rp_strndup(arena, at - len, len));
    }
}

void rp_reserved_add_script(struct rp_reserved *reserved, struct rp_arena *arena,
                            const char *script) {
    add_kept(reserved, arena, script);
    add_assigned(reserved, arena, script);
}

/* ---- objects ---- */

struct adding {
    struct rp_reserved *reserved;
    struct rp_arena *arena;
};

static bool is_defined(const struct rp_symbol *symbol) {
    return symbol->bind != STB_LOCAL && symbol->section != SHN_UNDEF && symbol->name[0] != '\0';
}

static bool add_symbols(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    const struct adding *adding = opaque;
    (void)err;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        const struct rp_section *section = rp_symbol_section(elf, symbol);
        bool ours =
            rp_has_prefix(symbol->name, "rp_") || rp_has_prefix(symbol->name, "_rp_") ||
            (section != NULL && rp_strings_have(&adding->reserved->sections, section->name));
        if (ours && is_defined(symbol) && symbol->bind != STB_WEAK &&
            !rp_strings_have(&adding->reserved->symbols, symbol->name))
            rp_strings_push(adding->arena, &adding->reserved->symbols,
                            rp_strdup(adding->arena, symbol->name));
    }
    return true;
}

bool rp_reserved_add_object(struct rp_reserved *reserved, struct rp_arena *arena, const char *path,
                            struct rp_error *err) {
    struct adding adding = {reserved, arena};
    return rp_elf_each(arena, path, add_symbols, &adding, err);
}

/* what: "defines the symbol" */
static bool refuse(const struct rp_reserved_user *user, const struct rp_elf *elf, const char *what,
                   const char *name, struct rp_error *err) {
    bool member = elf->member != NULL;
    rp_fail(err, RP_E_RESERVED, "%s%s%s%s: it %s '%s', a name reserved for the image itself",
            user->shown, member ? "(" : "", member ? elf->member : "", member ? ")" : "", what,
            name);
    return rp_hint(
        err, "give it another name: the image's entry code or its linker script has a symbol or "
             "section of this name");
}

bool rp_reserved_check_elf(const struct rp_reserved *reserved, const struct rp_elf *elf,
                           const struct rp_reserved_user *user, struct rp_error *err) {
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        if ((section->flags & SHF_ALLOC) != 0 && section->size != 0 &&
            rp_strings_have(&reserved->sections, section->name) &&
            (user->allowed == NULL || strcmp(section->name, user->allowed) != 0))
            return refuse(user, elf, "defines the section", section->name, err);
    }
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        const char *name = symbol->name;
        bool listed = rp_strings_have(&reserved->symbols, name);
        bool ours = rp_has_prefix(name, "_rp_"); /* of the linker script and the boot code */
        if (is_defined(symbol) && (listed || ours || strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0))
            return refuse(user, elf, "defines the symbol", name, err);
        /* the script also defines labels of pools, but networks may refer to these */
        if (symbol->section == SHN_UNDEF && listed && (ours || rp_has_prefix(name, "rp_")))
            return refuse(user, elf, "refers to the symbol", name, err);
    }
    return true;
}

struct checking {
    const struct rp_reserved *reserved;
    const struct rp_reserved_user *user;
};

static bool check_object(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    const struct checking *checking = opaque;
    return rp_reserved_check_elf(checking->reserved, elf, checking->user, err);
}

bool rp_reserved_check(const struct rp_reserved *reserved, struct rp_arena *arena,
                       const struct rp_reserved_user *user, struct rp_error *err) {
    struct checking checking = {reserved, user};
    return rp_elf_each(arena, user->path, check_object, &checking, err);
}
