/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check of a relocatable Neural-ART image (version 8.0) and of its params file.
 * In: bytes, none of them trusted, and how many there are. Out: a struct reloc_npu_view of offsets
 * that are all known to be in bounds, or one code of reloc_errors.def. Nothing is written,
 * allocated or called. What this image has in common with the Cortex-M image is in reloc_core.h.
 */
#ifndef RELOC_NPU_CORE_H
#define RELOC_NPU_CORE_H

#include "reloc_core.h"

/* What a checked image says. Members are offsets or sizes in bytes, unless they say otherwise. */
struct reloc_npu_view {
    struct reloc_view base;    /* weights_start and _end: the params in the file; both 0: apart */
    uint32_t entry_count;      /* words of the entry vector: 11 or 13 */
    uint32_t pools;            /* RAM: the pool table */
    uint32_t pool_count;       /* rows before its end, 0 to 9 */
    uint32_t params_start;     /* file; 0 when the params are apart */
    uint32_t params_room;      /* readable from there on; RELOC_SIZE_UNKNOWN: apart, or not known */
    uint32_t params_need;      /* of the params: what pools and words reach */
    uint32_t param_0_base;     /* in the params: what PARAM_0 addresses count from */
    uint32_t params_bin_size;  /* of the params file; ecblobs in it are not counted by all tools */
    uint32_t params_bin_crc32; /* value; of these last params_bin_size bytes */
    uint32_t ext_ram_size;     /* that the pool with id 1 needs */
    uint32_t rt_version;       /* value: major << 24 | minor << 16 | micro << 8 */
    uint32_t rt_version_extra; /* value */
    uint32_t struct_sizes;     /* value; 0: the image does not say (before 1.1.1) */
    uint32_t rt_version_desc;  /* file: a terminated string */
    uint32_t interface_word;   /* FLASH or RAM segment address of the NN_Interface_TypeDef */
    bool has_ext_ram;          /* there is a pool with id 1 */
    bool uses_param_0;         /* words to rebase lead to the params */
    bool needs_copy;           /* words in the FLASH segment are to be rebased: no XIP */
};

/* One row of the pool table. */
struct reloc_npu_row {
    uint32_t flags;
    uint32_t foff;
    uint32_t dst;
    uint32_t size;
};

static inline uint32_t reloc_npu_round8(uint32_t size) {
    return (size + 7u) & ~UINT32_C(7);
}

/* ---- header and context ---- */

/*
 * The context is the first word of the vector in the RAM segment. Stops: vectors of another length,
 * and entries that are no Thumb functions.
 */
static inline int32_t reloc_npu_check_entries(struct reloc_npu_view *v) {
    uint32_t count = RELOC_NPU_ENTRY_COUNT;
    uint32_t at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX;
    v->base.ctx = reloc_offset(&v->base, at, RELOC_NPU_SEG_RAM);
    if (v->base.ctx > RELOC_OFFSET_MASK) {
        count = RELOC_NPU_ENTRY_COUNT_13;
        if (v->base.ro_bytes < RELOC_NPU_HDR_BYTES_13)
            return RELOC_E_CODE;
        at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX_13;
        v->base.ctx = reloc_offset(&v->base, at, RELOC_NPU_SEG_RAM);
    }
    v->entry_count = count;
    return reloc_check_entries(&v->base, count - 1u, at + 4u);
}

/* Behind the entry vector: where code and strings may start. */
static inline uint32_t reloc_npu_header_bytes(const struct reloc_npu_view *v) {
    return RELOC_NPU_HDR_ENTRIES + 4u * v->entry_count;
}

/* A pointer to a structure of at least one word, which the firmware reads. */
static inline bool reloc_npu_interface_valid(const struct reloc_npu_view *v, uint32_t room) {
    uint32_t flash = v->interface_word ^ RELOC_NPU_SEG_FLASH;
    uint32_t ram = v->interface_word ^ RELOC_NPU_SEG_RAM;
    if (v->interface_word % 4u != 0)
        return false;
    return (flash <= v->base.ro_bytes && v->base.ro_bytes - flash >= room) ||
           (ram <= v->base.bss_end && v->base.bss_end - ram >= room);
}

