/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect ll-aton: networks of the Neural-ART compiler for the STM32N6 NPU. In: network.c, its
 * <name>_ecblobs.h and <name>_atonbuf.<postfix>.raw files beside it, and the vendor's pack with the
 * LL_ATON sources. Everything that does not fit together is an error here, before anything is
 * compiled: weights that are missing or of another generation give plausible wrong numbers.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/npu.h"

enum { SOURCE_MAX = 1 << 30, HEADER_MAX = 1 << 20, RAW_SLACK = 64 };

struct loading {
    struct rp_model *model;
    struct rp_npu *npu;
    struct rp_arena *arena;
    const struct rp_input *input;
    const char *dir;  /* of the network */
    const char *stem; /* file name without .c */
    struct rp_error *err;
};

static bool recognise(const char *path, const char *text) {
    return rp_has_suffix(path, ".c") && strstr(text, "LL_ATON_EpochBlockItems_") != NULL;
}

/* ---- the pack ---- */

/* `#define NAME value` of a header without conditions; NULL when it is not there. */
static const char *find_define(const char *text, const char *name) {
    size_t len = strlen(name);
    for (const char *at = strstr(text, "#define"); at != NULL; at = strstr(at + 1, "#define")) {
        const char *word = at + strlen("#define");
        word += strspn(word, " \t");
        if (strncmp(word, name, len) == 0 && (word[len] == ' ' || word[len] == '\t'))
            return word + len + strspn(word + len, " \t(\"");
    }
    return NULL;
}

static unsigned number_of(const char *text, const char *name, bool *ok) {
    const char *value = find_define(text, name);
    *ok = *ok && value != NULL && isdigit((unsigned char)*value);
    return *ok ? (unsigned)strtoul(value, NULL, 10) : 0;
}

static bool read_version(struct loading *load) {
    struct rp_ll_aton *ll = &load->npu->ll_aton;
    struct rp_bytes text;
    const char *path = rp_path_join(load->arena, ll->dir, "ll_aton_version.h");
    if (!rp_file_read(load->arena, path, HEADER_MAX, &text, load->err))
        return false;
    bool ok = true;
    const char *data = (const char *)text.data, *name = find_define(data, "LL_ATON_VERSION_NAME");
    ll->major = number_of(data, "LL_ATON_VERSION_MAJOR", &ok);
    ll->minor = number_of(data, "LL_ATON_VERSION_MINOR", &ok);
    ll->micro = number_of(data, "LL_ATON_VERSION_MICRO", &ok);
    ll->dev = number_of(data, "LL_ATON_VERSION_DEV", &ok);
    ll->is_software = find_define(data, "LL_ATON_SOFTWARE_NPU") != NULL;
    ll->name = rp_strndup(load->arena, name != NULL ? name : "",
                          name != NULL ? strcspn(name, "\"\r\n") : 0);
    return ok || rp_fail(load->err, RP_E_PACK,
                         "'%s' does not define LL_ATON_VERSION_MAJOR, _MINOR, "
                         "_MICRO and _DEV as numbers",
                         path);
}

/*
 * The firmware's loader compares major, minor and micro; a network that stops the compiler compares
 * all four. A pack of another release compiles in silence and does something else.
 */
static bool check_version(struct loading *load) {
    const struct rp_ll_aton *have = &load->npu->ll_aton;
    const struct rp_aton_version *want = &load->npu->aton.version;
    bool same = have->major == want->major && have->minor == want->minor &&
                have->micro == want->micro && (have->dev == want->dev || !want->is_error);
    if (!want->known)
        return rp_fail(load->err, RP_E_PACK,
                       "%s: the network does not say which LL_ATON release "
                       "it was generated for",
                       load->input->path);
    if (same)
        return true;
    rp_fail(load->err, RP_E_PACK,
            "%s:%u: the network is for LL_ATON %u.%u.%u-%u, the pack '%s' has %u.%u.%u-%u (%s)",
            load->input->path, want->line, want->major, want->minor, want->micro, want->dev,
            have->dir, have->major, have->minor, have->micro, have->dev, have->name);
    return rp_hint(load->err, "build with the pack of the tool version that generated the network, "
                              "or generate it again");
}

static void add_dir(struct loading *load, const char *dir) {
    if (rp_path_is_dir(dir))
        rp_strings_push(load->arena, &load->model->include_dirs, dir);
}

