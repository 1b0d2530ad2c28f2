/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect ll-aton: networks of the Neural-ART compiler for the NPU of the STM32N6. In: network.c,
 * <name>_ecblobs.h and <name>_atonbuf.<postfix>.raw files beside it, and the vendor's pack with the
 * LL_ATON sources. Whatever does not fit together is an error here, before anything is compiled,
 * because weights that are missing or of another generation give plausible wrong numbers.
 */
#include "toolchain/npu/ll_aton.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/series.h"
#include "toolchain/cread/define.h"
#include "toolchain/npu/blobs.h"
#include "toolchain/npu/epochs.h"
#include "toolchain/npu/parse.h"
#include "toolchain/npu/plan.h"
#include "toolchain/npu/registers.h"

enum { SOURCE_MAX = 1 << 30, HEADER_MAX = 1 << 20, RAW_ALIGN = 16, RAW_NAMES = 4 };

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
    return text != NULL && rp_has_suffix(path, ".c") &&
           strstr(text, "LL_ATON_EpochBlockItems_") != NULL;
}

/* ---- the pack ---- */

/* Decimal, octal or hexadecimal, with or without a suffix and parentheses. */
static unsigned number_of(const char *text, const char *name, bool *ok) {
    const char *value = rp_find_define(text, name);
    value = value != NULL ? value : "";
    *ok = *ok && isdigit((unsigned char)*value);
    if (!*ok)
        return 0;
    char *end;
    unsigned long number = strtoul(value, &end, 0);
    end += strspn(end, "uUlL");
    end += strspn(end, " \t)");
    *ok = number <= INT32_MAX && strchr("\r\n/", *end) != NULL; /* '\0' is among them */
    return (unsigned)number;
}

static bool read_version(struct loading *load) {
    struct rp_ll_aton *ll = &load->npu->ll_aton;
    struct rp_bytes text;
    const char *path = rp_path_join(load->arena, ll->dir, "ll_aton_version.h");
    if (!rp_file_read(load->arena, path, HEADER_MAX, &text, load->err))
        return false;
    bool ok = true;
    const char *data = (const char *)text.data,
               *name = rp_find_define(data, "LL_ATON_VERSION_NAME");
    ll->major = number_of(data, "LL_ATON_VERSION_MAJOR", &ok);
    ll->minor = number_of(data, "LL_ATON_VERSION_MINOR", &ok);
    ll->micro = number_of(data, "LL_ATON_VERSION_MICRO", &ok);
    ll->dev = number_of(data, "LL_ATON_VERSION_DEV", &ok);
    ll->is_software = rp_find_define(data, "LL_ATON_SOFTWARE_NPU") != NULL;
    name = name != NULL ? name + strspn(name, "\"") : "";
    ll->name = rp_strndup(load->arena, name, strcspn(name, "\"\r\n"));
    return ok || rp_fail(load->err, RP_E_PACK,
                         "'%s' does not define LL_ATON_VERSION_MAJOR, _MINOR, "
                         "_MICRO and _DEV as numbers",
                         path);
}

/* Can a network of this release move at all? That comes first: its files would not help. */
static bool check_release(struct loading *load) {
    const struct rp_aton_version *want = &load->npu->aton.version;
    if (!want->known)
        return rp_fail(load->err, RP_E_PACK, "%s: the network does not say its LL_ATON release",
                       load->input->path);
    if (want->major != 1 || want->minor != 0)
        return true;
    rp_fail(load->err, RP_E_PACK,
            "%s:%u: the network is for LL_ATON %u.%u.%u, which has no relocation: its networks "
            "can only be linked into a firmware",
            load->input->path, want->line, want->major, want->minor, want->micro);
    return rp_hint(load->err, "generate it again with ST Edge AI Core 2.1 or later, which has "
                              "LL_ATON 1.1");
}

/*
 * The firmware's loader compares major, minor and micro; a network with an #error compares all
 * four. A pack of another release compiles without a word and does something else.
 */
