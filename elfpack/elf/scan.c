/* SPDX-License-Identifier: Apache-2.0 */
/* Examines objects and archives before the link: see scan.h. */
#include "elfpack/elf/scan.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/elf/authored.h"
#include "elfpack/elf/reloc.h"
#include "runtime/format/reloc_format.h"

struct context {
    struct rp_scan *scan;
    struct rp_arena *arena;
    const struct rp_scan_options *options;
};

static const char *file_of(const struct context *context, const struct rp_elf *elf) {
    return context->options->shown != NULL ? context->options->shown : elf->path;
}

static const char *origin(const struct context *context, const struct rp_elf *elf) {
    const char *file = file_of(context, elf);
    return elf->member != NULL ? rp_format(context->arena, "%s(%s)", file, elf->member) : file;
}

/* The name of the symbol or section that a relocation refers to. */
static const char *target_of(const struct rp_elf *elf, const struct rp_reloc *reloc) {
    const struct rp_symbol *symbol = &elf->symbols[reloc->symbol];
    const struct rp_section *section = rp_symbol_section(elf, symbol);
    return symbol->name[0] == '\0' && section != NULL ? section->name : symbol->name;
}

/* ---- large constants and zero-initialised arrays ---- */

static bool is_constant(const struct context *context, const struct rp_elf *elf, size_t index) {
    const struct rp_scan_options *options = context->options;
    const struct rp_section *section = &elf->sections[index];
    uint32_t kept = section->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_MERGE | SHF_TLS);
    bool named = options->constants != NULL && strcmp(section->name, options->constants) == 0;
    for (size_t i = 0; i < elf->reloc_count; i++)
        if (elf->relocs[i].section == index)
            return false;
    return (kept & ~(named ? (uint32_t)SHF_WRITE : 0)) == SHF_ALLOC &&
           section->type == SHT_PROGBITS &&
           (rp_has_prefix(section->name, ".rodata.") || rp_section_is_authored(section)) &&
           options->weights_threshold != 0 && section->size != 0 &&
           (named || section->size >= options->weights_threshold);
}

/* Adds the names of the arrays in these sections. at, by section: 1 + its index in large, or 0. */
static void take_arrays(const struct context *context, const struct rp_elf *elf, const size_t *at) {
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->type != STT_OBJECT || symbol->size == 0 ||
            symbol->section >= elf->section_count || at[symbol->section] == 0)
            continue;
        struct rp_large *large = &context->scan->large.items[at[symbol->section] - 1];
        rp_strings_push(context->arena, &large->arrays, rp_strdup(context->arena, symbol->name));
        large->array_bytes += symbol->size;
    }
}

static void take_large(const struct context *context, const struct rp_elf *elf) {
    const struct rp_scan_options *options = context->options;
    size_t *at = rp_alloc(context->arena, elf->section_count + 1, sizeof *at);
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        uint32_t kept =
            section->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_MERGE | SHF_TLS);
        bool zeros = section->type == SHT_NOBITS
                         ? rp_has_prefix(section->name, ".bss.") || rp_section_is_authored(section)
                         : rp_section_is_authored(section) && rp_section_is_zero(elf, i);
        bool zero = kept == (SHF_ALLOC | SHF_WRITE) && zeros && options->acts_threshold != 0 &&
                    section->size >= options->acts_threshold;
        bool variable = options->variables && kept == (SHF_ALLOC | SHF_WRITE) && !zero;
        if (!is_constant(context, elf, i) && !zero && !variable)
            continue;
        *RP_PUSH(context->arena, &context->scan->large) = (struct rp_large){
            .object = elf->path,
            .section = rp_strdup(context->arena, section->name),
            .size = section->size,
            .align = section->align,
            .zero = zero,
            .variable = variable,
        };
        at[i] = context->scan->large.count;
    }
    take_arrays(context, elf, at);
}

/* ---- initial values where zeros are expected ---- */

static void take_filled(const struct context *context, const struct rp_elf *elf) {
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        const char *name = section->name;
        /* the linker script places sections of these names among the zeros */
        bool named_zero = strcmp(name, ".bss") == 0 || rp_has_prefix(name, ".bss.") ||
                          rp_has_prefix(name, ".gnu.linkonce.b.") ||
                          strcmp(name, ".tensor_arena") == 0;
        if ((section->flags & SHF_ALLOC) != 0 && section->type != SHT_NOBITS && named_zero &&
            !rp_section_is_zero(elf, i) && !rp_strings_have(&context->scan->filled, section->name))
            rp_strings_push(context->arena, &context->scan->filled,
                            rp_strdup(context->arena, section->name));
    }
}

/* ---- symbols ---- */

