/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiling and linking a Neural-ART network: flags, units and generated files. The flags are those
 * of the vendor's own makefiles, so that the code is the same. What is special to an image (pool
 * table, names and sizes) is compiled with the glue only. So the pack's objects do not depend on
 * the network, and the compiler launcher finds them in its cache.
 */
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/npu/blobs.h"
#include "toolchain/npu/cached.h"
#include "toolchain/npu/plan.h"
#include "toolchain/npu/registers.h"
#include "toolchain/npu/rewrite.h"

enum { SOURCE_MAX = 1 << 30 };
/* Debian's newlib and libgcc for the core: those for Armv8-M with hardware floating point. */
#define NEWLIB "/usr/lib/arm-none-eabi"
#define LIBGCC "/usr/lib/gcc/arm-none-eabi"
#define CORE   "thumb/v8-m.main+fp/hard"
/* In the workspace: the folder of rewritten files, the unit with the addresses of pools, and the
 * headers of the glue. */
#define REWRITTEN "rewritten"
#define LABELS    "labels.c"
#define CONF      "npu_conf.h"
#define POOLS     "npu_pools.h"

static const struct rp_npu *own(const struct rp_model *model) {
    return model->own;
}

/* ---- flags ---- */

static void push_gcc(struct rp_arena *arena, bool is_static, struct rp_strings *list) {
    RP_PUSH_WORDS(arena, list, "-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard",
                  "-mfpu=fpv4-sp-d16", "-mtune=cortex-m55", "-ffast-math",
                  "-fsingle-precision-constant", "-fvisibility=hidden", "-fstack-reuse=all",
                  "-mno-thumb-interwork");
    if (is_static) /* the kernel archive finds its GOT through r9, in a static build too */
        RP_PUSH_WORDS(arena, list, "-ffixed-r9");
    else
        RP_PUSH_WORDS(arena, list, "-fpic", "-msingle-pic-base", "-mpic-register=r9",
                      "-mno-pic-data-is-text-relative");
}

/*
 * The C library for clang: the one in the custom file, else that of an LLVM toolchain for Arm; or
 * NULL.
 */
static const char *sysroot(struct rp_arena *arena, const struct rp_pack *pack) {
    if (pack->llvm_sysroot != NULL || pack->llvm_install_path == NULL)
        return pack->llvm_sysroot;
    const char *root = rp_path_join(arena, pack->llvm_install_path,
                                    "lib/clang-runtimes/newlib/arm-none-eabi/armv8m.main_hard_fp");
    return rp_path_is_dir(root) ? root : NULL;
}

static void push_clang(struct rp_arena *arena, const struct rp_npu *npu, bool is_static,
                       struct rp_strings *list) {
    if (npu->compiler->is_bare) {
        const char *triplet = npu->pack.target_triplet;
        rp_strings_push(arena, list,
                        rp_format(arena, "--target=%s",
                                  triplet != NULL ? triplet : "thumbv8m.main-unknown-none-eabihf"));
        const char *root = sysroot(arena, &npu->pack);
        if (root != NULL)
            rp_strings_push(arena, list, rp_format(arena, "--sysroot=%s", root));
        else if (rp_path_is_dir(NEWLIB "/include")) /* clang came without a C library */
            RP_PUSH_WORDS(arena, list, "-isystem", NEWLIB "/include");
        if (npu->choice.compatible)
            RP_PUSH_WORDS(arena, list, "-fshort-enums");
    } else {
        RP_PUSH_WORDS(arena, list, "-mcpu=cortex-m55", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard",
                      "-fno-short-wchar");
    }
    RP_PUSH_WORDS(arena, list, "-mthumb", "-fvisibility=protected");
    if (!is_static)
        RP_PUSH_WORDS(arena, list, "-fropi", "-frwpi");
}

