/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of Neural-ART images: see npu.h. */
#include "cli/report/npu.h"

#include <elf.h>
#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/report/npu_names.h"
#include "cli/terminal.h"
#include "cli/report/table.h"
#include "cli/version.h"
#include "elfpack/image/reader.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/npu/plan.h"

/* ---- rows of the pool table, as linked ---- */

struct pool_row {
    const char *name;
    uint32_t name_address, flags, foff, dst, size;
};

static bool pool_row(const struct rp_package *package, size_t index, struct pool_row *row) {
    const struct rp_layout *layout = &package->placed.layout;
    const uint8_t *at = layout->parts.data->contents + layout->parts.header.pools_at +
                        index * (size_t)RELOC_NPU_POOL_BYTES;
    const struct rp_npu *npu = rp_npu_of(&package->model);
    if (index >= npu->pool_count)
        return false;
    *row = (struct pool_row){
        .name = npu->pools[index].used->pool->postfix,
        .name_address = rp_get_le32(at + RELOC_NPU_POOL_NAME),
        .flags = rp_get_le32(at + RELOC_NPU_POOL_FLAGS),
        .foff = rp_get_le32(at + RELOC_NPU_POOL_FOFF),
        .dst = rp_get_le32(at + RELOC_NPU_POOL_DST),
        .size = rp_get_le32(at + RELOC_NPU_POOL_SIZE),
    };
    return true;
}

static void put_pool_table(const struct rp_package *package, struct rp_buf *out) {
    struct rp_arena *arena = package->arena;
    struct rp_table table = {.arena = arena, .columns = 5};
    struct pool_row row;
    size_t count = 0;
    rp_table_row(&table, (const char *const[]){"name (addr)", "flags", "foff", "dst", "size"});
    for (; pool_row(package, count, &row); count++)
        rp_table_row(
            &table,
            (const char *const[]){
                rp_format(arena, "%s (0x%08x)", row.name, row.name_address),
                rp_format(arena, "0x%08x %s", row.flags, rp_pool_flags_text(arena, row.flags)),
                rp_format(arena, "%u", row.foff), rp_format(arena, "0x%08x", row.dst),
                rp_format(arena, "%u", row.size)});
    rp_table_row(&table, (const char *const[]){"<undefined> (0x00000000)", "0x00000000 UNUSED", "0",
                                               "0x00000000", "0"});
    rp_table_print(&table, out);
    rp_buf_printf(out, "  Table: mempool c-descriptors (off=%08x, %zu entries, from RAM)\n",
                  RELOC_NPU_SEG_RAM | package->placed.layout.parts.header.pools_at, count + 1);
}

static void put_regions(const struct rp_package *package, struct rp_buf *out) {
    struct rp_pool_region region;
    struct pool_row row;
    const char *head = "\n Rows that LL_ATON_RELOC_REGIONS needs:\n";
    for (size_t i = 0; pool_row(package, i, &row); i++)
        if (rp_pool_region(&region, row.flags, row.dst, row.size)) {
            rp_buf_printf(out, "%s  %s\n", head,
                          rp_pool_region_text(package->arena, &region, row.name));
            head = "";
        }
}

/* ---- blobs of the epoch controller ---- */

struct blob {
    const char *name;
    const char *copy; /* how the generator marks the run-time copy; "": there is none */
    uint64_t bss;
    uint64_t rodata;
};

struct blobs {
    struct blob *items;
    size_t count;
    size_t capacity;
};

/*
 * A blob that is patched has a second array. How that is named depends on the release: _ec_blob_1
 * and _ec_blob_1_reloc (1.1.0), …_1 and …_1_binary (1.1.1), …_1_ptr and …_1 (1.1.3).
 */
static struct blob *blob_of(struct blobs *blobs, struct rp_arena *arena, const char *symbol) {
    static const char *const marks[] = {"_reloc", "_binary", "_ptr"};
    const char *mark = "";
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (rp_has_suffix(symbol, marks[i]))
            mark = marks[i] + 1;
    size_t tail = mark[0] != '\0' ? strlen(mark) + 1 : 0;
    const char *name = rp_strndup(arena, symbol, strlen(symbol) - tail);
    struct blob *found = NULL;
    for (size_t i = 0; i < blobs->count && found == NULL; i++)
        if (strcmp(blobs->items[i].name, name) == 0)
            found = &blobs->items[i];
    if (found == NULL) {
        found = RP_PUSH(arena, blobs);
        *found = (struct blob){.name = name, .copy = ""};
    }
    if (mark[0] != '\0')
        found->copy = mark;
    return found;
}