/* clean: the member is position-independent, so its functions can be used. */
static void take_symbols(const struct context *context, const struct rp_elf *elf, bool clean) {
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->bind == STB_LOCAL || symbol->name[0] == '\0')
            continue;
        char *name = rp_strdup(context->arena, symbol->name);
        if (symbol->section == SHN_UNDEF && symbol->bind != STB_WEAK)
            rp_strings_push(context->arena, &context->scan->wanted, name);
        else if (symbol->section != SHN_UNDEF && (elf->member == NULL || clean))
            rp_strings_push(context->arena, &context->scan->defined, name);
    }
}

static void add_once(const struct context *context, struct rp_strings *list, const char *name) {
    if (!rp_strings_have(list, name))
        rp_strings_push(context->arena, list, rp_strdup(context->arena, name));
}

/* Undefined symbols that the firmware will supply, and those of them that code branches to. */
static void take_imports(const struct context *context, const struct rp_elf *elf) {
    const struct rp_strings *names = context->options->imports;
    bool *is_import = rp_alloc(context->arena, elf->symbol_count + 1, sizeof *is_import);
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        is_import[i] = symbol->section == SHN_UNDEF && symbol->name[0] != '\0' &&
                       rp_strings_have(names, symbol->name);
        if (is_import[i])
            add_once(context, &context->scan->imported, symbol->name);
    }
    for (size_t i = 0; i < elf->reloc_count; i++)
        if (is_import[elf->relocs[i].symbol] && rp_reloc_is_branch(elf->relocs[i].type))
            add_once(context, &context->scan->called, elf->symbols[elf->relocs[i].symbol].name);
}

/* References from code and data; unwinding tables have some, too, but are not loaded. */
static void take_unwinder(const struct context *context, const struct rp_elf *elf) {
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        const char *name = elf->symbols[reloc->symbol].name;
        if (reloc->type != 0 /* R_ARM_NONE */ && rp_has_prefix(name, "__aeabi_unwind_cpp_pr") &&
            !rp_has_prefix(elf->sections[reloc->section].name, ".ARM.ex"))
            add_once(context, &context->scan->unwinder, name);
    }
}

/* ---- what an image cannot have ---- */

const char *rp_scan_section_culprit(const struct rp_section *section, enum rp_error_id *id) {
    static const char *const constructors[] = {".init_array", ".preinit_array", ".fini_array",
                                               ".ctors", ".dtors"};
    static const char *const pieces[] = {".init", ".fini"}; /* of the functions _init and _fini */
    enum rp_error_id ignored;
    if ((section->flags & SHF_ALLOC) == 0 || section->size == 0)
        return NULL;
    *(id != NULL ? id : &ignored) = (section->flags & SHF_TLS) != 0 ? RP_E_TLS : RP_E_INIT_ARRAY;
    for (size_t i = 0; i < sizeof constructors / sizeof constructors[0]; i++)
        if (rp_has_prefix(section->name, constructors[i]))
            return "constructors or destructors, which nothing in an image would run";
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        if (strcmp(section->name, pieces[i]) == 0)
            return "code for the start or the end of a program, which nothing in an image would "
                   "run";
    return (section->flags & SHF_TLS) != 0 ? "thread-local variables" : NULL;
}

/* ": setup, fill": the functions in a table of constructors. */
static char *functions_in(const struct context *context, const struct rp_elf *elf, size_t section) {
    struct rp_buf out = {.arena = context->arena};
    for (size_t i = 0; i < elf->reloc_count && out.len < 200; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        const char *name = target_of(elf, reloc);
        if (reloc->section == section && reloc->type != 0 /* R_ARM_NONE */ && name[0] != '\0')
            rp_buf_printf(&out, "%s%s", out.len != 0 ? ", " : ": ", name);
    }
    return rp_buf_text(&out);
}

static bool refuse_section(const struct context *context, const struct rp_elf *elf, size_t index,
                           struct rp_error *err) {
    enum rp_error_id id;
    const struct rp_section *section = &elf->sections[index];
    const char *holds = rp_scan_section_culprit(section, &id);
    if (holds == NULL || (elf->member != NULL && context->options->members_later))
        return true;
    rp_fail(err, id, "%s: section '%s' holds %s%s", origin(context, elf), section->name, holds,
            id == RP_E_INIT_ARRAY && (section->flags & SHF_EXECINSTR) == 0
                ? functions_in(context, elf, index)
                : "");
    rp_hint(err, "%s",
            id == RP_E_INIT_ARRAY ? "call it from the model's init function, or give the variables "
                                    "constant initial values"
                                  : "make them ordinary variables: each instance has its own");
    return rp_fail_in(err, file_of(context, elf), 0);
}