static void push_defines(struct rp_arena *arena, const struct rp_npu *npu,
                         struct rp_strings *list) {
    RP_PUSH_WORDS(
        arena, list, "-DLL_ATON_DUMP_DEBUG_API", "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6",
        "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL",
        npu->choice.polling ? "-DLL_ATON_RT_MODE=LL_ATON_RT_POLLING"
                            : "-DLL_ATON_RT_MODE=LL_ATON_RT_ASYNC",
        "-DLL_ATON_SW_FALLBACK", "-DLL_ATON_DBG_BUFFER_INFO_EXCLUDED=1", "-DLL_ATON_RT_RELOC");
    if (!npu->choice.no_dbg_info)
        RP_PUSH_WORDS(arena, list, "-DLL_ATON_EB_DBG_INFO");
}

/* Flags of all units, whether of the network, of the pack or ours. */
static void push_common(struct rp_arena *arena, const struct rp_npu *npu, bool is_static,
                        struct rp_strings *list) {
    bool gcc = !npu->compiler->is_clang;
    if (gcc)
        push_gcc(arena, is_static, list);
    else
        push_clang(arena, npu, is_static, list);
    /* cmse is not compatible with clang's position-independent data */
    if (!npu->choice.no_secure && gcc && !is_static)
        RP_PUSH_WORDS(arena, list, "-mcmse");
    RP_PUSH_WORDS(arena, list, "-Os", "-std=gnu99", "-fno-unwind-tables", "-ffunction-sections",
                  "-fdata-sections", "-fno-math-errno", "-fomit-frame-pointer", "-fno-builtin");
    push_defines(arena, npu, list);
    if (!is_static)
        RP_PUSH_WORDS(arena, list, "-DBUILD_AI_NETWORK_RELOC");
}

/*
 * The first of the model's folders is that of the network, which only its unit needs. Ours come
 * before the pack's, whose cache headers may need the whole HAL of the device.
 */
static void push_includes(const struct rp_build *build, const struct rp_model *model,
                          struct rp_strings *list) {
    struct rp_arena *arena = build->arena;
    rp_strings_push(
        arena, list,
        rp_format(arena, "-I%s", rp_path_join(arena, build->options->data_dir, "templates/npu")));
    for (size_t i = 1; i < model->code.include_dirs.count; i++)
        rp_strings_push(arena, list, rp_format(arena, "-I%s", model->code.include_dirs.items[i]));
}

/* The folder whose ATON.h stands for the pack's. */
static const char *no_registers(const struct rp_build *build) {
    return rp_format(
        build->arena, "-I%s",
        rp_path_join(build->arena, build->options->data_dir, "templates/npu/no_registers"));
}

/* The user's options or variables may name registers, or lead to files that do. */
static bool may_name_registers(const struct rp_npu *npu, const struct rp_build *build,
                               const struct rp_input *input) {
    const struct rp_strings *passed = build->options->passed;
    bool may = npu->names_registers || input->include_dirs.count != 0 ||
               (passed != NULL && passed->count != 0);
    for (size_t i = 0; i < input->cflags.count; i++)
        may = may || rp_aton_option_names_registers(input->cflags.items[i]) ||
              !rp_npu_reads_nothing(input->cflags.items[i]);
    for (size_t i = 0; i < input->defines.count; i++)
        may = may || rp_aton_option_names_registers(input->defines.items[i]);
    return may;
}

static void set_flags(struct rp_plan_flags *flags, const struct rp_build *build,
                      const struct rp_model *model, const struct rp_input *input) {
    struct rp_arena *arena = build->arena;
    const struct rp_npu *npu = own(model);
    flags->target = input->target;
    flags->compiler = input->compiler;
    push_common(arena, npu, flags->is_static, &flags->glue);
    /* assertions have __FILE__ in them */
    rp_strings_push(arena, &flags->glue,
                    rp_format(arena, "-f%s-prefix-map=%s/=", flags->debug_paths ? "macro" : "file",
                              npu->ll_aton.dir));
    push_includes(build, model, &flags->glue);
    push_common(arena, npu, flags->is_static, &flags->model);
    rp_model_prefix_maps(arena, model, flags->debug_paths, &flags->model);
    rp_strings_push(arena, &flags->model,
                    rp_format(arena, "-I%s", model->code.include_dirs.items[0]));
    if (!may_name_registers(npu, build, input) && !rp_npu_hides_headers(model, build))
        rp_strings_push(arena, &flags->model, no_registers(build));
    push_includes(build, model, &flags->model);
    rp_strings_append_each(arena, &flags->model, "-D", &model->code.defines);
    rp_strings_append(arena, &flags->model, &input->cflags);
}

