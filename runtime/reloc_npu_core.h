/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check of a relocatable Neural-ART image (version 8.0) and of its params file. In:
 * bytes, none of them trusted, and their number. Out: a struct reloc_npu_view of offsets that are
 * all known to be in bounds, or one code of reloc_errors.def. Nothing is written, allocated or
 * called. reloc_core.h holds what this image has in common with the Cortex-M image.
 */
#ifndef RELOC_NPU_CORE_H
#define RELOC_NPU_CORE_H

#include "reloc_core.h"

/* One row of the pool table. */
struct reloc_npu_row {
    uint32_t name; /* file: a terminated string */
    uint32_t flags;
    uint32_t foff;
    uint32_t dst;
    uint32_t size;
};

/*
 * What a checked image says. Members are offsets or sizes in bytes unless they say otherwise. The
 * rows of the pool table are read once, like the words of the header: whatever the image does
 * afterwards, these are the ones that were checked.
 */
struct reloc_npu_view {
    struct reloc_view base;    /* weights_start and _end: the params in the file; both 0: apart */
    uint32_t entry_count;      /* words of the entry vector: 11 or 13 */
    uint32_t pools;            /* RAM: the pool table */
    uint32_t pool_count;       /* rows before its end, 0 to 9 */
    uint32_t params_start;     /* file; 0 when the params are apart */
    uint32_t params_room;      /* readable from there on; RELOC_SIZE_UNKNOWN: apart, or not known */
    uint32_t params_need;      /* of the params: the bytes that pools and words reach */
    uint32_t param_0_base;     /* in the params: the base of PARAM_0 addresses */
    uint32_t params_bin_size;  /* of the params file; not all tools count the ecblobs in it */
    uint32_t params_bin_crc32; /* value; of the last params_bin_size bytes */
    uint32_t ext_ram_size;     /* that the pool with id 1 needs */
    uint32_t rt_version;       /* value: major << 24 | minor << 16 | micro << 8 */
    uint32_t rt_version_extra; /* value */
    uint32_t struct_sizes;     /* value; 0: the image does not say (before 1.1.1) */
    uint32_t rt_version_desc;  /* file: a terminated string */
    uint32_t interface_word;   /* FLASH or RAM segment address of the NN_Interface_TypeDef */
    bool has_ext_ram;          /* there is a pool with id 1 */
    bool uses_param_0;         /* words to rebase lead to the params */
    bool needs_copy;           /* words in the FLASH segment have to be rebased: no XIP */
    struct reloc_npu_row rows[RELOC_NPU_POOLS_MAX];
};

static inline uint32_t reloc_npu_round8(uint32_t size) {
    return (size + 7u) & ~UINT32_C(7);
}

/* ---- header and context ---- */

/*
 * The context is the first word of the vector in the RAM segment. Stops: vectors of another length,
 * and entries that are not Thumb functions.
 */