/* The words of the context that only images of LL_ATON 1.1.1 and later have in this place. */
static inline void reloc_npu_read_late_context(struct reloc_npu_view *v, uint32_t in_file) {
    bool late = v->rt_version >= RELOC_NPU_CTX_SINCE;
    const uint8_t *image = v->base.image;
    v->struct_sizes = late ? reloc_get_le32(image, in_file + RELOC_NPU_CTX_STRUCT_SIZES) : 0;
    v->interface_word = reloc_get_le32(
        image, in_file + (late ? RELOC_NPU_CTX_INTERFACE : RELOC_NPU_CTX_INTERFACE_EARLY));
}

/*
 * Stops: a context outside the data, where the loader would write; parts larger than any can be;
 * strings without an end.
 */
static inline int32_t reloc_npu_check_context(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    if (b->ctx % 4u != 0 || b->ctx > b->data_end || b->data_end - b->ctx < RELOC_NPU_CTX_BYTES)
        return RELOC_E_CONTEXT;
    uint32_t ctx = b->ro_bytes + b->ctx;
    b->c_name = reloc_offset(b, ctx + RELOC_NPU_CTX_C_NAME, RELOC_NPU_SEG_FLASH);
    b->acts_size = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_ACTS_SIZE);
    b->weights_size = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_PARAMS_SIZE);
    v->ext_ram_size = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_EXT_RAM_SIZE);
    v->rt_version_desc = reloc_offset(b, ctx + RELOC_NPU_CTX_RT_VERSION_DESC, RELOC_NPU_SEG_FLASH);
    v->rt_version = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_RT_VERSION);
    v->rt_version_extra = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_RT_VERSION_EXTRA);
    v->params_bin_size = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE);
    v->params_bin_crc32 = reloc_get_le32(b->image, ctx + RELOC_NPU_CTX_PARAMS_BIN_CRC32);
    reloc_npu_read_late_context(v, ctx);
    if (v->ext_ram_size > RELOC_OFFSET_MASK || v->params_bin_size > RELOC_OFFSET_MASK ||
        !reloc_npu_interface_valid(v, 4))
        return RELOC_E_CONTEXT;
    uint32_t header_bytes = reloc_npu_header_bytes(v);
    int32_t code = reloc_check_name(b, b->c_name, header_bytes);
    return code != RELOC_OK ? code : reloc_check_name(b, v->rt_version_desc, header_bytes);
}

/* ---- params and trailer: where they are ---- */

/*
 * No word of the header says where the params end, so the trailer is looked for. Two of its three
 * marks make one: damage to one does not turn it into weights, and weights do not look like it.
 */
static inline bool reloc_npu_trailer_at(const uint8_t *file, uint32_t at) {
    const uint8_t *t = file + at;
    uint32_t marks = reloc_get_le32(t, RELOC_TRL_LENGTH) == at;
    marks += reloc_get_le32(t, RELOC_TRL_MAGIC) == RELOC_TRAILER_MAGIC;
    marks += reloc_get_le32(t, RELOC_TRL_VERSION) == 1u &&
             reloc_get_le32(t, RELOC_TRL_SIZE) == RELOC_TRL_BYTES;
    return marks >= 2u;
}

/* The offset of the first trailer at or behind from, which is a multiple of 4; else 0. */
static inline uint32_t reloc_npu_find_trailer(const struct reloc_view *b, uint32_t from) {
    for (uint32_t at = from; at <= b->size && b->size - at >= RELOC_TRL_BYTES; at += 4u)
        if (reloc_npu_trailer_at(b->image, at))
            return at;
    return 0;
}