static void push_link_flags(struct rp_arena *arena, const struct rp_model *model,
                            const struct rp_plan_flags *flags, struct rp_strings *list) {
    const struct rp_npu *npu = own(model);
    (void)flags;
    if (!npu->compiler->is_clang) {
        push_gcc(arena, false, list);
        return;
    }
    push_clang(arena, npu, false, list);
    if (npu->compiler->is_bare)
        RP_PUSH_WORDS(arena, list, "-fuse-ld=lld", "-Xlinker", "--dependency-file=image.d");
}

const struct rp_image_kind rp_image_neural_art = {
    .major = RELOC_NPU_MAJOR,
    .script = "templates/image_npu.ld",
    .kept = ".const_ec_blob", /* blobs of the epoch controller */
    .clang_links = true,
    .flags = set_flags,
    .link_flags = push_link_flags,
};

const struct rp_npu *rp_npu_of(const struct rp_model *model) {
    return model->dialect->image == &rp_image_neural_art ? model->own : NULL;
}

/* ---- generated files ---- */

/* Writes the macros that the pack's ll_aton_reloc_network.h needs (MODEL_CONF). */
static bool write_conf(const struct rp_model *model, struct rp_build *build, struct rp_error *err) {
    const struct rp_npu *npu = own(model);
    const struct rp_aton_version *version = &npu->aton.version;
    struct rp_buf out = {.arena = build->arena};
    rp_buf_printf(&out, "#define C_NAME \"%s\"\n", rp_c_string(build->arena, npu->c_name));
    rp_buf_printf(&out, "#define C_FCT_SUFFIX %s\n", npu->aton.network);
    rp_buf_printf(&out, "#define ACTS_SZ (%lluUL)\n", (unsigned long long)model->acts_size);
    rp_buf_printf(&out, "#define PARAMS_SZ (%lluUL)\n", (unsigned long long)model->weights.size);
    rp_buf_printf(&out, "#define EXT_RAM_SZ (%lluUL)\n",
                  (unsigned long long)npu->memory.ext_ram_size);
    rp_buf_printf(&out, "#define RUNTIME_DESC \"%s\"\n",
                  rp_c_string(build->arena, npu->runtime_desc));
    rp_buf_printf(&out, "#define RUNTIME_VERSION (0x%02x%02x%02x00UL)\n", version->major & 0xFFu,
                  version->minor & 0xFFu, version->micro & 0xFFu);
    rp_buf_printf(&out, "#define RUNTIME_VERSION_DEV (%uUL)\n", version->dev);
    /* the packer writes both, because blobs in the params are known only after the link */
    rp_buf_puts(&out, "#define PARAMS_BIN_SZ (0UL)\n#define PARAMS_BIN_CRC32 (0UL)\n");
    return rp_build_write(build, CONF, out.data, out.len, err);
}

static bool write_pools(const struct rp_npu *npu, struct rp_build *build, struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[i];
        /* the loader counts from the relative read-only pool, which the blobs come before */
        bool behind_blobs = pool->raw != NULL && pool->used != npu->memory.relative_ro;
        rp_buf_printf(&out, "RP_POOL(\"%s\", 0x%08xUL, %lluUL%s, 0x%08xUL, %lluUL)\n",
                      rp_c_string(build->arena, pool->used->pool->postfix), pool->used->flags,
                      (unsigned long long)pool->foff, behind_blobs ? " + RP_BLOB_BYTES" : "",
                      pool->used->dst, (unsigned long long)pool->used->size_bytes);
    }
    return rp_build_write(build, POOLS, out.data != NULL ? out.data : "", out.len, err);
}

