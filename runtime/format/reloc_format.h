/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a relocatable image: offsets, segments, flags and codes. First the Cortex-M image
 * (version 2.0); at the end, with the prefix RELOC_NPU_, where a Neural-ART image (version 8.0)
 * differs. The writer on the host and the loaders on the target include this one file.
 * docs/FORMAT.md says the same in prose. All words are little-endian u32; on purpose, nothing here
 * is a C struct.
 */
#ifndef RELOC_FORMAT_H
#define RELOC_FORMAT_H

#include <stdint.h>

#define RELOC_MAGIC UINT32_C(0x4E49424E) /* bytes "NBIN" */

/* ---- header: byte offsets ---- */
enum reloc_header {
    RELOC_HDR_MAGIC = 0,
    RELOC_HDR_FLAGS = 4,
    RELOC_HDR_DATA_START = 8,     /* RAM: always RAM offset 0 */
    RELOC_HDR_DATA_END = 12,      /* RAM: end of .data, the GOT not counted */
    RELOC_HDR_DATA_DATA = 16,     /* FLASH: load image of .data = size of header+text+rodata */
    RELOC_HDR_BSS_START = 20,     /* RAM */
    RELOC_HDR_BSS_END = 24,       /* RAM: its offset is the RAM size in XIP mode */
    RELOC_HDR_GOT_START = 28,     /* RAM */
    RELOC_HDR_GOT_END = 32,       /* RAM */
    RELOC_HDR_REL_START = 36,     /* FLASH: file offset of the list of RAM words to rebase */
    RELOC_HDR_REL_END = 40,       /* FLASH */
    RELOC_HDR_WEIGHTS_START = 44, /* FLASH, both 0 when the weights are in a file of their own */
    RELOC_HDR_WEIGHTS_END = 48,   /* FLASH */
    RELOC_HDR_ENTRIES = 52,       /* 12 words, enum reloc_entry */
    RELOC_HDR_BYTES = 100
};

/* ---- entry vector: word index from RELOC_HDR_ENTRIES; FLASH with the Thumb bit, but the last ----
 */
enum reloc_entry {
    RELOC_ENTRY_CREATE,
    RELOC_ENTRY_INIT,
    RELOC_ENTRY_INIT_V2,
    RELOC_ENTRY_RUN,
    RELOC_ENTRY_REPORT,
    RELOC_ENTRY_ERROR,
    RELOC_ENTRY_DESTROY,
    RELOC_ENTRY_FORWARD,
    RELOC_ENTRY_OBS_REGISTER,
    RELOC_ENTRY_OBS_UNREGISTER,
    RELOC_ENTRY_OBS_NODE_INFO,
    RELOC_ENTRY_CTX, /* RAM address of the context */
    RELOC_ENTRY_COUNT
};

/* ---- segment addresses: the top nibble names the segment, the rest is an offset in it ---- */
#define RELOC_SEG_MASK    UINT32_C(0xF0000000)
#define RELOC_OFFSET_MASK UINT32_C(0x0FFFFFFF)
#define RELOC_SEG_FLASH   UINT32_C(0x20000000)
#define RELOC_SEG_RAM     UINT32_C(0x80000000)
/*
 * These two are never in the header, the GOT or REL: loaders do not know them. They are link
 * addresses, and the targets of the fix-up table that the image's own boot code applies (see
 * below).
 */
#define RELOC_SEG_WEIGHTS UINT32_C(0x40000000)
#define RELOC_SEG_ACTS    UINT32_C(0xA0000000)
/* Only as a target of fix-ups: RELOC_IMPORT_TARGET, a symbol of the firmware. */
#define RELOC_SEG_IMPORT UINT32_C(0xC0000000)

/* ---- flags word ---- */
#define RELOC_FLAGS_MAJOR(f)     (((f) >> 28) & 0xFu)
#define RELOC_FLAGS_MINOR(f)     (((f) >> 24) & 0xFu)
#define RELOC_FLAGS_TOOLCHAIN(f) (((f) >> 16) & 0xFu)
#define RELOC_FLAGS_FLOAT_ABI(f) (((f) >> 13) & 0x3u)
#define RELOC_FLAGS_FPU(f)       (((f) >> 12) & 0x1u)
#define RELOC_FLAGS_CPUID(f)     ((f)&0xFFFu)
#define RELOC_FLAGS(major, minor, toolchain, float_abi, fpu, cpuid)                                \
    ((uint32_t)(major) << 28 | (uint32_t)(minor) << 24 | (uint32_t)(toolchain) << 16 |             \
     (uint32_t)(float_abi) << 13 | (uint32_t)(fpu) << 12 | (uint32_t)(cpuid))
