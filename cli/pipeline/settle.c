/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of compiling, linking and laying out, and what is decided between them: see settle.h. */
#include "cli/pipeline/settle.h"

#include <stdio.h>

#include "cli/pipeline/compile.h"
#include "cli/pipeline/link.h"
#include "cli/pipeline/open.h"
#include "cli/pipeline/place.h"
#include "cli/pipeline/r9.h"
#include "cli/terminal.h"
#include "toolchain/compile/compiler.h"

/* More than decisions can need, since each of them changes in one direction only. */
enum { ROUNDS_MAX = 16 };

/* Boot code that patches nothing, and a table that costs more than it saves, are left out. */
static struct rp_verdict judge_size(struct rp_package *package) {
    const struct rp_layout *layout = &package->placed.layout;
    const struct rp_decisions *decided = &package->decided;
    if (package->options->input.copy_only && decided->copy_only && !decided->tables &&
        layout->words.text_patches == 0)
        return rp_verdict(RP_PATCHES_NOTHING);
    if (layout->words.compact.count == 0)
        return rp_verdict(RP_SETTLED);
    package->settled.compact = (struct rp_compact_tried){
        .tried = true,
        .words = layout->words.rel.count - layout->words.listed.count,
        .table_bytes = 4 * layout->words.compact.count,
        .code_bytes = layout->tables.compact_code,
        .saved_bytes = rp_layout_compact_saves(layout),
    };
    return rp_verdict(package->settled.compact.saved_bytes > 0 ? RP_SETTLED : RP_SAVES_NOTHING);
}

static struct rp_verdict make_round(struct rp_package *package, struct rp_error *err) {
    bool quiet = package->options->console.quiet;
    rp_progress(quiet, "compiling");
    struct rp_verdict verdict = rp_package_compile(package, false, err);
    if (verdict.kind != RP_SETTLED)
        return verdict;
    rp_progress(quiet, "linking");
    verdict = rp_package_link(package, err);
    return verdict.kind == RP_SETTLED && !package->options->build.dry_run ? judge_size(package)
                                                                          : verdict;
}

/*
 * What follows from a verdict for the next round. False: nothing does, so the verdict is an error.
 * *fallback: what is decided if the next round fails.
 */
static bool decide(struct rp_package *package, const struct rp_verdict *verdict,
                   const struct rp_decisions **fallback) {
    struct rp_decisions *next = &package->decided;
    switch (verdict->kind) {
    case RP_NEEDS_SOURCES: /* package->sources has taken them */
        return true;
    case RP_NEEDS_R9:
        next->keep_r9 = verdict->units;
        return true;
    case RP_WRONG_R9:
        if (package->compiled.flags.free_r9)
            return rp_package_mend_r9(package, next, fallback);
        /* An archive's code has values of its own in r9 when it calls the model's. Where code is
           patched anyway, the model's own is patched too: it finds its data without r9 then. */
        if (!package->input.copy_only || next->absolute || package->input.compiler->is_clang)
            return false;
        next->absolute = true;
        return true;
    case RP_NEEDS_PATCHES:
        next->copy_only = next->tables = true;
        return true;
    case RP_PATCHES_NOTHING: /* what was tried has worked */
        next->copy_only = false;
        *fallback = NULL;
        return true;
    case RP_SAVES_NOTHING:
        next->compact = false;
        *fallback = NULL;
        return true;
    case RP_SETTLED:
    case RP_FAILED:
        break;
    }
    return false;
}

static void note_round(struct rp_package *package, enum rp_verdict_kind kind) {
    static const char *const reasons[] = {
        [RP_FAILED] = "what was tried last does not work",
        [RP_NEEDS_SOURCES] = "more sources of the folders are needed",
        [RP_NEEDS_R9] = "some units compute the address of the GOT in another way",
        [RP_WRONG_R9] = "a function that needs r9 is called with another value in it",
        [RP_NEEDS_PATCHES] = "tables of addresses stay with the code, which has to be patched",
        [RP_PATCHES_NOTHING] = "-r copy-only has nothing to patch",
        [RP_SAVES_NOTHING] = "the table of -r compact would cost more than it saves",
    };
    rp_strings_push(package->arena, &package->settled.rounds, reasons[kind]);
    if (package->options->console.verbose != 0)
        fprintf(stderr, "relocpack: building again: %s\n", reasons[kind]);
}

bool rp_package_settle(struct rp_package *package, struct rp_error *err) {
    const struct rp_decisions *fallback = NULL;
    for (unsigned rounds = 0; rounds < ROUNDS_MAX;) {
        struct rp_error why = {0};
        struct rp_verdict verdict = make_round(package, &why);
        if (verdict.kind == RP_SETTLED)
            return true;
        if (!decide(package, &verdict, &fallback)) {
            if (fallback == NULL) {
                *err = why;
                return false;
            }
            package->decided = *fallback;
            fallback = NULL;
            verdict.kind = RP_FAILED;
        }
        note_round(package, verdict.kind);
        if (verdict.kind != RP_NEEDS_SOURCES) /* each of these takes a source that waited */
            rounds++;
        rp_package_begin_round(package);
    }
    return rp_fail(err, RP_E_INTERNAL, "nothing is settled after %d rounds: %s", ROUNDS_MAX,
                   package->settled.rounds.items[package->settled.rounds.count - 1]);
}

bool rp_package_settle_static(struct rp_package *package, struct rp_error *err) {
    for (;;) {
        struct rp_error why = {0};
        const struct rp_verdict verdict = rp_package_compile(package, true, &why);
        if (verdict.kind == RP_SETTLED)
            return true;
        if (verdict.kind != RP_NEEDS_SOURCES) {
            *err = why;
            return false;
        }
        rp_package_begin_round(package);
    }
}