static void find_blobs(const struct rp_package *package, struct blobs *blobs) {
    for (size_t i = 0; i < package->linked.elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->linked.elf.symbols[i];
        if (symbol->type != STT_OBJECT || !rp_has_prefix(symbol->name, "_ec_blob_") ||
            rp_has_suffix(symbol->name, "_prev_base_addrs"))
            continue;
        struct blob *blob = blob_of(blobs, package->arena, symbol->name);
        if ((symbol->value & RELOC_SEG_MASK) == RELOC_NPU_SEG_RAM)
            blob->bss += symbol->size;
        else
            blob->rodata += symbol->size;
    }
}

static void put_blob_table(const struct rp_package *package, struct rp_buf *out) {
    struct rp_arena *arena = package->arena;
    struct rp_table table = {.arena = arena, .columns = 4, .centred = true};
    struct blobs blobs = {0};
    uint64_t bss = 0, rodata = 0;
    find_blobs(package, &blobs);
    if (blobs.count == 0)
        return;
    rp_table_row(&table, (const char *const[]){"Name", "bss", "ro data", "reloc"});
    for (size_t i = 0; i < blobs.count; i++) {
        const struct blob *blob = &blobs.items[i];
        bss += blob->bss;
        rodata += blob->rodata;
        rp_table_row(&table,
                     (const char *const[]){
                         blob->name, blob->bss != 0 ? rp_commas(arena, blob->bss) : "",
                         rp_commas(arena, blob->rodata),
                         blob->copy[0] != '\0' ? rp_format(arena, "r:%s", blob->copy) : ""});
    }
    rp_table_row(&table, (const char *const[]){"", "", "", ""});
    rp_table_row(&table, (const char *const[]){"total", rp_commas(arena, bss),
                                               rp_commas(arena, rodata), ""});
    rp_buf_puts(out, "\n");
    rp_table_print(&table, out);
    rp_buf_printf(out, "  Table: EC blob objects (%zu)%s\n", blobs.count,
                  package->placed.layout.parts.ec_blobs != NULL ? ", in the params" : "");
}

/* ---- text ---- */

static void put_text(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_package *package = report->package;
    const struct rp_npu *npu = rp_npu_of(&package->model);
    rp_buf_puts(out, "\n");
    put_pool_table(package, out);
    if (report->run.source->console.verbose >= 2)
        put_blob_table(package, out);
    rp_buf_printf(out, "\n rt_ctx: c_name=\"%s\", acts_sz=%s, params_sz=%s, ext_ram_sz=%s\n",
                  npu->c_name, rp_commas(package->arena, report->image.acts_size),
                  rp_commas(package->arena, report->image.weights_size),
                  rp_commas(package->arena, report->image.ext_ram_size));
    rp_buf_printf(out, " rt_ctx: rt_version_desc=\"%s\"\n", npu->runtime_desc);
    rp_buf_printf(out, " pack:   %s (%u.%u.%u-%u)\n", npu->ll_aton.name, npu->ll_aton.major,
                  npu->ll_aton.minor, npu->ll_aton.micro, npu->ll_aton.dev);
    put_regions(package, out);
}

static void describe_pool(const struct rp_npu_pool *pool, struct rp_arena *arena, FILE *out) {
    const struct rp_aton_used *used = pool->used;
    fprintf(out, "pool      %-12s %-24s at 0x%08x  %llu bytes, %llu of parameters%s%s\n",
            used->pool->postfix, rp_pool_flags_text(arena, used->flags), used->pool->offset,
            (unsigned long long)used->size_bytes, (unsigned long long)used->params_extent,
            pool->raw != NULL  ? " from "
            : used->has_params ? ", whose .raw file is not there"
                               : "",
            pool->raw != NULL ? rp_path_base(pool->raw) : "");
}

