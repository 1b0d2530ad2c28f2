/* SPDX-License-Identifier: Apache-2.0 */
/* Names of flags, regions of pools: see npu_names.h. */
#include "cli/report/npu_names.h"

#include "base/buf.h"
#include "elfpack/image/reader.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/npu/memory.h"

static const struct {
    uint32_t id;
    const char *name, *symbol;
} toolchains[] = {{RELOC_TOOL_GCC, "Embedded ARM GCC", "ARM_GCC"},
                  {RELOC_TOOL_LLVM, "Embedded ARM CLANG", "ARM_CLANG"},
                  {RELOC_TOOL_ST_CLANG, "Embedded ST ARM CLANG", "ST_ARM_CLANG"},
                  {0, "unknown", "NONE"}};

static size_t toolchain_row(uint32_t flags) {
    size_t row = 0;
    while (toolchains[row].id != 0 && toolchains[row].id != RELOC_FLAGS_TOOLCHAIN(flags))
        row++;
    return row;
}

const char *rp_toolchain_name(uint32_t flags) {
    return toolchains[toolchain_row(flags)].name;
}

const char *rp_toolchain_symbol(uint32_t flags) {
    return toolchains[toolchain_row(flags)].symbol;
}

static const char *truth(bool value) {
    return value ? "True" : "False";
}

const char *rp_flags_text(struct rp_arena *arena, uint32_t flags) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(&out, "v%u.%u ", RELOC_FLAGS_MAJOR(flags), RELOC_FLAGS_MINOR(flags));
    if (RELOC_FLAGS_MAJOR(flags) == RELOC_NPU_MAJOR)
        rp_buf_printf(&out, "dbg=%s async=%s sec=%s ",
                      truth((flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0),
                      truth((flags & RELOC_NPU_FLAG_ASYNC) != 0),
                      truth((flags & RELOC_NPU_FLAG_SECURE) != 0));
    rp_buf_printf(&out, "'%s' cpuid=%03X fpu=%s float-abi=%u", rp_toolchain_name(flags),
                  RELOC_FLAGS_CPUID(flags), truth(RELOC_FLAGS_FPU(flags) != 0),
                  RELOC_FLAGS_FLOAT_ABI(flags));
    return rp_buf_text(&out);
}

static const char *pool_type_name(uint32_t flags) {
    static const char *const names[] = {"UNUSED", "RELOC", "COPY", "RESET"};
    uint32_t type = RELOC_NPU_POOL_GET_TYPE(flags);
    return type < sizeof names / sizeof names[0] ? names[type] : "?";
}

static const char *pool_data_name(uint32_t flags) {
    static const char *const names[] = {"UNDEF", "PARAM", "ACTIV", "MIXED"};
    uint32_t data = RELOC_NPU_POOL_GET_DATA(flags);
    return data < sizeof names / sizeof names[0] ? names[data] : "?";
}

static const char *pool_attr_name(uint32_t flags) {
    static const char *const names[] = {"UNDEF",  "READ",    "WRITE",  "?",
                                        "CACHED", "RCACHED", "WCACHED"};
    uint32_t attr = RELOC_NPU_POOL_GET_ATTR(flags);
    return attr < sizeof names / sizeof names[0] ? names[attr] : "?";
}

const char *rp_pool_flags_text(struct rp_arena *arena, uint32_t flags) {
    if (RELOC_NPU_POOL_GET_TYPE(flags) == RELOC_NPU_POOL_RELOC)
        return rp_format(arena, "%s.%s.%u.%s", pool_type_name(flags), pool_data_name(flags),
                         RELOC_NPU_POOL_GET_ID(flags), pool_attr_name(flags));
    return rp_format(arena, "%s.%s.%s", pool_type_name(flags), pool_data_name(flags),
                     pool_attr_name(flags));
}

const char *rp_npu_release(struct rp_arena *arena, const struct reloc_npu_view *npu, char dot) {
    return rp_format(arena, "%u.%u.%u%c%u", npu->rt_version >> 24, npu->rt_version >> 16 & 0xFFu,
                     npu->rt_version >> 8 & 0xFFu, dot, npu->rt_version_extra);
}

void rp_pool_json(struct rp_json *pool, uint32_t flags) {
    RP_JSON_PUT(pool, RP_JSON_W("flags", flags), RP_JSON_S("type", pool_type_name(flags)),
                RP_JSON_S("data", pool_data_name(flags)), RP_JSON_S("attr", pool_attr_name(flags)),
                RP_JSON_N("id", RELOC_NPU_POOL_GET_ID(flags)));
}

/* ---- regions ---- */

static bool is_inside(const struct rp_pool_region *region, uint32_t start) {
    uint32_t offset = region->address - start;
    return offset < RELOC_NPU_RAM_BYTES && region->size_bytes <= RELOC_NPU_RAM_BYTES - offset;
}

bool rp_pool_region(struct rp_pool_region *region, uint32_t flags, uint32_t dst,
                    uint32_t size_bytes) {
    uint32_t type = RELOC_NPU_POOL_GET_TYPE(flags);
    *region = (struct rp_pool_region){.address = dst, .size_bytes = reloc_npu_round8(size_bytes)};
    region->is_default =
        is_inside(region, RELOC_NPU_RAM_ADDR) || is_inside(region, RELOC_NPU_RAM_ADDR_SECURE);
    return type != RELOC_NPU_POOL_RELOC && !(type == RELOC_NPU_POOL_COPY && rp_aton_is_flash(dst));
}

const char *rp_pool_region_text(struct rp_arena *arena, const struct rp_pool_region *region,
                                const char *pool) {
    return rp_format(arena, "{0x%08x, %u} for %s: %s", region->address, region->size_bytes, pool,
                     region->is_default ? "firmware without a table has it, too"
                                        : "only firmware with this row installs the image");
}

void rp_pool_region_json(struct rp_json *list, const struct rp_pool_region *region,
                         const char *pool) {
    rp_json_push(list, RP_JSON_NEW(RP_JSON_S("pool", pool), RP_JSON_W("address", region->address),
                                   RP_JSON_N("size_bytes", region->size_bytes),
                                   RP_JSON_B("default", region->is_default)));
}