/* Gives the label of the relative pool with this id its address and size; the pool has no bytes. */
static bool write_label(const struct rp_npu *npu, struct rp_build *build, uint32_t id,
                        struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_aton_used *used = npu->pools[i].used;
        if (RELOC_NPU_POOL_GET_TYPE(used->flags) == RELOC_NPU_POOL_RELOC &&
            RELOC_NPU_POOL_GET_ID(used->flags) == id)
            rp_buf_printf(&out, "%s = .; . += %llu;\n", used->pool->label,
                          (unsigned long long)used->size_bytes);
    }
    return rp_build_write(build, rp_format(build->arena, "params_%u.ld", id),
                          out.data != NULL ? out.data : "", out.len, err);
}

static void put_library(struct rp_buf *out, const char *path) {
    if (rp_path_is_file(path) && strpbrk(path, "\"\n") == NULL)
        rp_buf_printf(out, "INPUT(\"%s\")\n", path);
}

/*
 * clang itself inserts calls of memcpy and the like, which the pack's kernel archive need not have.
 * The linker script comes after all archives, so these libraries are the last resort. Code taken
 * from them is checked for position independence like the rest.
 */
static bool write_libraries(const struct rp_npu *npu, struct rp_build *build,
                            struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    struct rp_strings versions = {0};
    struct rp_buf out = {.arena = build->arena};
    const char *root = sysroot(arena, &npu->pack);
    if (npu->compiler->is_clang && root != NULL) {
        put_library(&out, rp_path_join(arena, root, "lib/libc.a"));
        put_library(&out, rp_path_join(arena, root, "lib/libclang_rt.builtins.a"));
    } else if (npu->compiler->is_clang) {
        put_library(&out, NEWLIB "/newlib/" CORE "/libc.a");
        if (rp_list_dir(arena, LIBGCC, &versions, NULL) && versions.count != 0)
            put_library(&out, rp_format(arena, "%s/%s/%s/libgcc.a", LIBGCC,
                                        versions.items[versions.count - 1], CORE));
    }
    return rp_build_write(build, "libraries.ld", out.data != NULL ? out.data : "", out.len, err);
}

/* ---- units ---- */

static struct rp_strings flags_and(struct rp_arena *arena, const struct rp_strings *flags,
                                   const char *more) {
    struct rp_strings list = {0};
    rp_strings_append(arena, &list, flags);
    if (more != NULL)
        rp_strings_push(arena, &list, more);
    return list;
}

/* ---- clang: what its code cannot address (npu_rewrite.h) ---- */

static const char *rewritten_name(const struct rp_build *build, const char *path) {
    return rp_path_join(build->arena, REWRITTEN, rp_path_base(path));
}

/*
 * Names the labels of relative pools. Their declarations for the network go to head, the words that
 * hold their addresses to a unit of their own: if the compiler saw these, it would use the
 * addresses themselves.
 */
static bool name_labels(const struct rp_npu *npu, struct rp_build *build,
                        struct rp_npu_names *names, struct rp_buf *head, struct rp_error *err) {
    struct rp_buf words = {.arena = build->arena};
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_aton_used *used = npu->pools[i].used;
        const char *label = used->pool->label;
        if (RELOC_NPU_POOL_GET_TYPE(used->flags) != RELOC_NPU_POOL_RELOC || label == NULL)
            continue;
        rp_buf_printf(head, "extern unsigned char (*volatile rp_label_%zu)[];\n", i);
        rp_buf_printf(&words,
                      "extern unsigned char %s[];\n"
                      "unsigned char (*volatile rp_label_%zu)[] = &%s;\n",
                      label, i, label);
        rp_npu_names_add(
            names, build->arena,
            &(struct rp_npu_name){.name = label,
                                  .len = strlen(label),
                                  .instead = rp_format(build->arena, "(*rp_label_%zu)", i)});
    }
    return words.len == 0 || rp_build_write(build, LABELS, words.data, words.len, err);
}

