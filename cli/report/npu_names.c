/* SPDX-License-Identifier: Apache-2.0 */
/* Names of flags: see npu_names.h. */
#include "cli/report/npu_names.h"

#include "runtime/reloc_format.h"

const char *rp_toolchain_name(uint32_t flags) {
    switch (RELOC_FLAGS_TOOLCHAIN(flags)) {
    case RELOC_TOOL_GCC:
        return "Embedded ARM GCC";
    case RELOC_TOOL_LLVM:
        return "Embedded ARM CLANG";
    case RELOC_TOOL_ST_CLANG:
        return "Embedded ST CLANG";
    default:
        return "unknown";
    }
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

void rp_pool_json(struct rp_json *pool, uint32_t flags) {
    RP_JSON_PUT(pool, RP_JSON_W("flags", flags), RP_JSON_S("type", pool_type_name(flags)),
                RP_JSON_S("data", pool_data_name(flags)), RP_JSON_S("attr", pool_attr_name(flags)),
                RP_JSON_N("id", RELOC_NPU_POOL_GET_ID(flags)));
}