/*
 * Finds params and trailer, and with them the end of the content. Stops: params before the end of
 * REL, cut off, or shorter than the model declares.
 */
static inline int32_t reloc_npu_check_layout(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t start = reloc_get_le32(b->image, RELOC_NPU_HDR_PARAMS_OFFSET);
    v->params_start = b->weights_start = b->weights_end = start;
    v->params_room = RELOC_SIZE_UNKNOWN;
    b->content_end = b->rel_end;
    b->trailer = 0;
    if (start != 0 &&
        (start < b->rel_end || start % RELOC_NPU_ALIGN != 0 || start > RELOC_OFFSET_MASK))
        return RELOC_E_PARAMS;
    if (b->size == RELOC_SIZE_UNKNOWN)
        return RELOC_OK;
    if (start > b->size)
        return RELOC_E_TRUNCATED;
    b->trailer = reloc_npu_find_trailer(b, start != 0 ? start : reloc_round4(b->rel_end));
    if (start == 0)
        return RELOC_OK;
    b->content_end = b->weights_end = b->trailer != 0 ? b->trailer : b->size;
    v->params_room = b->content_end - start;
    return v->params_bin_size <= v->params_room ? RELOC_OK : RELOC_E_PARAMS_SIZE;
}

/* ---- pools ---- */

/* The row of that index, which is below pool_count. */
static inline struct reloc_npu_row reloc_npu_row(const struct reloc_npu_view *v, uint32_t index) {
    uint32_t at = v->base.ro_bytes + v->pools + RELOC_NPU_POOL_BYTES * index;
    struct reloc_npu_row row = {reloc_get_le32(v->base.image, at + RELOC_NPU_POOL_FLAGS),
                                reloc_get_le32(v->base.image, at + RELOC_NPU_POOL_FOFF),
                                reloc_get_le32(v->base.image, at + RELOC_NPU_POOL_DST),
                                reloc_get_le32(v->base.image, at + RELOC_NPU_POOL_SIZE)};
    return row;
}

/* Whether the params hold a pool's contents. */
static inline bool reloc_npu_row_has_params(uint32_t flags) {
    return RELOC_NPU_POOL_GET_DATA(flags) != RELOC_NPU_POOL_ACTIV;
}

/* The six kinds there are, whatever their attribute "cacheable". */
static inline bool reloc_npu_kind_valid(uint32_t flags) {
    static const uint32_t kinds[] = {
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_PARAM, RELOC_NPU_POOL_READ, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_ACTIV, RELOC_NPU_POOL_WRITE, 1),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_MIXED, RELOC_NPU_POOL_WRITE, 1),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_MIXED, RELOC_NPU_POOL_WRITE, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_PARAM, RELOC_NPU_POOL_READ, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RESET, RELOC_NPU_POOL_ACTIV, RELOC_NPU_POOL_WRITE, 0)};
    uint32_t plain = flags & ~((uint32_t)RELOC_NPU_POOL_CACHEABLE << 8);
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (plain == kinds[i])
            return true;
    return false;
}

/*
 * Stops: other kinds of pools, a relative pool with an address, one that wraps around, contents
 * from outside the params, and a params file that a packager left empty.
 */
static inline int32_t reloc_npu_check_row(struct reloc_npu_view *v, struct reloc_npu_row row) {
    bool relative = RELOC_NPU_POOL_GET_TYPE(row.flags) == RELOC_NPU_POOL_RELOC;
    if (!reloc_npu_kind_valid(row.flags) || row.size == 0 || row.size > RELOC_OFFSET_MASK ||
        (relative ? row.dst != 0 : 0u - row.dst - 1u < reloc_npu_round8(row.size) - 1u))
        return RELOC_E_POOL;
    if (relative && RELOC_NPU_POOL_GET_ID(row.flags) == RELOC_NPU_POOL_ID_EXT_RAM &&
        row.size > v->ext_ram_size)
        return RELOC_E_POOL;
    if (!reloc_npu_row_has_params(row.flags))
        return RELOC_OK;
    uint32_t size = reloc_npu_round8(row.size);
    if (row.foff % 4u != 0 || size > v->params_bin_size || row.foff > v->params_room ||
        row.foff > RELOC_OFFSET_MASK || size > v->params_room - row.foff)
        return RELOC_E_POOL_PARAMS;
    if (row.foff + size > v->params_need)
        v->params_need = row.foff + size;
    if (relative && RELOC_NPU_POOL_GET_ID(row.flags) == RELOC_NPU_POOL_ID_PARAM)
        v->param_0_base = row.foff;
    return RELOC_OK;
}