/* The NPU's registers (ATON.h) are in different places from release to release. */
static void add_platform(struct loading *load) {
    static const char *const places[] = {"scripts/N6_reloc/resources/platform/stm32n6",
                                         "Middlewares/ST/AI/Npu/Devices/STM32N6XX",
                                         "Middlewares/ST/AI/Npu/Devices/STM32N6xx"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *dir = rp_path_join(load->arena, load->npu->pack.root, places[i]);
        if (!rp_path_is_file(rp_path_join(load->arena, dir, "ATON.h")))
            continue;
        rp_strings_push(load->arena, &load->model->include_dirs, dir);
        return;
    }
}

static bool find_pack(struct loading *load) {
    struct rp_npu *npu = load->npu;
    static const struct rp_pack_kernels kernels[] = {
        [RP_COMPILER_GCC] = {"GCC", "M55", "_PIC.a"},
        [RP_COMPILER_LLVM] = {"LLVM", "M55", "_PIC.a"},
        [RP_COMPILER_ST_CLANG] = {"ST_CLANG", "M55", "_PIC.a"},
    };
    if (!rp_pack_open(&npu->pack, load->model, load->arena, load->input, load->err))
        return false;
    const char *ai = npu->pack.ai;
    npu->ll_aton.dir = ai != NULL ? rp_path_join(load->arena, ai, "Npu/ll_aton") : "";
    if (!rp_path_is_dir(npu->ll_aton.dir)) {
        rp_fail(load->err, RP_E_PACK, "the LL_ATON sources were not found%s%s%s",
                ai != NULL ? " in '" : "", npu->ll_aton.dir, ai != NULL ? "'" : "");
        return rp_hint(load->err, "set STEDGEAI_CORE_DIR, or stedgeai_install_path in the custom "
                                  "file, to the folder that has Middlewares/ST/AI");
    }
    add_dir(load, npu->ll_aton.dir);
    add_dir(load, rp_path_join(load->arena, ai, "Inc"));
    add_platform(load);
    return read_version(load) && check_version(load) &&
           rp_pack_find_kernels(&npu->pack, load->model, load->arena,
                                &kernels[load->input->npu.compiler], load->err);
}

/* ---- initialisers ---- */

/* The names under which a pool's file may be there; C names and file names may differ. */
static const char *raw_name(struct loading *load, const char *base, const char *postfix) {
    return rp_path_join(load->arena, load->dir,
                        rp_format(load->arena, "%s_atonbuf.%s.raw", base, postfix));
}

/* A network of that name beside this one has files of that name, too. */
static bool is_ours(struct loading *load, const char *base) {
    const char *other = rp_path_join(load->arena, load->dir, rp_format(load->arena, "%s.c", base));
    return strcmp(base, load->stem) == 0 || !rp_path_is_file(other);
}

static bool find_raw(struct loading *load, struct rp_npu_pool *pool) {
    const char *postfix = pool->used->pool->postfix;
    const char *network = load->npu->aton.network;
    const char *const bases[] = {network, load->stem,
                                 strcmp(network, "Default") == 0 ? "network" : network};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        const char *path = raw_name(load, bases[i], postfix);
        if (!is_ours(load, bases[i]) || !rp_path_is_file(path) ||
            (pool->raw != NULL && strcmp(pool->raw, path) == 0))
            continue;
        if (pool->raw != NULL)
            return rp_fail(load->err, RP_E_WEIGHTS,
                           "pool %s of network '%s' has two initialisers, '%s' and '%s': remove "
                           "the one of another network",
                           postfix, network, pool->raw, path);
        pool->raw = path;
    }
    if (pool->raw == NULL) {
        rp_fail(load->err, RP_E_WEIGHTS,
                "pool %s of network '%s' has %llu bytes of parameters, but there is no '%s'",
                postfix, network, (unsigned long long)pool->used->params_extent,
                raw_name(load, network, postfix));
        return rp_hint(load->err, "put the .raw file of the same generation beside the C file; "
                                  "pools with fformat other than FORMAT_RAW are not supported");
    }
    return rp_file_size(pool->raw, &pool->raw_size, load->err);
}

/*
 * The generator writes the pool from its start to its last initialised byte, at times a few bytes
 * of padding more. Everything else is the file of another generation.
 */