static void describe(const struct rp_model *model, struct rp_arena *arena, FILE *out) {
    const struct rp_npu *npu = rp_npu_of(model);
    static const char *const kinds[] = {"other", "hw", "sw", "hybrid", "blob", "internal"};
    const struct rp_aton *aton = &npu->aton;
    size_t count[sizeof kinds / sizeof kinds[0]] = {0};
    fprintf(out, "network   %s\ndialect   ll-aton\ngenerator %s\nrelease   %u.%u.%u-%u\n",
            rp_printable(arena, aton->network), rp_printable(arena, aton->git_description),
            aton->version.major, aton->version.minor, aton->version.micro, aton->version.dev);
    for (size_t i = 0; i < aton->epochs.count; i++)
        count[aton->epochs.items[i].kind]++;
    fprintf(out, "epochs    %zu", aton->epochs.count);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (count[i] != 0)
            fprintf(out, ", %zu %s", count[i], kinds[i]);
    fputc('\n', out);
    for (size_t i = 0; i < npu->pool_count; i++)
        describe_pool(&npu->pools[i], arena, out);
    fprintf(out, "params    %llu bytes\nacts      %llu bytes\next ram   %llu bytes\n",
            (unsigned long long)npu->memory.params_size, (unsigned long long)npu->memory.acts_size,
            (unsigned long long)npu->memory.ext_ram_size);
}

/* ---- the C array ---- */

static void put_macros(const struct rp_package *package, struct rp_buf *out) {
    const struct rp_npu *npu = rp_npu_of(&package->model);
    struct rp_arena *arena = package->arena;
    const char *up = rp_upper(arena, package->model.c_name);
    struct rp_pool_region region;
    struct pool_row row;
    rp_buf_printf(out, "#define AI_%s_RELOC_EXT_RAM_SIZE     (%lluu)\n", up,
                  (unsigned long long)npu->memory.ext_ram_size);
    rp_buf_printf(out, "#define AI_%s_RELOC_C_NAME           \"%s\"\n", up,
                  rp_c_string(arena, npu->c_name));
    rp_buf_printf(out, "#define AI_%s_RELOC_RT_DESC          \"%s\"\n", up,
                  rp_c_string(arena, npu->runtime_desc));
    for (size_t i = 0; pool_row(package, i, &row); i++) {
        rp_buf_printf(out, "\n#define AI_%s_RELOC_MPOOL_DESC_%zu_NAME  \"%s\"\n", up, i,
                      rp_c_string(arena, row.name));
        rp_buf_printf(out, "#define AI_%s_RELOC_MPOOL_DESC_%zu_FLAGS (0x%08xu) /* %s */\n", up, i,
                      row.flags, rp_pool_flags_text(arena, row.flags));
        rp_buf_printf(out, "#define AI_%s_RELOC_MPOOL_DESC_%zu_FOFF  (%uu)\n", up, i, row.foff);
        rp_buf_printf(out, "#define AI_%s_RELOC_MPOOL_DESC_%zu_DST   (0x%08xu)\n", up, i, row.dst);
        rp_buf_printf(out, "#define AI_%s_RELOC_MPOOL_DESC_%zu_SIZE  (%uu)\n", up, i, row.size);
    }
    rp_buf_printf(out,
                  "\n/* const ll_aton_reloc_region table[] = {AI_%s_RELOC_REGIONS {0, 0}};\n"
                  " * where LL_ATON_RELOC_REGIONS is the table. */\n"
                  "#define AI_%s_RELOC_REGIONS",
                  up, up);
    for (size_t i = 0; pool_row(package, i, &row); i++)
        if (rp_pool_region(&region, row.flags, row.dst, row.size))
            rp_buf_printf(out, " \\\n    {0x%08xu, %uu}, /* MPOOL_DESC_%zu */", region.address,
                          region.size_bytes, i);
    rp_buf_puts(out, "\n");
}

/* ---- diagnostics ---- */

/* By default, clang's enums are as large as an int. The loader compares the sizes of structs. */
static bool enums_are_long(const struct rp_package *package, const struct rp_npu *npu) {
    enum { BUFFER_INFO_BYTES = 0x38 };
    return npu->compiler->is_clang &&
           (rp_parts_context_word(&package->placed.layout.parts, RELOC_NPU_CTX_STRUCT_SIZES) &
            0xFFu) != BUFFER_INFO_BYTES;
}

/*
 * Internal memory has two addresses, and bit 28 makes the secure one (RM0486, memory map). The
 * compiler takes them from the memory-pool file, which does not know for what firmware it is.
 * Images of clang are not secure, but not by the user's choice: secure firmware takes them, too.
 */