enum reloc_version { RELOC_MAJOR = 2, RELOC_MINOR = 0, RELOC_MAJOR_NEURAL_ART = 8 };
enum reloc_toolchain { RELOC_TOOL_GCC = 8, RELOC_TOOL_LLVM = 9, RELOC_TOOL_ST_CLANG = 10 };
enum reloc_float_abi { RELOC_FLOAT_SOFT = 0, RELOC_FLOAT_SOFTFP = 1, RELOC_FLOAT_HARD = 2 };
enum reloc_cpuid {
    RELOC_CPUID_M0 = 0xC20,
    RELOC_CPUID_M0P = 0xC60,
    RELOC_CPUID_M3 = 0xC23,
    RELOC_CPUID_M4 = 0xC24,
    RELOC_CPUID_M7 = 0xC27,
    RELOC_CPUID_M23 = 0xD20,
    RELOC_CPUID_M33 = 0xD21,
    RELOC_CPUID_M52 = 0xD24,
    RELOC_CPUID_M55 = 0xD22,
    RELOC_CPUID_M85 = 0xD23
};

/* ---- context (ai_reloc_rt_ctx): byte offsets in the RAM segment from the ctx entry ---- */
enum reloc_ctx {
    RELOC_CTX_STATE = 0,
    RELOC_CTX_NETWORK = 4,    /* handle that create returned */
    RELOC_CTX_RAM_ADDR = 8,   /* address of RAM offset 0: what r9 holds */
    RELOC_CTX_ROM_ADDR = 12,  /* address of FLASH offset 0 as executed */
    RELOC_CTX_RAM_ALLOC = 16, /* what the loader allocated, or 0 */
    RELOC_CTX_C_NAME = 20,    /* FLASH segment address of a string */
    RELOC_CTX_ACTS_SIZE = 24,
    RELOC_CTX_WEIGHTS_SIZE = 28,
    /* in the file, before a loader writes there: */
    RELOC_CTX_TABLES =
        RELOC_CTX_ROM_ADDR, /* FLASH address of the first of the tables below, or 0 */
    RELOC_CTX_TABLES_CRC32 = RELOC_CTX_RAM_ALLOC, /* from there to the end of the read-only part */
    RELOC_CTX_OBSERVER = 32,                      /* 20 bytes, ai_observer_exec_ctx */
    RELOC_CTX_BYTES = 52                          /* at least; some tools' images have 60 */
};
enum reloc_state { RELOC_STATE_INITIALIZED = 1, RELOC_STATE_XIP = 2 };

/*
 * ---- fix-up table: applied by the image itself, so that any loader of the format can load it ----
 * Lies at the end of the FLASH segment's read-only part, 4-aligned:
 *   word 0: number of entries; then per entry two words {where, target}:
 *   where:  RAM segment address of a word (which is 0 in the file); or, for code in a copy of the
 *           image, RELOC_FIXUP_CODE_*: a word or an instruction at that offset in FLASH
 *   target: segment address; the word becomes base of that part + offset, which has 28 bits and a
 *           sign: a pointer may lead to before an array. For an import: address of the firmware's
 *           symbol + addend.
 * init_v2 applies entries that lead to WEIGHTS or ACTS each time, with the addresses that the
 * application handed in. create applies the others once: those that lead to FLASH or RAM, which are
 * all in code, and those that lead to imports.
 */
#define RELOC_FIXUP_CODE_WORD RELOC_SEG_FLASH
#define RELOC_FIXUP_CODE_MOVW UINT32_C(0x10000000) /* Thumb MOVW: bits 15..0 of the address */
#define RELOC_FIXUP_CODE_MOVT UINT32_C(0x30000000) /* Thumb MOVT: bits 31..16 */
enum reloc_fixup { RELOC_FIXUP_WHERE = 0, RELOC_FIXUP_TARGET = 4, RELOC_FIXUP_BYTES = 8 };

/*
 * ---- compact table: words in RAM that the image rebases itself, in create ----
 * Right behind the fix-up table, in place of entries in REL: the encoding of SHT_RELR (ELF generic
 * ABI). An even word is the RAM segment address of a word to rebase; an odd one is a bitmap of the
 * 31 words that follow the last word covered, with bit 1 for the first of them. It ends with
 * RELOC_COMPACT_END | bytes before that; no address and no entry of the fix-up table looks like it.
 */
#define RELOC_COMPACT_END UINT32_C(0xE0000000)
enum { RELOC_COMPACT_BITS = 31 };