static bool check_version(struct loading *load) {
    const struct rp_ll_aton *have = &load->npu->ll_aton;
    const struct rp_aton_version *want = &load->npu->aton.version;
    bool same = have->major == want->major && have->minor == want->minor &&
                have->micro == want->micro && (have->dev == want->dev || !want->is_error);
    if (same)
        return true;
    const char *both = rp_format(
        load->arena,
        "%s:%u: the network is for LL_ATON %u.%u.%u-%u, the pack '%s' has %u.%u.%u-%u (%s)",
        load->input->path, want->line, want->major, want->minor, want->micro, want->dev, have->dir,
        have->major, have->minor, have->micro, have->dev, have->name);
    if (load->input->allow_release_mismatch) {
        rp_diagnose(load->arena, &load->model->notes, "RP1063", both);
        return true;
    }
    rp_fail(load->err, RP_E_PACK, "%s", both);
    return rp_hint(load->err, "build with the pack of the tool version that generated the network, "
                              "or generate it again");
}

static void add_dir(struct loading *load, const char *dir) {
    if (rp_path_is_dir(dir))
        rp_strings_push(load->arena, &load->model->code.include_dirs, dir);
}

/* The folder with the NPU's registers (ATON.h) differs from release to release. */
static void add_platform(struct loading *load) {
    const struct rp_pack *pack = &load->npu->pack;
    const char *const places[] = {
        rp_path_join(load->arena, pack->root, "scripts/N6_reloc/resources/platform/stm32n6"),
        rp_path_join(load->arena, pack->ai, "Npu/Devices/STM32N6XX"),
        rp_path_join(load->arena, pack->ai, "Npu/Devices/STM32N6xx")};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *dir = places[i];
        if (!rp_path_is_file(rp_path_join(load->arena, dir, "ATON.h")))
            continue;
        rp_strings_push(load->arena, &load->model->code.include_dirs, dir);
        return;
    }
}

static bool find_pack(struct loading *load) {
    struct rp_npu *npu = load->npu;
    const struct rp_pack_kernels kernels = {load->input->compiler->folder, "M55", "_PIC.a", NULL};
    if (!rp_pack_open(&npu->pack, load->model, load->arena, load->input, load->err))
        return false;
    if (load->input->compiler->is_bare && npu->pack.llvm_install_path != NULL)
        load->model->needs.extra_system_path =
            rp_path_join(load->arena, npu->pack.llvm_install_path, "bin");
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
           rp_pack_find_kernels(&npu->pack, load->model, load->arena, &kernels, load->err);
}

/* ---- initialisers ---- */

/* The generator's form of an initialiser's name, and those of the vendor's projects. */
static const struct {
    const char *word, *ending;
} forms[] = {{"atonbuf", "raw"}, {"data", "bin"}, {"atonbuf", "bin"}};
enum { FORMS = sizeof forms / sizeof forms[0], FOUND_MAX = RAW_NAMES * (FORMS - 1) };

/* base "": the name that the compiler gives in a folder of its own. */
static const char *raw_name(struct loading *load, const char *dir, const char *base,
                            const char *postfix, size_t form) {
    return rp_path_join(load->arena, dir,
                        rp_format(load->arena, "%s%s%s.%s.%s", base, base[0] != '\0' ? "_" : "",
                                  forms[form].word, postfix, forms[form].ending));
}

/* Is there no other network in the folder, to which files without a name could belong? */
static bool is_alone(struct loading *load, const char *dir) {
    struct rp_strings names = {0};
    bool alone = rp_list_dir(load->arena, dir, &names, NULL);
    for (size_t i = 0; alone && i < names.count; i++) {
        struct rp_bytes text;
        const char *path = rp_path_join(load->arena, dir, names.items[i]);
        alone = strcmp(path, load->input->path) == 0 || !rp_has_suffix(path, ".c") ||
                !rp_file_look(load->arena, path, SOURCE_MAX, &text, NULL) ||
                !recognise(path, (const char *)text.data);
    }
    return alone;
}