/* Names the blobs in the params, each followed by a word that holds its address. */
static bool name_blobs(const struct rp_aton_text *header, struct rp_build *build,
                       struct rp_npu_names *names, struct rp_error *err) {
    struct rp_aton_blobs blobs = {0};
    struct rp_arena *arena = build->arena;
    if (!rp_aton_parse_blobs(&blobs, arena, header, err))
        return false;
    for (size_t i = 0; i < blobs.count; i++) {
        const struct rp_aton_blob *blob = &blobs.items[i];
        if (!blob->is_const || rp_npu_names_find(names, blob->symbol, strlen(blob->symbol)) != NULL)
            continue;
        rp_npu_names_add(
            names, arena,
            &(struct rp_npu_name){
                .name = blob->symbol,
                .len = strlen(blob->symbol),
                .instead = rp_format(arena, "(*rp_blob_%zu)", i),
                .behind = rp_format(arena, " static const %s (*volatile rp_blob_%zu)[] = &%s;",
                                    blob->type, i, blob->symbol)});
    }
    return true;
}

/* Writes a file of the network into the workspace. Messages and __FILE__ still name the user's. */
static bool write_rewritten(struct rp_build *build, const struct rp_aton_text *text,
                            const char *head, struct rp_npu_names *names, struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    rp_buf_printf(&out, "%s#line 1 \"%s\"\n", head, rp_c_string(build->arena, text->path));
    return rp_npu_rewrite(&out, names, build->arena, text, err) &&
           rp_build_write(build, rewritten_name(build, text->path), out.data, out.len, err);
}

static bool read_text(struct rp_build *build, const char *path, struct rp_aton_text *text,
                      struct rp_error *err) {
    struct rp_bytes bytes;
    if (!rp_file_read(build->arena, path, SOURCE_MAX, &bytes, err))
        return false;
    *text = (struct rp_aton_text){path, (const char *)bytes.data, bytes.size};
    return true;
}

/* The header of the blobs comes first, because the network uses its macros. */
static bool rewrite_network(const struct rp_model *model, struct rp_build *build,
                            struct rp_npu_names *names, const char *head, struct rp_error *err) {
    const struct rp_npu *npu = own(model);
    const char *source = model->code.sources.items[0];
    struct rp_aton_text text, header;
    if (!rp_make_dirs(rp_build_path(build, REWRITTEN), err) ||
        !read_text(build, source, &text, err))
        return false;
    if (npu->aton.blobs_header == NULL)
        return write_rewritten(build, &text, head, names, err);
    return read_text(build, npu->blobs_path, &header, err) &&
           (!npu->choice.ecblob_in_params || name_blobs(&header, build, names, err)) &&
           write_rewritten(build, &header, "", names, err) &&
           write_rewritten(build, &text, head, names, err);
}

static bool add_network(const struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_error *err) {
    const struct rp_npu *npu = own(model);
    const char *source = model->code.sources.items[0];
    bool in_params = npu->choice.ecblob_in_params && !flags->is_static;
    struct rp_strings list = flags_and(
        build->arena, &flags->model,
        in_params ? "-DECBLOB_CONST_SECTION=__attribute__((used, section(\".const_ec_blob\")))"
                  : NULL);
    struct rp_npu_names names = {0};
    struct rp_buf head = {.arena = build->arena};
    bool clang = npu->compiler->is_clang && !flags->is_static;
    bool ok = !clang || name_labels(npu, build, &names, &head, err);
    bool labels = names.count != 0;
    bool rewrites =
        labels || (clang && npu->choice.ecblob_in_params && npu->aton.blobs_header != NULL);
    ok = ok && (!rewrites || rewrite_network(model, build, &names, labels ? head.data : "", err));
    if (!ok)
        return false;
    struct rp_unit *unit =
        rp_build_add(build, rewrites ? rewritten_name(build, source) : source, &list);
    unit->source = source;
    if (labels)
        rp_build_add(build, LABELS, &flags->glue);
    return true;
}