/*
 * ---- imports: symbols of the firmware, matched by the image itself in create ----
 * If there are any, their list stands right in front of the fix-up table: for each the version that
 * it wants (0: any) and its name, ended by a 0 byte and zeros up to a multiple of 4; then two
 * words: the bytes of the list and the number of imports.
 */
#define RELOC_IMPORT_TARGET(index, addend)                                                         \
    (RELOC_SEG_IMPORT | (uint32_t)(index) << 20 | ((uint32_t)(addend) + RELOC_IMPORT_ADDEND))
#define RELOC_IMPORT_INDEX(target)     ((target) >> 20 & 0xFFu)
#define RELOC_IMPORT_ADDEND_OF(target) (((target)&UINT32_C(0xFFFFF)) - RELOC_IMPORT_ADDEND)
enum { RELOC_IMPORTS_MAX = 256, RELOC_IMPORT_ADDEND = 0x80000 /* above the lowest one */ };
/* The loader hands this over as create's config. Addresses are those of the target. */
#define RELOC_CONFIG_MAGIC UINT32_C(0x4D495052) /* bytes "RPIM" */
enum reloc_config {
    RELOC_CFG_MAGIC = 0,
    RELOC_CFG_TABLE = 4, /* address of rows of enum reloc_symbol */
    RELOC_CFG_COUNT = 8,
    RELOC_CFG_REFUSED = 12, /* out: FLASH offset of the name of an import that is not met, or 0 */
    RELOC_CFG_VERSION = 16, /* out: 1: there is one of that name, of another version */
    RELOC_CFG_BYTES = 20
};
enum reloc_symbol {
    RELOC_SYM_NAME = 0,
    RELOC_SYM_VERSION = 4,
    RELOC_SYM_ADDRESS = 8,
    RELOC_SYM_BYTES = 12
};

/*
 * ---- integrity trailer ----
 * Behind the last section (rel_end, or weights_end when the weights are in the file), at the next
 * multiple of 4; and behind the payload of a weights file, at the next multiple of 16. Loaders that
 * do not know it never look there. length = bytes before the trailer, including padding (zeros).
 */
#define RELOC_TRAILER_MAGIC UINT32_C(0x54495052) /* bytes "RPIT" */
enum reloc_trailer {
    RELOC_TRL_MAGIC = 0,
    RELOC_TRL_VERSION = 4, /* 1 */
    RELOC_TRL_SIZE = 8,    /* RELOC_TRL_BYTES */
    RELOC_TRL_KIND = 12,   /* enum reloc_trailer_kind */
    RELOC_TRL_LENGTH = 16,
    RELOC_TRL_CRC32 = 20,    /* of the length bytes: zlib's crc32 */
    RELOC_TRL_SHA256 = 24,   /* 32 bytes, of the same */
    RELOC_TRL_BUILD_ID = 56, /* 16 bytes: equal in an image and the weights file made with it */
    RELOC_TRL_WEIGHTS_LENGTH = 72, /* payload bytes, unpadded */
    RELOC_TRL_WEIGHTS_CRC32 = 76,  /* of the payload */
    RELOC_TRL_FLAGS = 80,          /* bit 0: the weights are in a file of their own */
    RELOC_TRL_SIGNATURE_SIZE = 84, /* bytes behind the trailer; 0 = not signed */
    RELOC_TRL_RESERVED = 88,       /* 0 */
    RELOC_TRL_SELF_CRC32 = 92,     /* of the 92 bytes before it */
    RELOC_TRL_BYTES = 96
};
enum reloc_trailer_kind { RELOC_TRL_IMAGE = 1, RELOC_TRL_WEIGHTS = 2 };
enum { RELOC_TRL_SPLIT = 1, RELOC_BUILD_ID_BYTES = 16, RELOC_SHA256_BYTES = 32 };

enum { RELOC_WEIGHTS_ALIGN = 16, RELOC_RAM_ALIGN = 4 };

_Static_assert((int)RELOC_HDR_ENTRIES + 4 * (int)RELOC_ENTRY_COUNT == (int)RELOC_HDR_BYTES,
               "the entry vector ends the header");
_Static_assert((int)RELOC_TRL_SELF_CRC32 + 4 == (int)RELOC_TRL_BYTES, "self CRC ends the trailer");

/* ==== Neural-ART, version 8.0: words 0 to 10, the trailer and the flags below bit 20 are the same
 * as above, with another segment for RAM ==== */