/* Does code for the architecture, by Tag_CPU_arch, run on the core? */
static bool runs_on(int arch, const struct rp_core *core) {
    enum {
        V6T2 = 8,
        V7 = 10,
        V6_M = 11,
        V6S_M = 12,
        V7E_M = 13,
        V8M_BASE = 16,
        V8M = 17,
        V81M = 21
    };
    switch (arch) {
    case V6_M:
    case V6S_M:
        return true;
    case V6T2:
    case V7:
        return core->arch != RP_V6M && core->arch != RP_V8M_BASE;
    case V7E_M:
        return core->arch == RP_V7EM || core->arch >= RP_V8M_MAIN;
    case V8M_BASE:
        return core->arch >= RP_V8M_BASE;
    case V8M:
        return core->arch >= RP_V8M_MAIN;
    case V81M:
        return core->arch == RP_V81M_MAIN;
    default:
        return arch < V7;
    }
}

/* The name of an architecture, with the cores that have it. */
static const char *arch_name(int arch) {
    static const char *const names[] = {
        [10] = "Armv7-M (Cortex-M3)",
        [11] = "Armv6-M (Cortex-M0, M0+)",
        [12] = "Armv6-M (Cortex-M0, M0+)",
        [13] = "Armv7E-M (Cortex-M4, M7)",
        [14] = "Armv8-A",
        [15] = "Armv8-R",
        [16] = "Armv8-M Baseline (Cortex-M23)",
        [17] = "Armv8-M Mainline (Cortex-M33)",
        [21] = "Armv8.1-M Mainline (Cortex-M52, M55, M85)",
        [22] = "Armv9-A",
    };
    size_t count = sizeof names / sizeof names[0];
    const char *name = arch >= 0 && (size_t)arch < count ? names[arch] : NULL;
    return name != NULL ? name : arch < 10 ? "a classic Arm core" : "another core";
}

static const char *fp_name(int arch) {
    static const char *const names[] = {"no FPU",
                                        "VFPv1",
                                        "VFPv2",
                                        "VFPv3",
                                        "VFPv3-D16",
                                        "VFPv4",
                                        "VFPv4-D16 (the FPU of Cortex-M4)",
                                        "FPv5 with 32 registers",
                                        "FPv5-D16 (the FPU of Cortex-M7, M33, M55)"};
    size_t count = sizeof names / sizeof names[0];
    return arch >= 0 && (size_t)arch < count ? names[arch] : "another FPU";
}

static bool fail_abi(const struct context *context, const struct rp_elf *elf,
                     struct rp_error *err) {
    rp_fail_in(err, file_of(context, elf), 0);
    if (context->options->shown != NULL) /* relocpack compiled it */
        return rp_hint(err, "leave -mcpu, -mfloat-abi and -mfpu out of --cflags: the target sets "
                            "them (`relocpack targets` shows how)");
    return rp_hint(err, "compile it with the flags that `relocpack targets` shows, use the "
                        "archive for this core, or give the --target that it was built for");
}

static bool check_abi(const struct context *context, const struct rp_elf *elf,
                      struct rp_error *err) {
    /* the last Tag_FP_arch whose instructions an FPU may have */
    static const int last_fp_arch[] = {
        [RP_FP_NONE] = 0, [RP_FP_FPV4] = 6 /* VFPv4-D16 */, [RP_FP_FPV5] = 8 /* FPv5-D16 */};
    const struct rp_scan_options *options = context->options;
    struct rp_attributes have = rp_attributes_read(elf);
    if (options->core == NULL)
        return true;
    if (have.cpu_arch >= 0 &&
        (!runs_on(have.cpu_arch, options->core) ||
         (have.cpu_profile > 0 && have.cpu_profile != 'M' && have.cpu_profile != 'S'))) {
        rp_fail(err, RP_E_ABI_MISMATCH,
                "%s is compiled for %s%s, but the target is Cortex-%s: it would fault at the first "
                "instruction that this core does not have",
                origin(context, elf),
                have.cpu_profile > 0 && have.cpu_arch == 10 ? "Armv7" : arch_name(have.cpu_arch),
                have.cpu_profile == 'A'   ? ", application profile"
                : have.cpu_profile == 'R' ? ", real-time profile"
                                          : "",
                options->core->label);
        return fail_abi(context, elf, err);
    }
    if (have.fp_arch > last_fp_arch[options->core->fp]) {
        rp_fail(
            err, RP_E_ABI_MISMATCH,
            "%s is compiled for %s, which Cortex-%s does not have: its floating-point instructions "
            "would fault",
            origin(context, elf), fp_name(have.fp_arch), options->core->label);
        return fail_abi(context, elf, err);
    }
    bool hard = options->float_abi == RELOC_FLOAT_HARD;
    /* compilers omit the tag when it is 0; without floating point, no arguments are affected */
    int args = have.vfp_args < 0 && have.fp_numbers > 0 ? 0 : have.vfp_args;
    if (args >= 0 && args != 3 && args != hard) {
        rp_fail(
            err, RP_E_ABI_MISMATCH,
            "%s passes floating-point arguments in %s registers, but the target in %s registers "
            "(-mfloat-abi=%s): functions would read wrong arguments",
            origin(context, elf), args == 1 ? "VFP" : "core", hard ? "VFP" : "core",
            hard ? "hard" : "soft");
        return fail_abi(context, elf, err);
    }
    return true;
}