static bool check_raw(struct loading *load, const struct rp_npu_pool *pool) {
    const struct rp_aton_used *used = pool->used;
    uint64_t most = (used->params_extent > used->extent ? used->params_extent : used->extent);
    if (pool->raw_size >= used->params_extent && pool->raw_size <= most + RAW_SLACK)
        return true;
    rp_fail(load->err, RP_E_WEIGHTS,
            "pool %s of network '%s': '%s' has %llu bytes, the network needs %llu%s",
            used->pool->postfix, load->npu->aton.network, pool->raw,
            (unsigned long long)pool->raw_size, (unsigned long long)used->params_extent,
            pool->raw_size == 0 ? " (it is empty)" : "");
    return rp_hint(load->err, "the file is of another generation: generate the network again and "
                              "take all files of one run");
}

static bool uses_params(const struct rp_npu *npu, const struct rp_aton_pool *pool) {
    for (size_t i = 0; i < npu->pool_count; i++)
        if (npu->pools[i].used->pool == pool && npu->pools[i].used->has_params)
            return true;
    return false;
}

/* Bytes for a pool in which the tables show no parameters: the tables have lost them. */
static bool check_unused_raws(struct loading *load) {
    const struct rp_aton *aton = &load->npu->aton;
    for (size_t i = 0; i < aton->pools.count; i++) {
        const struct rp_aton_pool *pool = &aton->pools.items[i];
        const char *path = raw_name(load, aton->network, pool->postfix);
        uint64_t size = 0;
        if (pool->is_virtual || uses_params(load->npu, pool) || !rp_path_is_file(path))
            continue;
        if (!rp_file_size(path, &size, load->err))
            return false;
        if (size != 0)
            return rp_fail(load->err, RP_E_WEIGHTS,
                           "%s:%u: pool %s has %llu bytes in '%s', but the network shows no "
                           "parameters in it: were its buffer tables stripped?",
                           load->input->path, pool->line, pool->postfix, (unsigned long long)size,
                           path);
    }
    return true;
}

static uint64_t round8(uint64_t size) {
    return (size + 7) & ~UINT64_C(7);
}

static bool is_relative_ro(const struct rp_npu_pool *pool) {
    return RELOC_NPU_POOL_GET_TYPE(pool->used->flags) == RELOC_NPU_POOL_RELOC &&
           RELOC_NPU_POOL_GET_ID(pool->used->flags) == RELOC_NPU_POOL_ID_PARAM;
}

/*
 * The loader takes a relative read-only pool's place for the base of all its addresses, blobs
 * included: with blobs in the params it has to be the first behind them, so it always is.
 */
static void place_params(struct rp_npu *npu) {
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < npu->pool_count; i++) {
            struct rp_npu_pool *pool = &npu->pools[i];
            if (pool->raw == NULL || is_relative_ro(pool) != (pass == 0))
                continue;
            uint64_t used = pool->used->size_bytes;
            pool->file_bytes = round8(pool->raw_size > used ? pool->raw_size : used);
            pool->foff = npu->params_bytes;
            npu->params_bytes += pool->file_bytes;
            npu->order[npu->order_count++] = i;
        }
}

static bool find_params(struct loading *load) {
    struct rp_npu *npu = load->npu;
    npu->pool_count = npu->memory.used.count;
    npu->pools = rp_alloc(load->arena, npu->pool_count + 1, sizeof *npu->pools);
    for (size_t i = 0; i < npu->pool_count; i++) {
        struct rp_npu_pool *pool = &npu->pools[i];
        pool->used = &npu->memory.used.items[i];
        if (!pool->used->has_params)
            continue;
        if (!find_raw(load, pool) || !check_raw(load, pool))
            return false;
        rp_strings_push(load->arena, &load->model->used_files, pool->raw);
    }
    place_params(npu);
    return check_unused_raws(load);
}

/* ---- the network ---- */

static bool parse(struct loading *load) {
    struct rp_bytes text;
    if (!rp_file_read(load->arena, load->input->path, SOURCE_MAX, &text, load->err))
        return false;
    size_t mark = text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* UTF-8 */
    const struct rp_aton_text source = {load->input->path, (const char *)text.data + mark,
                                        text.size - mark};
    if (!rp_aton_parse(&load->npu->aton, load->arena, &source, load->err) ||
        !rp_aton_memory(&load->npu->memory, load->arena, &load->npu->aton, load->err))
        return false;
    const char *header = load->npu->aton.blobs_header;
    const char *path = header != NULL ? rp_path_join(load->arena, load->dir, header) : NULL;
    if (path == NULL)
        return true;
    if (!rp_path_is_file(path))
        return rp_fail(load->err, RP_E_INPUT,
                       "'%s' includes '%s', which is not beside it: the epoch controller's blobs "
                       "are missing",
                       load->input->path, header);
    rp_strings_push(load->arena, &load->model->used_files, path);
    return true;
}