#define RELOC_NPU_SEG_FLASH   RELOC_SEG_FLASH
#define RELOC_NPU_SEG_RAM     UINT32_C(0x40000000)
#define RELOC_NPU_SEG_PARAM_0 UINT32_C(0x80000000) /* params: base of the pool with id 0 */
#define RELOC_NPU_SEG_PARAM_1 UINT32_C(0x90000000) /* external RAM: the pool with id 1 */

/* ---- header: byte offsets; those not named here are of enum reloc_header ---- */
enum reloc_npu_header {
    RELOC_NPU_HDR_POOLS = 44, /* RAM: the pool table, in the data section ("params_start") */
    RELOC_NPU_HDR_PARAMS_OFFSET = 48, /* file offset of the params, not an address; 0: apart */
    RELOC_NPU_HDR_ENTRIES = 52,       /* 11 or 13 words, enum reloc_npu_entry */
    RELOC_NPU_HDR_BYTES = 96,         /* with 11 entries */
    RELOC_NPU_HDR_BYTES_13 = 104      /* with 13 */
};

/*
 * ---- entry vector: word index from RELOC_NPU_HDR_ENTRIES; FLASH with the Thumb bit ----
 * The last word is the RAM address of the context, and the only one in the RAM segment. Nothing
 * else in the image tells the two vectors apart: LL_ATON through 1.1.1 has 11 words, 1.1.3 has two
 * more functions in front of the context.
 */
enum reloc_npu_entry {
    RELOC_NPU_ENTRY_EC_NETWORK_INIT,
    RELOC_NPU_ENTRY_EC_INFERENCE_INIT,
    RELOC_NPU_ENTRY_SET_INPUT,
    RELOC_NPU_ENTRY_GET_INPUT,
    RELOC_NPU_ENTRY_SET_OUTPUT,
    RELOC_NPU_ENTRY_GET_OUTPUT,
    RELOC_NPU_ENTRY_EPOCH_ITEMS,
    RELOC_NPU_ENTRY_OUTPUT_BUFFERS,
    RELOC_NPU_ENTRY_INPUT_BUFFERS,
    RELOC_NPU_ENTRY_INTERNAL_BUFFERS,
    RELOC_NPU_ENTRY_CTX = 10,               /* of the vector of 11 */
    RELOC_NPU_ENTRY_WEIGHT_ENCRYPTION = 10, /* of the vector of 13 */
    RELOC_NPU_ENTRY_BLOB_ENCRYPTION,
    RELOC_NPU_ENTRY_CTX_13,
    RELOC_NPU_ENTRY_COUNT = RELOC_NPU_ENTRY_CTX + 1,
    RELOC_NPU_ENTRY_COUNT_13 = RELOC_NPU_ENTRY_CTX_13 + 1
};

/* ---- flags word ---- */
#define RELOC_NPU_FLAG_SECURE      (UINT32_C(1) << 20)
#define RELOC_NPU_FLAG_EB_DBG_INFO (UINT32_C(1) << 21)
#define RELOC_NPU_FLAG_ASYNC       (UINT32_C(1) << 22)
enum reloc_npu_version { RELOC_NPU_MAJOR = RELOC_MAJOR_NEURAL_ART, RELOC_NPU_MINOR = 0 };

/* ---- context: byte offsets in the RAM segment from the ctx entry ---- */
enum reloc_npu_ctx {
    RELOC_NPU_CTX_STATE = 0,
    RELOC_NPU_CTX_FILE_ADDR = 4, /* where the image was installed from */
    RELOC_NPU_CTX_RAM_ADDR = 8,  /* address of RAM offset 0: what r9 holds */
    RELOC_NPU_CTX_ROM_ADDR = 12, /* address of FLASH offset 0 as executed */
    RELOC_NPU_CTX_CALLBACKS = 16,
    RELOC_NPU_CTX_C_NAME = 20, /* FLASH segment address of a string */
    RELOC_NPU_CTX_ACTS_SIZE = 24,
    RELOC_NPU_CTX_PARAMS_SIZE = 28,     /* bytes of weights: information */
    RELOC_NPU_CTX_EXT_RAM_SIZE = 32,    /* bytes of the pool with id 1 */
    RELOC_NPU_CTX_RT_VERSION_DESC = 36, /* FLASH segment address of a string */
    RELOC_NPU_CTX_RT_VERSION = 40,      /* major << 24 | minor << 16 | micro << 8 */
    RELOC_NPU_CTX_RT_VERSION_EXTRA = 44,
    RELOC_NPU_CTX_PARAMS_BIN_SIZE = 48,  /* of the params file */
    RELOC_NPU_CTX_PARAMS_BIN_CRC32 = 52, /* the same, zlib's crc32 */
    RELOC_NPU_CTX_STRUCT_SIZES = 56,     /* byte 0: buffer info, byte 1: epoch block item */
    RELOC_NPU_CTX_LL_INSTANCE = 60,      /* the firmware's NN_Instance_TypeDef */
    RELOC_NPU_CTX_INTERFACE = 64,        /* the image's NN_Interface_TypeDef: a REL word */
    RELOC_NPU_CTX_BYTES = 68
};
/*
 * LL_ATON 1.1.0 has no STRUCT_SIZES: the two words behind it are 4 bytes further up, and the
 * context has 64 bytes (in the data section, the pool table follows).
 */