/* ---- what is not position-independent ---- */

/* The function or object that contains the place of the relocation, or "". */
static const char *holder_of(const struct rp_elf *elf, const struct rp_reloc *reloc) {
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t start = symbol->value & ~UINT32_C(1);
        if (symbol->section == reloc->section && symbol->size != 0 && reloc->place >= start &&
            reloc->place - start < symbol->size)
            return symbol->name;
    }
    return "";
}

static void take_culprit(const struct context *context, const struct rp_elf *elf,
                         const struct rp_reloc *reloc) {
    struct rp_scan *scan = context->scan;
    const char *section = elf->sections[reloc->section].name;
    const char *type = rp_reloc_text(context->arena, reloc->type);
    const char *symbol = holder_of(elf, reloc);
    struct rp_object_culprit *last =
        scan->culprits.count != 0 ? &scan->culprits.items[scan->culprits.count - 1] : NULL;
    if (last != NULL && last->object == elf->path && strcmp(last->section, section) == 0 &&
        strcmp(last->type, type) == 0 && strcmp(last->symbol, symbol) == 0 &&
        (last->member == elf->member ||
         (last->member != NULL && elf->member != NULL && strcmp(last->member, elf->member) == 0))) {
        last->count++;
        return;
    }
    *RP_PUSH(context->arena, &scan->culprits) = (struct rp_object_culprit){
        .object = elf->path,
        .member = elf->member,
        .section = rp_strdup(context->arena, section),
        .symbol = rp_strdup(context->arena, symbol),
        .type = type,
        .target = rp_strdup(context->arena, target_of(elf, reloc)),
        .count = 1,
    };
}

bool rp_scan_is_culprit(enum rp_convention convention, const struct rp_elf *elf,
                        const struct rp_reloc *reloc) {
    const struct rp_section *section = &elf->sections[reloc->section];
    return (section->flags & SHF_ALLOC) != 0 && !rp_has_prefix(section->name, ".ARM.ex") &&
           strcmp(section->name, ".eh_frame") != 0 &&
           !rp_reloc_object_is_pic(convention, reloc->type, (section->flags & SHF_WRITE) != 0);
}

static bool visit(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    const struct context *context = opaque;
    context->scan->members++;
    for (size_t i = 1; i < elf->section_count && !context->options->constructors_ok; i++)
        if (!refuse_section(context, elf, i, err))
            return false;
    *RP_PUSH(context->arena, &context->scan->objects) = (struct rp_abi_object){
        .shown = rp_strdup(context->arena, origin(context, elf)),
        .path = elf->path,
        .member = elf->member != NULL ? rp_strdup(context->arena, elf->member) : NULL,
        .attributes = rp_attributes_read(elf),
    };
    if (!check_abi(context, elf, err))
        return false;
    if (context->options->large && elf->member == NULL)
        take_large(context, elf);
    take_filled(context, elf);
    rp_authored_take(&context->scan->authored, context->arena, elf);
    take_unwinder(context, elf);
    if (context->options->imports != NULL && context->options->imports->count != 0)
        take_imports(context, elf);
    size_t before = context->scan->culprits.count;
    for (size_t i = 0; context->options->culprits && i < elf->reloc_count; i++) {
        context->scan->got_uses += rp_reloc_uses_got(elf->relocs[i].type);
        if (rp_scan_is_culprit(context->options->convention, elf, &elf->relocs[i]))
            take_culprit(context, elf, &elf->relocs[i]);
    }
    take_symbols(context, elf,
                 context->options->culprits && context->scan->culprits.count == before);
    return true;
}

bool rp_scan_file(struct rp_scan *scan, struct rp_arena *arena, const char *path,
                  const struct rp_scan_options *options, struct rp_error *err) {
    struct context context = {scan, arena, options};
    return rp_elf_each(arena, path, visit, &context, err);
}