static void compare_security(struct rp_report *report, const struct rp_npu *npu) {
    const uint32_t internal_end = 0x40000000, secure_bit = 0x10000000;
    struct rp_arena *arena = report->package->arena;
    bool secure = !npu->choice.no_secure;
    const struct rp_aton_pool *first = NULL;
    struct rp_buf names = {.arena = arena};
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_aton_pool *pool = npu->pools[i].used->pool;
        if (!pool->is_absolute || pool->offset >= internal_end ||
            ((pool->offset & secure_bit) != 0) == secure)
            continue;
        rp_buf_printf(&names, "%s%s (0x%08x)", first != NULL ? ", " : "", pool->postfix,
                      pool->offset);
        first = first != NULL ? first : pool;
    }
    if (first == NULL || (secure && npu->compiler->is_clang))
        return;
    const char *other =
        rp_format(arena, "0x%08x for %s", first->offset ^ secure_bit, first->postfix);
    struct rp_diagnostic *note = rp_report_say(
        report, "RP1071",
        secure ? rp_format(arena,
                           "memory pools at non-secure addresses, in an image for secure firmware "
                           "(without -r no-secure): %s",
                           names.data)
               : rp_format(arena,
                           "memory pools at secure addresses, in an image for non-secure firmware "
                           "(-r no-secure), which has no access to them: %s",
                           names.data));
    note->hint =
        rp_format(arena,
                  "%s -r no-secure, or put %s addresses into the memory-pool file (%s) and "
                  "compile the network again",
                  secure ? "give" : "leave out", secure ? "secure" : "non-secure", other);
}

static void add_notes(struct rp_report *report) {
    const struct rp_package *package = report->package;
    const struct rp_npu *npu = rp_npu_of(&package->model);
    for (size_t i = 0; i < npu->memory.warnings.count; i++)
        rp_report_say(report, "RP1010", npu->memory.warnings.items[i]);
    compare_security(report, npu);
    if (npu->ll_aton.dev != npu->aton.version.dev &&
        npu->ll_aton.micro == npu->aton.version.micro &&
        npu->ll_aton.minor == npu->aton.version.minor)
        rp_report_say(report, "RP1011",
                      rp_format(package->arena,
                                "the network is for LL_ATON %u.%u.%u-%u, the pack is -%u: the "
                                "loader takes it for the same",
                                npu->aton.version.major, npu->aton.version.minor,
                                npu->aton.version.micro, npu->aton.version.dev, npu->ll_aton.dev));
    if (enums_are_long(package, npu))
        rp_report_say(report, "RP1013",
                      "structs of the runtime are larger than those of gcc and Arm's compilers: "
                      "firmware built by these refuses the image; give --compatible-mode");
    if (npu->choice.ecblob_in_params && npu->aton.blobs_header == NULL)
        rp_report_say(report, "RP1068",
                      "-r ecblob-in-params has no effect: the network has no blobs, since it does "
                      "not use the epoch controller");
    if (rp_aton_is_encrypted(&npu->aton) && npu->params_bytes != 0 && !report->split)
        rp_report_say(report, "RP1069",
                      "the weights are encrypted for one address, and inside the image they move "
                      "with it: give -r split and place NAME_data.bin at that address");
    if (package->placed.layout.words.text_patches != 0)
        rp_report_say(report, "RP1012",
                      rp_format(package->arena,
                                "%u words of read-only memory are set at installation: the image "
                                "can be installed in COPY mode only",
                                package->placed.layout.words.text_patches));
}

/* ---- JSON ---- */

static void put_pools(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "pools");
    struct pool_row row;
    for (size_t i = 0; pool_row(package, i, &row); i++) {
        struct rp_json *item = RP_JSON_NEW(RP_JSON_S("name", row.name));
        rp_pool_json(item, row.flags);
        RP_JSON_PUT(item, RP_JSON_N("foff", row.foff), RP_JSON_W("dst", row.dst),
                    RP_JSON_N("size_bytes", row.size));
        rp_json_push(list, item);
    }
}

static void put_region_rows(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "regions");
    struct rp_pool_region region;
    struct pool_row row;
    for (size_t i = 0; pool_row(package, i, &row); i++)
        if (rp_pool_region(&region, row.flags, row.dst, row.size))
            rp_pool_region_json(list, &region, row.name);
}

static void put_blobs(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "ec_blobs");
    struct blobs blobs = {0};
    find_blobs(package, &blobs);
    for (size_t i = 0; i < blobs.count; i++)
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("name", blobs.items[i].name),
                                       RP_JSON_N("bss", blobs.items[i].bss),
                                       RP_JSON_N("rodata", blobs.items[i].rodata),
                                       RP_JSON_B("reloc", blobs.items[i].copy[0] != '\0')));
}