enum reloc_npu_ctx_early { RELOC_NPU_CTX_INTERFACE_EARLY = 60, RELOC_NPU_CTX_BYTES_EARLY = 64 };
#define RELOC_NPU_CTX_SINCE UINT32_C(0x01010100) /* rt_version from which on it is as above */

/* ---- pool descriptor table: rows of 20 bytes, ended by one whose name is 0 ---- */
enum reloc_npu_pool {
    RELOC_NPU_POOL_NAME = 0,  /* FLASH segment address of a string: a REL word */
    RELOC_NPU_POOL_FLAGS = 4, /* type << 24 | data << 16 | attr << 8 | id */
    RELOC_NPU_POOL_FOFF = 8,  /* offset in the params, from their first byte */
    RELOC_NPU_POOL_DST = 12,  /* address; 0 for a relative pool */
    RELOC_NPU_POOL_SIZE = 16,
    RELOC_NPU_POOL_BYTES = 20
};
#define RELOC_NPU_POOL_GET_TYPE(f) ((f) / 0x1000000u % 0x100u)
#define RELOC_NPU_POOL_GET_DATA(f) ((f) / 0x10000u % 0x100u)
#define RELOC_NPU_POOL_GET_ATTR(f) ((f) / 0x100u % 0x100u)
#define RELOC_NPU_POOL_GET_ID(f)   ((f) % 0x100u)
#define RELOC_NPU_POOL_MAKE(type, data, attr, id)                                                  \
    ((uint32_t)(type) << 24 | (uint32_t)(data) << 16 | (uint32_t)(attr) << 8 | (uint32_t)(id))
enum reloc_npu_pool_type { RELOC_NPU_POOL_RELOC = 1, RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_RESET };
enum reloc_npu_pool_data { RELOC_NPU_POOL_PARAM = 1, RELOC_NPU_POOL_ACTIV, RELOC_NPU_POOL_MIXED };
enum reloc_npu_pool_attr {
    RELOC_NPU_POOL_READ = 1,
    RELOC_NPU_POOL_WRITE = 2,
    RELOC_NPU_POOL_CACHEABLE = 4
};
enum reloc_npu_pool_id { RELOC_NPU_POOL_ID_PARAM = 0, RELOC_NPU_POOL_ID_EXT_RAM = 1 };

/*
 * The most pools (the vendor's loaders refuse a tenth), and the alignment of RAM, external RAM,
 * params, the parts of the file, and pools with parameters at fixed addresses. Sizes of pools are
 * rounded up to it. RESET pools start at the first byte that is used. A cacheable relative pool
 * must lie above RELOC_NPU_EXTERNAL_ADDR.
 */
enum { RELOC_NPU_POOLS_MAX = 9, RELOC_NPU_ALIGN = 8 };
#define RELOC_NPU_EXTERNAL_ADDR UINT32_C(0x60000000)
/*
 * AXISRAM3 to 6 of the STM32N6, the NPU's own memories (RM0486, memory map): there alone a firmware
 * without a table of regions lets pools at fixed addresses be. Not secure, and the same secure.
 */
#define RELOC_NPU_RAM_ADDR        UINT32_C(0x24200000)
#define RELOC_NPU_RAM_ADDR_SECURE UINT32_C(0x34200000)
#define RELOC_NPU_RAM_BYTES       UINT32_C(0x1C0000)

_Static_assert((int)RELOC_NPU_HDR_ENTRIES + 4 * (int)RELOC_NPU_ENTRY_COUNT ==
                       (int)RELOC_NPU_HDR_BYTES &&
                   (int)RELOC_NPU_HDR_ENTRIES + 4 * (int)RELOC_NPU_ENTRY_COUNT_13 ==
                       (int)RELOC_NPU_HDR_BYTES_13,
               "the entry vectors end the headers");

#endif