/* Stops: a table that leaves the data or never ends, names without an end, an id given twice. */
static inline int32_t reloc_npu_check_pools(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t ids = 0;
    v->pools = reloc_offset(b, RELOC_NPU_HDR_POOLS, RELOC_NPU_SEG_RAM);
    v->params_need = v->param_0_base = 0;
    v->has_ext_ram = v->uses_param_0 = false;
    if (v->pools % 4u != 0 || v->pools > b->data_end)
        return RELOC_E_POOLS;
    uint32_t left = b->data_end - v->pools;
    for (v->pool_count = 0; left >= 4u; v->pool_count++, left -= RELOC_NPU_POOL_BYTES) {
        uint32_t at = b->ro_bytes + v->pools + RELOC_NPU_POOL_BYTES * v->pool_count;
        if (reloc_get_le32(b->image, at) == 0)
            return RELOC_OK;
        if (left < RELOC_NPU_POOL_BYTES || v->pool_count == RELOC_NPU_POOLS_MAX)
            return RELOC_E_POOLS;
        struct reloc_npu_row row = reloc_npu_row(v, v->pool_count);
        int32_t code = reloc_check_name(b, reloc_offset(b, at, RELOC_NPU_SEG_FLASH),
                                        reloc_npu_header_bytes(v));
        if (code == RELOC_OK)
            code = reloc_npu_check_row(v, row);
        if (code != RELOC_OK)
            return code;
        if (RELOC_NPU_POOL_GET_TYPE(row.flags) != RELOC_NPU_POOL_RELOC)
            continue;
        uint32_t id = 1u << RELOC_NPU_POOL_GET_ID(row.flags);
        if ((ids & id) != 0)
            return RELOC_E_POOL_ID;
        ids |= id;
        v->has_ext_ram = (ids & 1u << RELOC_NPU_POOL_ID_EXT_RAM) != 0;
    }
    return RELOC_E_POOLS;
}

/* ---- words to rebase ---- */

/*
 * 0 stays 0. The end of a part is allowed too: C has pointers one past the last element. Stops:
 * words of the external RAM in an image without a pool there, for which nobody has to give any.
 */
static inline bool reloc_npu_word_valid(struct reloc_npu_view *v, uint32_t word) {
    uint32_t param = word ^ RELOC_NPU_SEG_PARAM_0;
    uint32_t room = v->params_room - v->param_0_base; /* more than 28 bits when not known */
    if (param <= RELOC_OFFSET_MASK) {
        v->uses_param_0 = true;
        if (v->param_0_base + param > v->params_need)
            v->params_need = v->param_0_base + param;
        return param <= room;
    }
    return word == 0 || (word ^ RELOC_NPU_SEG_FLASH) <= v->base.ro_bytes ||
           (word ^ RELOC_NPU_SEG_RAM) <= v->base.bss_end ||
           (v->has_ext_ram && (word ^ RELOC_NPU_SEG_PARAM_1) <= v->ext_ram_size);
}

static inline int32_t reloc_npu_check_got(struct reloc_npu_view *v) {
    for (uint32_t at = v->base.got_start; at < v->base.got_end; at += 4u)
        if (!reloc_npu_word_valid(v, reloc_data_word(&v->base, at)))
            return RELOC_E_GOT_WORD;
    return RELOC_OK;
}