static const struct rp_dtype *dtype_of(const char *name) {
    static const struct {
        const char *theirs;
        const char *ours;
    } names[] = {
        {"FLOAT", "float32"}, {"DOUBLE", "float64"}, {"INT8", "int8"},   {"UINT8", "uint8"},
        {"INT16", "int16"},   {"UINT16", "uint16"},  {"INT32", "int32"}, {"UINT32", "uint32"},
        {"INT64", "int64"},   {"UINT64", "uint64"},  {"BOOL", "bool"},
    };
    const char *type = rp_has_prefix(name, "DataType_") ? name + strlen("DataType_") : name;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(type, names[i].theirs) == 0)
            return rp_dtype_find(names[i].ours);
    return NULL; /* fixed-point and 4-bit types have no C type */
}

/* Inputs and outputs for people and dashboards; types without a C type are left out. */
static void describe_tensors(struct loading *load) {
    for (size_t i = 0; i < load->npu->aton.buffers.count; i++) {
        const struct rp_aton_buffer *buffer = &load->npu->aton.buffers.items[i];
        const struct rp_aton_integers *shape =
            buffer->mem_shape.items != NULL ? &buffer->mem_shape : &buffer->shape;
        struct rp_tensor tensor = {.name = buffer->name, .dtype = dtype_of(buffer->type)};
        if (buffer->table == RP_ATON_INTERNAL || buffer->is_param || tensor.dtype == NULL)
            continue;
        for (; tensor.rank < RP_RANK_MAX && tensor.rank < shape->count; tensor.rank++)
            tensor.shape[tensor.rank] = (uint32_t)shape->items[tensor.rank];
        if (buffer->scale.count == 1 && buffer->offset.count == 1) {
            tensor.quantised = true;
            tensor.scale = buffer->scale.items[0];
            tensor.zero_point = (int32_t)buffer->offset.items[0];
        }
        *RP_PUSH(load->arena, buffer->table == RP_ATON_INPUT ? &load->model->inputs
                                                             : &load->model->outputs) = tensor;
    }
}

/* As the vendor's tools have it, in lower case; it is a string, so keywords of C do not matter. */
static const char *context_name(struct rp_arena *arena, const char *text) {
    char *copy = rp_format(arena, "%s%s", isdigit((unsigned char)text[0]) ? "_" : "", text);
    for (char *c = copy; *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    return copy;
}

static void name_model(struct loading *load) {
    static const char *const compilers[] = {"GCC", "CLANG", "ST_CLANG"};
    struct rp_model *model = load->model;
    struct rp_npu *npu = load->npu;
    model->name = load->stem;
    model->entry = npu->aton.network;
    model->generator = npu->aton.git_description;
    model->weights_size = npu->memory.params_size;
    model->acts_size = npu->memory.acts_size;
    const char *name = load->input->name != NULL ? load->input->name : load->stem;
    npu->c_name = context_name(load->arena, name);
    npu->runtime_desc = rp_format(load->arena, "%s (RELOC.%s)", npu->aton.git_description,
                                  compilers[load->input->npu.compiler]);
}

static bool load_model(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                       struct rp_error *err) {
    struct loading load = {.model = model, .arena = arena, .input = input, .err = err};
    load.npu = rp_alloc(arena, 1, sizeof *load.npu);
    load.npu->choice = input->npu;
    load.dir = rp_path_dir(arena, input->path);
    load.stem = rp_path_base(rp_path_stem(arena, input->path));
    model->npu = load.npu;
    rp_strings_push(arena, &model->sources, input->path);
    rp_strings_push(arena, &model->include_dirs, load.dir);
    if (!parse(&load) || !find_params(&load) || (!input->describe_only && !find_pack(&load)))
        return false;
    name_model(&load);
    describe_tensors(&load);
    return true;
}

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    return rp_npu_plan(model, build, flags, err);
}

const struct rp_dialect rp_dialect_ll_aton = {"ll-aton", recognise, load_model, plan};