/* A file may belong to another network beside it, which has the same name. */
static bool is_ours(struct loading *load, const char *dir, const char *base) {
    if (base[0] == '\0')
        return is_alone(load, dir);
    const char *other = rp_path_join(load->arena, dir, rp_format(load->arena, "%s.c", base));
    return strcmp(other, load->input->path) == 0 || !rp_path_is_file(other);
}

/*
 * Lists the raw files of a pool in a folder, under all names: C names and file names may differ.
 * The names of the vendor's projects only count if there is none of the generator's.
 */
static size_t list_raws_in(struct loading *load, const char *dir, const char *postfix,
                           const char *found[FOUND_MAX]) {
    const char *network = load->npu->aton.network;
    const char *const bases[RAW_NAMES] = {
        network, load->stem, strcmp(network, "Default") == 0 ? "network" : network, ""};
    size_t count = 0;
    bool generated = false;
    for (size_t i = 0; i < FORMS * RAW_NAMES && !(generated && i >= RAW_NAMES); i++) {
        const char *base = bases[i % RAW_NAMES];
        const char *path = raw_name(load, dir, base, postfix, i / RAW_NAMES);
        bool known = i >= RAW_NAMES && base[0] == '\0';
        for (size_t k = 0; k < count; k++)
            known = known || strcmp(found[k], path) == 0;
        if (!known && rp_path_is_file(path) && is_ours(load, dir, base))
            found[count++] = path;
        generated = count != 0 && (generated || i < RAW_NAMES);
    }
    return count;
}

/* Those beside the network, else those in a folder of the include path. */
static size_t list_raws(struct loading *load, const char *postfix, const char *found[FOUND_MAX]) {
    const struct rp_strings *dirs = &load->model->code.include_dirs;
    size_t count = list_raws_in(load, load->dir, postfix, found);
    for (size_t i = 0; count == 0 && i < dirs->count; i++)
        count = list_raws_in(load, dirs->items[i], postfix, found);
    return count;
}

static bool find_raw(struct loading *load, struct rp_npu_pool *pool) {
    const struct rp_aton_pool *from = pool->used->pool;
    const char *network = load->npu->aton.network, *found[FOUND_MAX] = {NULL};
    if (from->format != NULL && strcmp(from->format, "FORMAT_RAW") != 0)
        return rp_fail(load->err, RP_E_WEIGHTS,
                       "%s:%u: the initialiser of pool %s has the format %s, and only FORMAT_RAW "
                       "is understood",
                       load->input->path, from->line, from->postfix, from->format);
    size_t count = list_raws(load, from->postfix, found);
    if (count > 1)
        return rp_fail(load->err, RP_E_WEIGHTS,
                       "pool %s of network '%s' has two initialisers, '%s' and '%s': remove "
                       "the one of another network",
                       from->postfix, network, found[0], found[1]);
    if (count == 0 && load->input->describe_only)
        return true;
    if (count == 0) {
        rp_fail(load->err, RP_E_WEIGHTS,
                "pool %s of network '%s' has %llu bytes of parameters, but there is no '%s'",
                from->postfix, network, (unsigned long long)pool->used->params_extent,
                raw_name(load, load->dir, load->stem, from->postfix, 0));
        return rp_hint(load->err, "put the .raw file of the same generation beside the C file, or "
                                  "name its folder with -I; "
                                  "pools with fformat other than FORMAT_RAW are not supported");
    }
    pool->raw = found[0];
    return rp_file_size(pool->raw, &pool->raw_size, load->err);
}

/* Are the bytes after the last parameter zero? Encrypted ones count as zero. */
static bool is_rest_zero(struct loading *load, const struct rp_npu_pool *pool, bool *zero) {
    *zero = true;
    if (pool->raw_size == pool->used->params_extent || rp_aton_is_encrypted(&load->npu->aton))
        return true;
    FILE *file = fopen(pool->raw, "rbe");
    uint64_t left = pool->raw_size - pool->used->params_extent;
    bool ok = file != NULL && fseeko(file, (off_t)pool->used->params_extent, SEEK_SET) == 0;
    while (ok && *zero && left != 0) {
        uint8_t bytes[4096];
        size_t size = left < sizeof bytes ? (size_t)left : sizeof bytes;
        ok = fread(bytes, 1, size, file) == size;
        for (size_t i = 0; ok && i < size; i++)
            *zero = *zero && bytes[i] == 0;
        left -= size;
    }
    if (!ok)
        rp_fail(load->err, RP_E_INPUT, "cannot read '%s': %s", pool->raw, strerror(errno));
    if (file != NULL)
        fclose(file);
    return ok;
}