/*
 * Where in the file the word of a REL entry lies, or 0. Stops: words outside the data, in the GOT,
 * in the header, or across two words.
 */
static inline uint32_t reloc_npu_rel_place(struct reloc_npu_view *v, uint32_t entry) {
    uint32_t ram = entry ^ RELOC_NPU_SEG_RAM;
    uint32_t flash = entry ^ RELOC_NPU_SEG_FLASH;
    if (entry % 4u != 0)
        return 0;
    if (ram <= v->base.data_end - 4u)
        return v->base.ro_bytes + ram;
    if (flash < reloc_npu_header_bytes(v) || flash > v->base.ro_bytes - 4u)
        return 0;
    v->needs_copy = true;
    return flash;
}

static inline int32_t reloc_npu_check_rel(struct reloc_npu_view *v) {
    uint32_t highest[2] = {0, 0}; /* in RAM, in FLASH */
    v->needs_copy = false;
    for (uint32_t at = v->base.rel_start; at < v->base.rel_end; at += 4u) {
        uint32_t entry = reloc_get_le32(v->base.image, at);
        uint32_t place = reloc_npu_rel_place(v, entry);
        if (place == 0)
            return RELOC_E_REL_ENTRY;
        int32_t code =
            reloc_check_rel_order(&v->base, at, &highest[entry < RELOC_NPU_SEG_RAM ? 1 : 0]);
        if (code != RELOC_OK)
            return code;
        if (!reloc_npu_word_valid(v, reloc_get_le32(v->base.image, place)))
            return RELOC_E_REL_WORD;
    }
    return RELOC_OK;
}

/* ---- integrity ---- */

/*
 * Params without a trailer. The CRC is of params_bin_size bytes: the first ones, with nothing but
 * fill behind, or the last ones, because the vendor's packager does not count the ecblobs that it
 * puts in front. The caller has compared the sizes.
 */
static inline int32_t reloc_npu_check_params_crc(const struct reloc_npu_view *v,
                                                 const uint8_t *params, uint32_t size) {
    uint32_t bytes = v->params_bin_size;
    uint32_t more = size - bytes;
    if (reloc_crc32(params, bytes) == v->params_bin_crc32)
        return more == 0 || reloc_is_fill(params, size, bytes) ? RELOC_OK : RELOC_E_TRAILER;
    return more != 0 && reloc_crc32(params + more, bytes) == v->params_bin_crc32
               ? RELOC_OK
               : RELOC_E_PARAMS_CRC;
}

/* The trailer; without one, the CRC of params in the file, or fill behind the image. */
static inline int32_t reloc_npu_check_integrity(const struct reloc_npu_view *v) {
    const struct reloc_view *b = &v->base;
    if (b->size == RELOC_SIZE_UNKNOWN)
        return RELOC_OK;
    if (b->trailer != 0) {
        int32_t code = reloc_check_trailer_at(b->image, b->size, b->trailer, RELOC_TRL_IMAGE);
        return code != RELOC_OK ? code : reloc_check_trailer_weights(b);
    }
    if (v->params_start != 0)
        return reloc_npu_check_params_crc(v, b->image + v->params_start, v->params_room);
    return b->size == b->rel_end || reloc_is_fill(b->image, b->size, b->rel_end) ? RELOC_OK
                                                                                 : RELOC_E_TRAILER;
}

/* ---- the whole check ---- */