static void put_runtime(struct rp_json *root, struct rp_arena *arena, const struct rp_npu *npu) {
    rp_json_put(root, "runtime",
                RP_JSON_NEW(RP_JSON_S("description", npu->runtime_desc),
                            RP_JSON_S("pack", npu->ll_aton.name),
                            RP_JSON_S("version", rp_format(arena, "%u.%u.%u-%u", npu->ll_aton.major,
                                                           npu->ll_aton.minor, npu->ll_aton.micro,
                                                           npu->ll_aton.dev))));
}

/* ---- the members of the vendor's JSON: version 1.0 of it, by npu_driver.py 1.4 ---- */

static void put_vendor_flags(struct rp_json *image, struct rp_arena *arena, uint32_t flags) {
    struct rp_json *object = rp_json_new_object(image, "flags");
    char cpuid[8];
    snprintf(cpuid, sizeof cpuid, "%03X", RELOC_FLAGS_CPUID(flags));
    RP_JSON_PUT(object, RP_JSON_N("vers_major", RELOC_FLAGS_MAJOR(flags)),
                RP_JSON_N("vers_minor", RELOC_FLAGS_MINOR(flags)),
                RP_JSON_B("secure", (flags & RELOC_NPU_FLAG_SECURE) != 0),
                RP_JSON_B("dbg_info", (flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0),
                RP_JSON_B("async_mode", (flags & RELOC_NPU_FLAG_ASYNC) != 0),
                RP_JSON_S("toolchain", rp_toolchain_symbol(flags)),
                RP_JSON_N("float-abi", RELOC_FLAGS_FLOAT_ABI(flags)),
                RP_JSON_B("fpu", RELOC_FLAGS_FPU(flags) != 0), RP_JSON_S("cpuid", cpuid),
                RP_JSON_S("description", rp_flags_text(arena, flags)));
}

static void put_vendor_sizes(struct rp_json *image, const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    rp_json_put(image, "sections",
                RP_JSON_NEW(RP_JSON_N("header", rp_parts_header_bytes(&layout->parts)),
                            RP_JSON_N("data", layout->parts.bounds.data_end),
                            RP_JSON_N("bss", (int64_t)layout->parts.bounds.bss_end -
                                                 layout->parts.bounds.bss_start),
                            RP_JSON_N("got", (int64_t)layout->parts.bounds.got_end -
                                                 layout->parts.bounds.got_start),
                            RP_JSON_N("rel", 4 * (int64_t)layout->words.listed.count)));
    RP_JSON_PUT(image, RP_JSON_N("img_size", report->image.image.length),
                RP_JSON_N("params_offset", report->image.weights_start),
                RP_JSON_N("params_size", rp_weights_size(&report->package->placed.weights)),
                RP_JSON_N("xip_size", rp_parts_ram_xip(&layout->parts)),
                RP_JSON_N("copy_size", rp_parts_ram_copy(&layout->parts)),
                RP_JSON_N("ro_size", layout->parts.bounds.ro_size),
                RP_JSON_N("rw_size", layout->parts.bounds.bss_end));
}

static void put_vendor_pools(struct rp_json *image, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(image, "mempool_c_descriptors");
    struct pool_row row;
    for (size_t i = 0; pool_row(package, i, &row); i++)
        rp_json_push(
            list,
            RP_JSON_NEW(RP_JSON_S("name", row.name), RP_JSON_W("addr", row.name_address),
                        RP_JSON_W("flags_raw", row.flags),
                        RP_JSON_S("flags_desc", rp_pool_flags_text(package->arena, row.flags)),
                        RP_JSON_N("foff", row.foff), RP_JSON_W("dst", row.dst),
                        RP_JSON_N("size", row.size)));
}

static void put_vendor_context(struct rp_json *image, const struct rp_report *report,
                               const struct rp_npu *npu) {
    const struct rp_layout *layout = &report->package->placed.layout;
    uint32_t sizes = rp_parts_context_word(&layout->parts, RELOC_NPU_CTX_STRUCT_SIZES);
    struct rp_json *ctx = rp_json_new_object(image, "rt_context");
    RP_JSON_PUT(
        ctx, RP_JSON_S("c_name", npu->c_name), RP_JSON_N("acts_sz", report->image.acts_size),
        RP_JSON_N("params_sz", report->image.weights_size),
        RP_JSON_N("ext_ram_sz", report->image.ext_ram_size),
        RP_JSON_S("rt_version_desc", npu->runtime_desc),
        RP_JSON_N("rt_version", rp_parts_context_word(&layout->parts, RELOC_NPU_CTX_RT_VERSION)),
        RP_JSON_N("rt_version_extra",
                  rp_parts_context_word(&layout->parts, RELOC_NPU_CTX_RT_VERSION_EXTRA)),
        RP_JSON_N("params_bin_sz", rp_weights_size(&report->package->placed.weights)),
        RP_JSON_W("params_bin_crc32", report->image.params_crc32));
    rp_json_put(ctx, "rt_c_struct_sizes",
                RP_JSON_NEW(RP_JSON_N("ll_buffer_info", sizes & 0xFFu),
                            RP_JSON_N("epochblock_item", sizes >> 8 & 0xFFu)));
}

/* Warnings are marked as the vendor's tools mark theirs. */
static void put_vendor_notes(struct rp_json *image, const struct rp_report *report) {
    struct rp_json *notes = rp_json_new_array(image, "notes");
    for (size_t i = 0; i < report->diagnostics->count; i++) {
        const struct rp_diagnostic *said = &report->diagnostics->items[i];
        const char *mark = strcmp(said->severity, "warning") == 0 ? "WARNING" : "INFO";
        rp_json_push_string(notes,
                            rp_format(report->package->arena, "[%s] %s", mark, said->message));
    }
}

static void put_vendor_files(struct rp_json *image, const struct rp_report *report) {
    struct rp_json *files = rp_json_new_array(image, "gen_files");
    struct rp_arena *arena = report->package->arena;
    for (size_t i = 0; i < report->files.count; i++) {
        const char *name = report->files.items[i].name, *path = name;
        if (!report->run.reproducible)
            path = rp_path_absolute(arena, rp_path_join(arena, report->run.output, name), NULL);
        rp_json_push(files, RP_JSON_NEW(RP_JSON_N("size", report->files.items[i].sum.length),
                                        RP_JSON_S("path", path != NULL ? path : name)));
    }
}

/*
 * Scripts that read the vendor's file find its members where the vendor's driver puts them; none of
 * them has the name of one of ours. The versions of its scripts say which members these are.
 */
static void put_vendor(struct rp_json *root, const struct rp_report *report,
                       const struct rp_npu *npu) {
    const struct rp_aton *aton = &npu->aton;
    rp_json_put_string(root, "version", "1.0");
    if (!report->run.reproducible)
        rp_json_put_string(root, "created-date", report->run.created);
    rp_json_put(root, "versions",
                RP_JSON_NEW(RP_JSON_S("npu_driver", "1.4"), RP_JSON_S("prepare_c_file", "1.1"),
                            RP_JSON_S("post-process", "1.0")));
    struct rp_json *compiler = rp_json_new_object(root, "compiler");
    rp_json_put_string(compiler, "description", aton->git_description);
    rp_json_put(compiler, "version",
                RP_JSON_NEW(RP_JSON_N("major", aton->version.major),
                            RP_JSON_N("minor", aton->version.minor),
                            RP_JSON_N("patch", aton->version.micro),
                            RP_JSON_N("build", aton->version.dev)));
    struct rp_json *image = rp_json_new_object(root, "reloc_binary_image");
    put_vendor_flags(image, report->package->arena,
                     report->package->placed.layout.parts.header.flags);
    put_vendor_sizes(image, report);
    put_vendor_pools(image, report->package);
    put_vendor_context(image, report, npu);
    RP_JSON_PUT(image,
                RP_JSON_N("img_params_size", rp_weights_size(&report->package->placed.weights)),
                RP_JSON_N("acts_size", report->image.acts_size));
    put_vendor_notes(image, report);
    put_vendor_files(image, report);
}

static void put_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_npu *npu = rp_npu_of(&report->package->model);
    put_pools(root, report->package);
    put_region_rows(root, report->package);
    put_blobs(root, report->package);
    put_runtime(root, report->package->arena, npu);
    put_vendor(root, report, npu);
}

/* Of the vendor's two tools, the one for Neural-ART writes the details without commas. */
static const char *without_commas(struct rp_arena *arena, uint64_t value) {
    return rp_format(arena, "%llu", (unsigned long long)value);
}

const struct rp_report_format rp_report_neural_art = {
    .series_mark = "npu",
    .weights_part = "params",
    .weights_align = RELOC_NPU_ALIGN,
    .acts_segment = "pools",
    .copy_reason = "words of read-only memory are set at installation",
    .getter_type = "uintptr_t ",
    .getter_is_number = true,
    .detail = without_commas,
    .text = put_text,
    .json = put_json,
    .notes = add_notes,
    .macros = put_macros,
    .describe = describe,
};