static uint64_t padded(uint64_t size) {
    return (size + RAW_ALIGN - 1) & ~(uint64_t)(RAW_ALIGN - 1);
}

/*
 * The generator writes a pool from its start: to the last byte of its last parameter, or to the
 * last byte that the network uses, with zeros where activations are. Zeros up to the next multiple
 * of 16 do not matter. With anything else, the file is from another generation, or the tables have
 * lost a parameter.
 */
static bool check_raw(struct loading *load, const struct rp_npu_pool *pool) {
    const struct rp_aton_used *used = pool->used;
    uint64_t size = pool->raw_size, need = used->params_extent;
    bool params_only = size >= need && size <= padded(need), zero = true;
    bool whole = size >= need && size + used->doubt >= used->extent && size <= padded(used->extent);
    if ((params_only || whole) && !is_rest_zero(load, pool, &zero))
        return false;
    if ((params_only || whole) && zero)
        return true;
    const char *more =
        used->extent == need
            ? ""
            : rp_format(load->arena, ", or %s%llu with the activations behind them",
                        used->doubt != 0 ? "about " : "", (unsigned long long)used->extent);
    rp_fail(load->err, RP_E_WEIGHTS,
            "pool %s of network '%s': '%s' has %llu bytes, the network needs %llu%s%s",
            used->pool->postfix, load->npu->aton.network, pool->raw, (unsigned long long)size,
            (unsigned long long)need, more,
            size == 0 ? " (it is empty)"
            : !zero   ? ", and those behind the parameters are not all zero"
                      : "");
    return rp_hint(load->err, "the file is from another run of the generator: generate the network "
                              "again and keep all files of one run together");
}

static bool uses_params(const struct rp_npu *npu, const struct rp_aton_pool *pool) {
    for (size_t i = 0; i < npu->pool_count; i++)
        if (npu->pools[i].used->pool == pool && npu->pools[i].used->has_params)
            return true;
    return false;
}

/* There are bytes for a pool without parameters: the tables have lost them, or the file is old. */
static bool check_unused_raw(struct loading *load, const struct rp_aton_pool *pool) {
    const char *found[FOUND_MAX] = {NULL};
    size_t count = list_raws(load, pool->postfix, found);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = 0;
        if (!rp_file_size(found[i], &size, load->err))
            return false;
        if (size == 0)
            continue;
        if (pool->declared_bytes != 0)
            return rp_fail(load->err, RP_E_WEIGHTS,
                           "%s:%u: pool %s has %llu bytes in '%s', but the network shows no "
                           "parameters in it: were its buffer tables stripped?",
                           load->input->path, pool->line, pool->postfix, (unsigned long long)size,
                           found[i]);
        rp_fail(load->err, RP_E_WEIGHTS,
                "%s:%u: pool %s is not used, and '%s' has %llu bytes for it: the file is from "
                "another run of the generator",
                load->input->path, pool->line, pool->postfix, found[i], (unsigned long long)size);
        return rp_hint(load->err, "remove %s, and check that the other files are of this network",
                       found[i]);
    }
    return true;
}

static bool check_unused_raws(struct loading *load) {
    const struct rp_aton *aton = &load->npu->aton;
    for (size_t i = 0; i < aton->pools.count; i++) {
        const struct rp_aton_pool *pool = &aton->pools.items[i];
        if (!pool->is_virtual && !uses_params(load->npu, pool) && !check_unused_raw(load, pool))
            return false;
    }
    return true;
}

/*
 * The loader uses the place of a relative read-only pool as the base of all its addresses, those of
 * blobs included. With blobs in the params, the pool has to be the first after them, so it always
 * is.
 */