/* All but magic and version, which the caller has looked at. */
static inline int32_t reloc_npu_check_parts(struct reloc_npu_view *view) {
    int32_t code;
    if ((code = reloc_check_ram(&view->base, RELOC_NPU_SEG_RAM)) != RELOC_OK ||
        (code = reloc_check_file(&view->base, RELOC_NPU_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_npu_check_entries(view)) != RELOC_OK)
        return code;
    if (view->base.ro_bytes % RELOC_NPU_ALIGN != 0)
        return RELOC_E_CODE;
    if ((code = reloc_npu_check_context(view)) != RELOC_OK ||
        (code = reloc_npu_check_layout(view)) != RELOC_OK ||
        (code = reloc_npu_check_pools(view)) != RELOC_OK ||
        (code = reloc_npu_check_got(view)) != RELOC_OK ||
        (code = reloc_npu_check_rel(view)) != RELOC_OK)
        return code;
    return reloc_npu_check_integrity(view);
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN: then params in the image are bounded by their addresses only. Returns
 * RELOC_OK, or a negative enum reloc_error from RELOC_E_TRUNCATED to RELOC_E_CRC or from
 * RELOC_E_POOLS to RELOC_E_PARAMS_CRC. Time as reloc_core_check, and a pass over the params.
 */
static inline int32_t reloc_npu_check(const uint8_t *image, uint32_t size,
                                      struct reloc_npu_view *view) {
    view->base.image = image;
    view->base.size = size;
    int32_t code = reloc_check_identity(&view->base, RELOC_NPU_HDR_BYTES, RELOC_NPU_MAJOR);
    return code != RELOC_OK ? code : reloc_npu_check_parts(view);
}

/* The trailer of a params file that was written with the image, whose trailer says "apart". */
static inline int32_t reloc_npu_check_params_trailer(const struct reloc_npu_view *v,
                                                     const uint8_t *params, uint32_t size) {
    const uint8_t *image_trailer = v->base.image + v->base.trailer;
    uint32_t pad = (0u - v->params_bin_size) % RELOC_WEIGHTS_ALIGN;
    if (size - v->params_bin_size <= pad)
        return RELOC_E_NO_TRAILER;
    uint32_t at = v->params_bin_size + pad;
    int32_t code = reloc_check_trailer_at(params, size, at, RELOC_TRL_WEIGHTS);
    if (code != RELOC_OK)
        return code;
    if (reloc_get_le32(params + at, RELOC_TRL_WEIGHTS_CRC32) != v->params_bin_crc32)
        return RELOC_E_PARAMS_CRC;
    for (uint32_t i = RELOC_TRL_BUILD_ID; i < RELOC_TRL_WEIGHTS_LENGTH; i++)
        if (params[at + i] != image_trailer[i])
            return RELOC_E_BUILD_ID;
    return RELOC_OK;
}

/*
 * Checks size bytes of params that are not in the image against the image, which reloc_npu_check
 * has accepted. When the image's trailer says that the params are apart, they must have a trailer
 * of the same build; else their CRC is compared. Returns RELOC_OK, RELOC_E_PARAMS_SIZE (shorter
 * than the model needs), RELOC_E_PARAMS_CRC, RELOC_E_NO_TRAILER, RELOC_E_TRAILER,
 * RELOC_E_TRUNCATED, RELOC_E_CRC or RELOC_E_BUILD_ID.
 */
static inline int32_t reloc_npu_check_params(const struct reloc_npu_view *view,
                                             const uint8_t *params, uint32_t size) {
    const struct reloc_view *b = &view->base;
    if (size < view->params_bin_size || size < view->params_need)
        return RELOC_E_PARAMS_SIZE;
    if (b->trailer != 0 &&
        (reloc_get_le32(b->image + b->trailer, RELOC_TRL_FLAGS) & RELOC_TRL_SPLIT) != 0)
        return reloc_npu_check_params_trailer(view, params, size);
    return reloc_npu_check_params_crc(view, params, size);
}

/* ---- what an installation needs ---- */

/* Bytes of RAM: data, GOT and bss, and in COPY mode the read-only part before them. */
static inline uint32_t reloc_npu_ram_xip(const struct reloc_npu_view *v) {
    return reloc_npu_round8(v->base.bss_end);
}

static inline uint32_t reloc_npu_ram_copy(const struct reloc_npu_view *v) {
    return reloc_npu_ram_xip(v) + v->base.ro_bytes;
}

#endif