static inline uint32_t reloc_npu_check_entries(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX;
    v->entry_count = RELOC_NPU_ENTRY_COUNT;
    if (reloc_offset(reloc_get_le32(b->header, at), RELOC_NPU_SEG_RAM) > RELOC_OFFSET_MASK) {
        v->entry_count = RELOC_NPU_ENTRY_COUNT_13;
        if (b->ro_bytes < RELOC_NPU_HDR_BYTES_13)
            return RELOC_N_CODE;
        memcpy(b->header + RELOC_NPU_HDR_BYTES, b->image + RELOC_NPU_HDR_BYTES,
               RELOC_NPU_HDR_BYTES_13 - RELOC_NPU_HDR_BYTES);
        at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX_13;
    }
    b->ctx = reloc_offset(reloc_get_le32(b->header, at), RELOC_NPU_SEG_RAM);
    return reloc_check_entries(b, v->entry_count - 1u, at + 4u);
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

/*
 * Stops: a context outside the data, where the loader would write; parts larger than any part can
 * be, whose size would round up to nothing; strings without an end.
 */
static inline uint32_t reloc_npu_check_context(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    if (b->ctx % 4u != 0 || b->ctx > b->data_end || b->data_end - b->ctx < RELOC_NPU_CTX_BYTES)
        return RELOC_N_CONTEXT;
    const uint8_t *ctx = b->image + b->ro_bytes + b->ctx;
    b->c_name = reloc_offset(reloc_get_le32(ctx, RELOC_NPU_CTX_C_NAME), RELOC_NPU_SEG_FLASH);
    b->acts_size = reloc_get_le32(ctx, RELOC_NPU_CTX_ACTS_SIZE);
    b->weights_size = reloc_get_le32(ctx, RELOC_NPU_CTX_PARAMS_SIZE);
    v->ext_ram_size = reloc_get_le32(ctx, RELOC_NPU_CTX_EXT_RAM_SIZE);
    v->rt_version_desc =
        reloc_offset(reloc_get_le32(ctx, RELOC_NPU_CTX_RT_VERSION_DESC), RELOC_NPU_SEG_FLASH);
    v->rt_version = reloc_get_le32(ctx, RELOC_NPU_CTX_RT_VERSION);
    v->rt_version_extra = reloc_get_le32(ctx, RELOC_NPU_CTX_RT_VERSION_EXTRA);
    v->params_bin_size = reloc_get_le32(ctx, RELOC_NPU_CTX_PARAMS_BIN_SIZE);
    v->params_bin_crc32 = reloc_get_le32(ctx, RELOC_NPU_CTX_PARAMS_BIN_CRC32);
    bool late = v->rt_version >= RELOC_NPU_CTX_SINCE; /* 1.1.0 has no sizes of structures */
    v->struct_sizes = late ? reloc_get_le32(ctx, RELOC_NPU_CTX_STRUCT_SIZES) : 0;
    v->interface_word = reloc_get_le32(ctx, late ? (uint32_t)RELOC_NPU_CTX_INTERFACE
                                                 : (uint32_t)RELOC_NPU_CTX_INTERFACE_EARLY);
    if ((b->acts_size | b->weights_size | v->ext_ram_size | v->params_bin_size) >
            RELOC_OFFSET_MASK ||
        !reloc_npu_interface_valid(v, 4))
        return RELOC_N_CONTEXT;
    uint32_t header_bytes = reloc_npu_header_bytes(v);
    uint32_t code = reloc_check_name(b, b->c_name, header_bytes);
    return code != RELOC_OK ? code : reloc_check_name(b, v->rt_version_desc, header_bytes);
}

/* ---- params and trailer: where they are ---- */

/*
 * No word of the header says where the params end, so the trailer is searched for. Two of its three
 * marks identify it: damage to one mark does not turn it into weights, and weights do not look like
 * it.
 */
static inline bool reloc_npu_trailer_at(const uint8_t *file, uint32_t at) {
    const uint8_t *t = file + at;
    uint32_t marks = reloc_get_le32(t, RELOC_TRL_LENGTH) == at;
    marks += reloc_get_le32(t, RELOC_TRL_MAGIC) == RELOC_TRAILER_MAGIC;
    marks += reloc_get_le32(t, RELOC_TRL_VERSION) == 1u &&
             reloc_get_le32(t, RELOC_TRL_SIZE) == RELOC_TRL_BYTES;
    return marks >= 2u;
}

/* The offset of the first trailer that starts at or behind from, a multiple of 4, and ends at end
 * or before; else 0. */
static inline uint32_t reloc_npu_find_trailer(const uint8_t *file, uint32_t from, uint32_t end) {
    for (uint32_t at = from; at <= end && end - at >= RELOC_TRL_BYTES; at += 4u)
        if (reloc_npu_trailer_at(file, at))
            return at;
    return 0;
}

/*
 * Finds params and trailer, and with them the end of the content. In an image of unknown size the
 * params end where the context says, and the trailer, if one is required, is right behind them.
 * Stops: params before the end of REL, cut off, or shorter than the model declares.
 */
static inline uint32_t reloc_npu_check_layout(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t start = reloc_get_le32(b->header, RELOC_NPU_HDR_PARAMS_OFFSET), end = b->size;
    uint32_t from = start != 0 ? start : reloc_round4(b->rel_end);
    v->params_start = b->weights_start = b->weights_end = start;
    v->params_room = RELOC_SIZE_UNKNOWN;
    b->content_end = b->rel_end;
    b->trailer = 0;
    if (start != 0 &&
        (start < b->rel_end || start % RELOC_NPU_ALIGN != 0 || start > RELOC_OFFSET_MASK))
        return RELOC_N_PARAMS;
    if (end == RELOC_SIZE_UNKNOWN) {
        if (!RELOC_REQUIRE_TRAILER)
            return RELOC_OK;
        from = start != 0 ? reloc_round4(start + v->params_bin_size) : from;
        end = from + RELOC_TRL_BYTES;
    }
    if (start > end)
        return RELOC_N_TRUNCATED;
    b->trailer = reloc_npu_find_trailer(b->image, from, end);
    if (start == 0)
        return RELOC_OK;
    b->content_end = b->weights_end = b->trailer != 0 ? b->trailer : end;
    v->params_room = b->content_end - start;
    return v->params_bin_size <= v->params_room ? RELOC_OK : RELOC_N_PARAMS_SIZE;
}

/* ---- pools ---- */

/* Whether the params hold a pool's contents. */
static inline bool reloc_npu_row_has_params(uint32_t flags) {
    return RELOC_NPU_POOL_GET_DATA(flags) != RELOC_NPU_POOL_ACTIV;
}

/* The six kinds that exist, whatever their attribute "cacheable". */
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

static inline bool reloc_npu_row_is_relative(const struct reloc_npu_row *row) {
    return RELOC_NPU_POOL_GET_TYPE(row->flags) == RELOC_NPU_POOL_RELOC;
}

/*
 * Stops: a name without an end, other kinds of pools, a relative pool with an address or one that
 * wraps around, contents from outside the params, and a params file that a packager left empty.
 */
RELOC_OUTLINE uint32_t reloc_npu_check_row(struct reloc_npu_view *v,
                                           const struct reloc_npu_row *row) {
    bool relative = reloc_npu_row_is_relative(row);
    uint32_t size = reloc_npu_round8(row->size);
    uint32_t code = reloc_check_name(&v->base, row->name, reloc_npu_header_bytes(v));
    if (code != RELOC_OK)
        return code;
    if (!reloc_npu_kind_valid(row->flags) || row->size == 0 || row->size > RELOC_OFFSET_MASK ||
        (relative ? row->dst != 0 : 0u - row->dst - 1u < size - 1u) ||
        (relative && RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM &&
         row->size > v->ext_ram_size))
        return RELOC_N_POOL;
    if (!reloc_npu_row_has_params(row->flags))
        return RELOC_OK;
    if (row->foff % 4u != 0 || size > v->params_bin_size || row->foff > v->params_room ||
        row->foff > RELOC_OFFSET_MASK || size > v->params_room - row->foff)
        return RELOC_N_POOL_PARAMS;
    if (row->foff + size > v->params_need)
        v->params_need = row->foff + size;
    if (relative && RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_PARAM)
        v->param_0_base = row->foff;
    return RELOC_OK;
}

/* Reads and checks the rows. Stops: a table that leaves the data or never ends, an id given twice.
 */
static inline uint32_t reloc_npu_check_pools(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t ids = 0;
    v->pools = reloc_offset(reloc_get_le32(b->header, RELOC_NPU_HDR_POOLS), RELOC_NPU_SEG_RAM);
    v->params_need = v->param_0_base = 0;
    v->has_ext_ram = v->uses_param_0 = false;
    if (v->pools % 4u != 0 || v->pools > b->data_end)
        return RELOC_N_POOLS;
    uint32_t left = b->data_end - v->pools, at = b->ro_bytes + v->pools;
    for (v->pool_count = 0; left >= 4u; v->pool_count++, left -= RELOC_NPU_POOL_BYTES) {
        struct reloc_npu_row *row = &v->rows[v->pool_count];
        uint32_t name = reloc_get_le32(b->image, at + RELOC_NPU_POOL_NAME);
        if (name == 0)
            return RELOC_OK;
        if (left < RELOC_NPU_POOL_BYTES || v->pool_count == RELOC_NPU_POOLS_MAX)
            return RELOC_N_POOLS;
        row->name = reloc_offset(name, RELOC_NPU_SEG_FLASH);
        row->flags = reloc_get_le32(b->image, at + RELOC_NPU_POOL_FLAGS);
        row->foff = reloc_get_le32(b->image, at + RELOC_NPU_POOL_FOFF);
        row->dst = reloc_get_le32(b->image, at + RELOC_NPU_POOL_DST);
        row->size = reloc_get_le32(b->image, at + RELOC_NPU_POOL_SIZE);
        at += RELOC_NPU_POOL_BYTES;
        uint32_t code = reloc_npu_check_row(v, row);
        if (code != RELOC_OK)
            return code;
        if (!reloc_npu_row_is_relative(row))
            continue;
        uint32_t id = 1u << RELOC_NPU_POOL_GET_ID(row->flags);
        if ((ids & id) != 0)
            return RELOC_N_POOL_ID;
        ids |= id;
        v->has_ext_ram = (ids & 1u << RELOC_NPU_POOL_ID_EXT_RAM) != 0;
    }
    return RELOC_N_POOLS;
}

/* ---- words to rebase ---- */

/* An installation: the addresses of offset 0 of the segments, and the copy of the file. */
struct reloc_npu_bases {
    uint32_t rom;
    uint32_t ram;
    uint32_t param_0;
    uint32_t param_1;
    uint32_t first;  /* file: what words[0] is a copy of: 0 in COPY mode, ro_bytes in XIP mode */
    uint32_t *words; /* NULL: nothing is installed, words are only checked */
};

/*
 * The address that a word stands for; false if it leads out of the image and its memory. 0 stays 0.
 * The end of a part is also allowed, because C has pointers one past the last element. Stops: words
 * for the external RAM in an image without a pool there, because then nobody has to provide any.
 * The reach of words into the params is recorded while they are checked, and is the bound when they
 * are installed.
 */
static inline bool reloc_npu_resolve(struct reloc_npu_view *v, const struct reloc_npu_bases *to,
                                     uint32_t word, uint32_t *address) {
    uint32_t offset = word & RELOC_OFFSET_MASK, base = 0, room = 0;
    switch (word & RELOC_SEG_MASK) {
    case RELOC_NPU_SEG_FLASH:
        base = to->rom;
        room = v->base.ro_bytes;
        break;
    case RELOC_NPU_SEG_RAM:
        base = to->ram;
        room = v->base.bss_end;
        break;
    case RELOC_NPU_SEG_PARAM_0:
        base = to->param_0;
        /* has more than 28 bits if it is not known */
        room = (to->words != NULL ? v->params_need : v->params_room) - v->param_0_base;
        v->uses_param_0 = true;
        if (to->words == NULL && v->param_0_base + offset > v->params_need)
            v->params_need = v->param_0_base + offset;
        break;
    case RELOC_NPU_SEG_PARAM_1:
        base = to->param_1;
        room = v->ext_ram_size;
        if (!v->has_ext_ram)
            return false;
        break;
    default:
        offset = word;
    }
    *address = base + offset;
    return offset <= room;
}

/*
 * Rebases the word at an offset of the file that is known to be in the copy. Stops: a word that
 * leads out, and a word of the copy that is not the file's, because it was rebased already (a list
 * that is not sorted may name it twice) or changed after it was copied.
 */
static inline bool reloc_npu_rebase(struct reloc_npu_view *v, const struct reloc_npu_bases *to,
                                    uint32_t at) {
    uint32_t word = reloc_get_le32(v->base.image, at), address;
    if (!reloc_npu_resolve(v, to, word, &address))
        return false;
    if (to->words == NULL)
        return true;
    uint32_t *copy = &to->words[(at - to->first) / 4u];
    if (*copy != word)
        return false;
    *copy = address;
    return true;
}

/*
 * All words to rebase: those of the GOT, then those that REL lists. Stops: writes outside the data
 * and (in COPY mode) the code, into the GOT, into the header, or across two words.
 */
static inline uint32_t reloc_npu_rebase_all(struct reloc_npu_view *v,
                                            const struct reloc_npu_bases *to) {
    const struct reloc_view *b = &v->base;
    for (uint32_t at = b->got_start; at < b->got_end; at += 4u)
        if (!reloc_npu_rebase(v, to, b->ro_bytes + at))
            return RELOC_N_GOT_WORD;
    v->needs_copy = false;
    for (uint32_t at = b->rel_start; at < b->rel_end; at += 4u) {
        uint32_t entry = reloc_get_le32(b->image, at);
        uint32_t place = reloc_offset(entry, RELOC_NPU_SEG_RAM);
        if (place <= b->data_end - 4u) {
            place += b->ro_bytes;
        } else {
            place = reloc_offset(entry, RELOC_NPU_SEG_FLASH);
            v->needs_copy = true;
            if (place < reloc_npu_header_bytes(v) || place > b->ro_bytes - 4u)
                return RELOC_N_REL_ENTRY;
        }
        if (place % 4u != 0 || place < to->first)
            return RELOC_N_REL_ENTRY;
        if (!reloc_npu_rebase(v, to, place))
            return RELOC_N_REL_WORD;
    }
    return RELOC_OK;
}

/* ---- integrity ---- */

/*
 * Params without a trailer. The CRC covers params_bin_size bytes: the first ones, with only fill
 * behind them, or the last ones, because the vendor's packager does not count the ecblobs that it
 * puts in front. The caller has compared the sizes.
 */
static inline uint32_t reloc_npu_check_params_crc(const struct reloc_npu_view *v,
                                                  const uint8_t *params, uint32_t size) {
    uint32_t bytes = v->params_bin_size;
    uint32_t more = size - bytes;
    if (reloc_crc32(0, params, bytes) == v->params_bin_crc32)
        return more == 0 || reloc_is_fill(params, size, bytes) ? RELOC_OK : RELOC_N_TRAILER;
    return more != 0 && reloc_crc32(0, params + more, bytes) == v->params_bin_crc32
               ? RELOC_OK
               : RELOC_N_PARAMS_CRC;
}

/* The trailer; without one, the CRC of params in the file, or the fill behind the image. */
static inline uint32_t reloc_npu_check_integrity(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    if (b->trailer != 0) {
        uint32_t code = reloc_check_trailer_at(b->image, b->size, b->trailer, RELOC_TRL_IMAGE);
        return code != RELOC_OK ? code : reloc_check_crc(b, reloc_npu_header_bytes(v));
    }
    if (RELOC_REQUIRE_TRAILER)
        return RELOC_N_NO_TRAILER;
    if (b->size == RELOC_SIZE_UNKNOWN)
        return RELOC_OK;
    if (v->params_start != 0)
        return reloc_npu_check_params_crc(v, b->image + v->params_start, v->params_room);
    return b->size == b->rel_end || reloc_is_fill(b->image, b->size, b->rel_end) ? RELOC_OK
                                                                                 : RELOC_N_TRAILER;
}

/* ---- the whole check ---- */

/* Everything but magic and version, which the caller has checked. */
static inline uint32_t reloc_npu_check_parts(struct reloc_npu_view *view) {
    static const struct reloc_npu_bases none = {0, 0, 0, 0, 0, NULL};
    uint32_t code;
    if ((code = reloc_check_order(&view->base, RELOC_NPU_SEG_RAM, RELOC_NPU_HDR_BYTES)) !=
            RELOC_OK ||
        (code = reloc_npu_check_entries(view)) != RELOC_OK)
        return code;
    if (view->base.ro_bytes % RELOC_NPU_ALIGN != 0)
        return RELOC_N_CODE;
    if ((code = reloc_npu_check_context(view)) != RELOC_OK ||
        (code = reloc_npu_check_layout(view)) != RELOC_OK ||
        (code = reloc_npu_check_pools(view)) != RELOC_OK ||
        (code = reloc_npu_rebase_all(view, &none)) != RELOC_OK)
        return code;
    return reloc_npu_check_integrity(view);
}

static inline uint32_t reloc_npu_check_image(const uint8_t *image, uint32_t size,
                                             struct reloc_npu_view *view) {
    view->base.image = image;
    view->base.size = size;
    uint32_t code = reloc_check_identity(&view->base, RELOC_NPU_HDR_BYTES, RELOC_NPU_MAJOR);
    return code != RELOC_OK ? code : reloc_npu_check_parts(view);
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN: then params in the image are bounded only by their addresses. Returns
 * RELOC_OK, or a negative enum reloc_error from RELOC_E_TRUNCATED to RELOC_E_NO_TRAILER or from
 * RELOC_E_POOLS to RELOC_E_PARAMS_CRC. Time: linear, plus a pass over the params. A word that REL
 * lists twice is found only when it is installed, as in reloc_core_check.
 */
static inline int32_t reloc_npu_check(const uint8_t *image, uint32_t size,
                                      struct reloc_npu_view *view) {
    return reloc_result(reloc_npu_check_image(image, size, view));
}

/* The trailer of a params file that was written with an image whose trailer says "apart". */
static inline uint32_t reloc_npu_check_params_trailer(const struct reloc_npu_view *v,
                                                      const uint8_t *params, uint32_t size) {
    const uint8_t *image_trailer = v->base.image + v->base.trailer;
    uint32_t pad = (0u - v->params_bin_size) % RELOC_WEIGHTS_ALIGN;
    if (size - v->params_bin_size <= pad)
        return RELOC_N_NO_TRAILER;
    uint32_t at = v->params_bin_size + pad;
    uint32_t code = reloc_check_trailer_at(params, size, at, RELOC_TRL_WEIGHTS);
    if (code != RELOC_OK)
        return code;
    if (reloc_get_le32(params + at, RELOC_TRL_CRC32) != reloc_crc32(0, params, at))
        return RELOC_N_CRC;
    if (reloc_get_le32(params + at, RELOC_TRL_WEIGHTS_CRC32) != v->params_bin_crc32)
        return RELOC_N_PARAMS_CRC;
    for (uint32_t i = RELOC_TRL_BUILD_ID; i < RELOC_TRL_WEIGHTS_LENGTH; i++)
        if (params[at + i] != image_trailer[i])
            return RELOC_N_BUILD_ID;
    return RELOC_OK;
}

static inline uint32_t reloc_npu_check_params_file(const struct reloc_npu_view *view,
                                                   const uint8_t *params, uint32_t size) {
    const struct reloc_view *b = &view->base;
    if (size < view->params_bin_size || size < view->params_need)
        return RELOC_N_PARAMS_SIZE;
    if (b->trailer != 0 &&
        (reloc_get_le32(b->image + b->trailer, RELOC_TRL_FLAGS) & RELOC_TRL_SPLIT) != 0)
        return reloc_npu_check_params_trailer(view, params, size);
    if (RELOC_REQUIRE_TRAILER && size == RELOC_SIZE_UNKNOWN)
        size = view->params_bin_size;
    return reloc_npu_check_params_crc(view, params, size);
}

/*
 * Checks size bytes of params that are not in the image against the image, which reloc_npu_check
 * has accepted. If the image's trailer says that the params are apart, they must have a trailer of
 * the same build; otherwise their CRC is compared. Returns RELOC_OK, RELOC_E_PARAMS_SIZE (shorter
 * than the model needs), RELOC_E_PARAMS_CRC, RELOC_E_NO_TRAILER, RELOC_E_TRAILER,
 * RELOC_E_TRUNCATED, RELOC_E_CRC or RELOC_E_BUILD_ID.
 */
static inline int32_t reloc_npu_check_params(const struct reloc_npu_view *view,
                                             const uint8_t *params, uint32_t size) {
    return reloc_result(reloc_npu_check_params_file(view, params, size));
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