static void place_params(struct loading *load) {
    struct rp_npu *npu = load->npu;
    struct rp_model_weights *weights = &load->model->weights;
    weights->policy = RP_WEIGHTS_IN_POOLS;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < npu->pool_count; i++) {
            struct rp_npu_pool *pool = &npu->pools[i];
            if (pool->raw == NULL || (pool->used == npu->memory.relative_ro) != (pass == 0))
                continue;
            uint64_t used = pool->used->size_bytes;
            uint64_t most = pool->raw_size > used ? pool->raw_size : used;
            pool->file_bytes = (most + 7) & ~UINT64_C(7);
            pool->foff = npu->params_bytes;
            npu->params_bytes += pool->file_bytes;
            *RP_PUSH(load->arena, &weights->pools) = (struct rp_weights_pool){
                pool->raw, pool->raw_size, pool->file_bytes - pool->raw_size};
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
        if (!find_raw(load, pool) || (pool->raw != NULL && !check_raw(load, pool)))
            return false;
        if (pool->raw != NULL)
            rp_strings_push(load->arena, &load->model->code.used_files, pool->raw);
    }
    place_params(load);
    return check_unused_raws(load);
}

/* ---- the network ---- */

static bool read_text(struct loading *load, const char *path, struct rp_aton_text *text) {
    struct rp_bytes bytes;
    if (!rp_file_read(load->arena, path, SOURCE_MAX, &bytes, load->err))
        return false;
    size_t mark = bytes.size >= 3 && memcmp(bytes.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* UTF-8 */
    *text = (struct rp_aton_text){path, (const char *)bytes.data + mark, bytes.size - mark};
    return true;
}

/* The definition of the section on the compiler's command line has to reach every blob. */
static bool check_section(struct loading *load, const char *path,
                          const struct rp_aton_blobs *blobs) {
    if (!load->input->npu.ecblob_in_params)
        return true;
    for (size_t i = 0; i < blobs->count; i++)
        if (blobs->items[i].is_const && !blobs->items[i].in_section)
            return rp_fail(load->err, RP_E_ATON,
                           "%s:%u: '%s' is not in ECBLOB_CONST_SECTION, so it cannot be put in the "
                           "params: leave out -r ecblob-in-params",
                           path, blobs->items[i].line, blobs->items[i].symbol);
    return blobs->section_line == 0 ||
           rp_fail(load->err, RP_E_ATON,
                   "%s:%u: ECBLOB_CONST_SECTION is defined whether or not it is already, so blobs "
                   "cannot be put in the params: leave out -r ecblob-in-params",
                   path, blobs->section_line);
}

/* clang compiles copies of both files (rewrite.h), one of which includes the other. */
static bool check_include(struct loading *load) {
    const struct rp_npu *npu = load->npu;
    const char *header = npu->aton.blobs_header;
    bool copies = load->input->compiler->is_clang &&
                  (npu->memory.relative_ro != NULL || npu->memory.relative_rw != NULL ||
                   load->input->npu.ecblob_in_params);
    if (!copies || (!npu->aton.blobs_system && strchr(header, '/') == NULL))
        return true;
    return rp_fail(load->err, RP_E_INPUT,
                   "%s:%u: for clang, the epoch controller's blobs have to be beside the network "
                   "and included as #include \"%s\"",
                   load->input->path, npu->aton.blobs_line, rp_path_base(header));
}

static void find_registers(struct loading *load, const struct rp_aton_text *text) {
    struct rp_npu *npu = load->npu;
    const struct rp_aton_beside beside = {load->dir, npu->aton.blobs_header};
    npu->names_registers =
        npu->names_registers || rp_aton_names_registers(load->arena, text, &beside);
}

static bool read_blobs(struct loading *load) {
    const struct rp_aton *aton = &load->npu->aton;
    struct rp_aton_text text;
    struct rp_aton_blobs blobs;
    if (aton->blobs_header == NULL)
        return true;
    if (!check_include(load))
        return false;
    const char *path = rp_find_beside(load->model, load->arena, load->dir, aton->blobs_header);
    if (path == NULL && aton->blobs_system) {
        load->npu->names_registers = true; /* the compiler searches its own folders */
        return true;
    }
    if (path == NULL)
        return rp_fail(load->err, RP_E_INPUT,
                       "%s:%u: '%s' is included, and there is no '%s': the epoch controller's "
                       "blobs are missing",
                       load->input->path, aton->blobs_line, aton->blobs_header,
                       rp_path_join(load->arena, load->dir, aton->blobs_header));
    load->npu->blobs_path = path;
    rp_strings_push(load->arena, &load->model->code.used_files, path);
    if (!read_text(load, path, &text) ||
        !rp_aton_parse_blobs(&blobs, load->arena, &text, load->err) ||
        !check_section(load, path, &blobs))
        return false;
    find_registers(load, &text);
    return true;
}

static bool parse(struct loading *load) {
    struct rp_npu *npu = load->npu;
    struct rp_aton_text source;
    if (!read_text(load, load->input->path, &source) ||
        !rp_aton_parse(&npu->aton, load->arena, &source, load->err) ||
        !rp_aton_memory(&npu->memory, load->arena, &npu->aton, load->err))
        return false;
    find_registers(load, &source);
    return read_blobs(load);
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

/* Inputs and outputs for reports; types without a C type are left out. */
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

/* In lower case, as the vendor's tools write it. It is a string, so it may be a C keyword. */
static const char *context_name(struct rp_arena *arena, const char *text) {
    char *copy = rp_format(arena, "%s%s", isdigit((unsigned char)text[0]) ? "_" : "", text);
    for (char *c = copy; *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    return copy;
}

static void name_model(struct loading *load) {
    struct rp_model *model = load->model;
    struct rp_npu *npu = load->npu;
    model->name = load->stem;
    model->entry.name = npu->aton.network;
    model->generator = npu->aton.git_description;
    model->weights.size = npu->memory.params_size;
    model->acts_size = npu->memory.acts_size;
    const char *name = load->input->name != NULL ? load->input->name : load->stem;
    npu->c_name = context_name(load->arena, name);
    npu->runtime_desc = rp_format(load->arena, "%s (RELOC.%s)", npu->aton.git_description,
                                  load->input->compiler->title);
}

static bool load_model(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                       struct rp_error *err) {
    struct loading load = {.model = model, .arena = arena, .input = input, .err = err};
    load.npu = rp_alloc(arena, 1, sizeof *load.npu);
    load.npu->choice = input->npu;
    load.npu->compiler = input->compiler;
    load.dir = rp_path_dir(arena, input->path);
    load.stem = rp_path_base(rp_path_stem(arena, input->path));
    model->own = load.npu;
    rp_strings_push(arena, &model->code.sources, input->path);
    /* headers in those folders may name registers */
    load.npu->names_registers = model->code.include_dirs.count != 0;
    rp_strings_push(arena, &model->code.include_dirs, load.dir);
    if (!parse(&load) || (!input->describe_only && !check_release(&load)) || !find_params(&load) ||
        (!input->describe_only && !find_pack(&load)))
        return false;
    name_model(&load);
    describe_tensors(&load);
    const struct rp_target *own = &rp_target_neural_art;
    const char *series = input->target != NULL ? input->target->series : own->series;
    return strcmp(series, own->series) == 0 ||
           strcmp(series, own->core->cpu) == 0 || /* other vendors' have no Neural-ART */
           rp_fail(err, RP_E_USAGE, "a Neural-ART network runs on stm32n6 only, the target is '%s'",
                   series);
}

const struct rp_dialect rp_dialect_ll_aton = {
    .name = "ll-aton",
    .models = "Neural-ART networks",
    .takes = RP_TAKES_CUSTOM | RP_TAKES_NPU_ITEMS,
    .image = &rp_image_neural_art,
    .target = &rp_target_neural_art,
    .own_glue = true,
    .has_companions = true,
    .recognise = recognise,
    .load = load_model,
    .plan = rp_npu_plan,
    .name_nodes = rp_npu_name_epochs,
};