/* The network must not give macros of the pack's sources another meaning. */
static bool check_defines(const struct rp_npu *npu, struct rp_build *build,
                          const struct rp_strings *flags, struct rp_error *err) {
    struct rp_npu full = *npu;
    struct rp_strings ours = {0}, all = {0};
    push_defines(build->arena, npu, &ours);
    full.choice.no_dbg_info = false;
    push_defines(build->arena, &full, &all);
    for (size_t i = 0; i < flags->count; i++)
        for (size_t k = 0; k < all.count; k++) {
            const char *flag = flags->items[i], *name = all.items[k] + 2;
            size_t len = strcspn(name, "=");
            bool same = (rp_has_prefix(flag, "-D") || rp_has_prefix(flag, "-U")) &&
                        strncmp(flag + 2, name, len) == 0 && strcspn(flag + 2, "=") == len;
            if (same && !rp_strings_have(&ours, flag))
                return rp_fail(err, RP_E_USAGE,
                               "%s: the runtime is compiled with this macro, or without, as the "
                               "options of -r say",
                               flag);
        }
    return true;
}

/* If the compiler or C library of the custom file is missing, no other must take its place. */
static bool check_custom(const struct rp_npu *npu, struct rp_build *build, struct rp_error *err) {
    const struct rp_pack *pack = &npu->pack;
    if (!npu->compiler->is_bare)
        return true;
    if (pack->llvm_install_path != NULL &&
        !rp_path_is_file(rp_path_join(build->arena, pack->llvm_install_path, "bin/clang")))
        return rp_fail(err, RP_E_TOOL_MISSING,
                       "llvm_install_path of the custom file: there is no '%s/bin/clang'",
                       pack->llvm_install_path);
    return pack->llvm_sysroot == NULL || rp_path_is_dir(pack->llvm_sysroot) ||
           rp_fail(err, RP_E_INPUT, "llvm_sysroot of the custom file: '%s' is no folder",
                   pack->llvm_sysroot);
}

/* The pack's sources, and the entry table. */
static void add_runtime(const struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags) {
    const struct rp_npu *npu = own(model);
    struct rp_arena *arena = build->arena;
    static const struct {
        const char *name;
        const char *define;
    } sources[] = {
        {"ll_aton_lib_sw_operators.c", "-DNDEBUG"},
        {"ll_aton.c", NULL},
        {"ll_sw_float.c", NULL},
        {"ll_sw_integer.c", NULL},
        {"ll_aton_util.c", NULL},
        {"ecloader.c", "-DNDEBUG"},
        {"ll_aton_reloc_callbacks.c", NULL},
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct rp_strings list = flags_and(arena, &flags->glue, sources[i].define);
        rp_build_add(build, rp_path_join(arena, npu->ll_aton.dir, sources[i].name), &list);
    }
    struct rp_strings glue = {0};
    rp_strings_push(arena, &glue, no_registers(build));
    rp_strings_append(arena, &glue, &flags->glue);
    RP_PUSH_WORDS(arena, &glue, "-I.", "-DMODEL_CONF=\"" CONF "\"");
    rp_build_add(build, rp_path_join(arena, build->options->data_dir, "templates/glue_ll_aton.c"),
                 &glue)
        ->key = CONF ":" POOLS;
}

bool rp_npu_plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    const struct rp_npu *npu = own(model);
    if (!check_custom(npu, build, err) || !check_defines(npu, build, &flags->model, err) ||
        !write_conf(model, build, err) || !write_pools(npu, build, err) ||
        !write_label(npu, build, RELOC_NPU_POOL_ID_PARAM, err) ||
        !write_label(npu, build, RELOC_NPU_POOL_ID_EXT_RAM, err) ||
        !write_libraries(npu, build, err) || !add_network(model, build, flags, err))
        return false;
    if (!flags->is_static)
        add_runtime(model, build, flags);
    return rp_npu_trust_names(model, build, flags, err);
}
