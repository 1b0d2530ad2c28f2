/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions and r9: see code.h. */
#include "cli/pipeline/code.h"

#include <string.h>

#include "base/buf.h"
#include "elfpack/insn/code.h"
#include "elfpack/check/ends.h"
#include "elfpack/check/r9.h"
#include "toolchain/compile/series.h"

enum { ASKED_MAX = 12 };

/* Neural-ART builds do not use the vector extension, but the core has it. */
static uint32_t families_of(const struct rp_target *target) {
    bool single = target->fpu != NULL && strstr(target->fpu, "-sp-") != NULL;
    return rp_core_families(target->core, target->fpu != NULL,
                            !single || target->core->arch == RP_V81M_MAIN);
}

/* The text of one instruction, from the cross disassembler; "" when there is none. */
static const char *disassemble(const struct rp_package *package, const struct rp_stranger *at) {
    struct rp_arena *arena = package->arena;
    struct rp_build build = package->build;
    struct rp_strings argv = {0};
    const char *text;
    rp_strings_push(arena, &argv, rp_format(arena, "%sobjdump", build.options->cross_compile));
    RP_PUSH_WORDS(arena, &argv, "-D", "-j", ".flash");
    /* without the name of an architecture, it does not know the vector extension */
    if (at->insn.family != RP_FAMILY_ARM)
        RP_PUSH_WORDS(arena, &argv, "-marmv8.1-m.main", "-Mforce-thumb");
    rp_strings_push(arena, &argv, rp_format(arena, "--start-address=%u", at->address));
    rp_strings_push(arena, &argv,
                    rp_format(arena, "--stop-address=%u", at->address + at->insn.size));
    rp_strings_push(arena, &argv, package->linked.elf.path);
    if (!rp_build_ask(&build, &argv, &text, NULL))
        return "";
    /* "20000064:\tee30 0b00 \tvadd.f64\td0, d0, d0" is the last line */
    const char *line = strstr(text, rp_format(arena, "\n%x:\t", at->address));
    const char *code = line != NULL ? strchr(line, '\t') : NULL;
    const char *words = code != NULL ? strchr(code + 1, '\t') : NULL;
    if (words == NULL)
        return "";
    char *found = rp_strndup(arena, words + 1, strcspn(words + 1, "\n@;"));
    for (char *c = found; *c != '\0'; c++)
        *c = *c == '\t' ? ' ' : *c;
    for (size_t len = strlen(found); len != 0 && found[len - 1] == ' '; len--)
        found[len - 1] = '\0';
    return found;
}

static void refuse(const struct rp_package *package, const struct rp_code *code,
                   struct rp_error *err) {
    struct rp_arena *arena = package->arena;
    const struct rp_target *target = package->target;
    struct rp_strings flags = {0};
    struct rp_code_words words = {.core = rp_format(arena, "%s (%s, FPU: %s)", target->series,
                                                    target->core->cpu, target->fpu_text)};
    struct rp_buf hint = {.arena = package->arena};
    for (size_t i = 0; i < code->strangers.count && i < ASKED_MAX; i++)
        rp_strings_push(arena, &words.texts,
                        code->strangers.items[i].insn.family == RP_FAMILY_NONE
                            ? ""
                            : disassemble(package, &code->strangers.items[i]));
    rp_buf_puts(&hint, "compile what is named, or get it, for this core:");
    rp_target_flags(target, arena, &flags);
    for (size_t i = 0; i < flags.count; i++)
        rp_buf_printf(&hint, " %s", flags.items[i]);
    words.hint = hint.data;
    rp_code_check(code, arena, &words, err);
}

struct rp_verdict rp_package_check_code(struct rp_package *package, struct rp_error *err) {
    struct rp_code code = {.elf = &package->linked.elf,
                           .flash = package->placed.layout.parts.flash,
                           .map = &package->linked.map};
    rp_code_read(&code, package->arena, families_of(package->target));
    package->placed.code_bytes = rp_code_bytes(&code);
    if (code.stranger_count != 0) {
        refuse(package, &code, err);
        return rp_verdict(RP_FAILED);
    }
    struct rp_error open_end = {0}; /* an error about r9 comes first: it may be mended */
    /* before r9 is followed: it marks what lies behind code that has no end */
    const bool ends = rp_ends_check(&code, &package->placed.link.inputs, package->arena, &open_end);
    if (!rp_r9_check(&package->placed.layout, package->arena, &code, &package->placed.r9, err))
        return rp_verdict(RP_WRONG_R9);
    if (!ends)
        *err = open_end;
    return rp_verdict(ends ? RP_SETTLED : RP_FAILED);
}
