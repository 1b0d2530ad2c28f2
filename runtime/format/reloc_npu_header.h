/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a checked Neural-ART image says (struct reloc_npu_view), and the check of its header, its
 * context, and where its params and its trailer are. Part of reloc_npu_core.h.
 */
#ifndef RELOC_NPU_HEADER_H
#define RELOC_NPU_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "reloc_core.h"
#include "reloc_format.h"

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
    bool has_param_0;          /* there is a pool with id 0 */
    bool has_ext_ram;          /* there is a pool with id 1 */
    bool uses_param_0;         /* words to rebase lead to the params */
    bool needs_copy;           /* words in the FLASH segment have to be rebased: no XIP */
    struct reloc_npu_row rows[RELOC_NPU_POOLS_MAX];
};

/*@ logic integer reloc_npu_rounded(integer size) = (size + 7) / 8 * 8; */

/*@ assigns \nothing;
    ensures size <= UINT32_MAX - 7 ==>
      \result == reloc_npu_rounded(size) && size <= \result < size + 8 && \result % 8 == 0;
*/
static inline uint32_t reloc_npu_round8(uint32_t size) {
    return (size + 7u) / 8u * 8u;
}

/* ---- header and context ---- */

/*@ logic integer reloc_npu_header_size(integer entry_count) =
      RELOC_NPU_HDR_ENTRIES + 4 * entry_count;
    logic integer reloc_npu_ctx_word(uint8_t *image, uint8_t *header) =
      \let word = reloc_le32(header, RELOC_NPU_HDR_BYTES - 4);
      RELOC_NPU_SEG_RAM <= word <= RELOC_NPU_SEG_RAM + RELOC_OFFSET_MASK
        ? word
        : reloc_le32(image, RELOC_NPU_HDR_BYTES_13 - 4);
    predicate reloc_npu_vector(struct reloc_npu_view *v) =
      (v->entry_count == RELOC_NPU_ENTRY_COUNT || v->entry_count == RELOC_NPU_ENTRY_COUNT_13) &&
      reloc_npu_header_size(v->entry_count) <= v->base.ro_bytes;
    predicate reloc_npu_entries(struct reloc_npu_view *v) =
      reloc_npu_vector(v) &&
      reloc_entries(&v->base.header[0], reloc_npu_header_size(v->entry_count) - 4,
                    reloc_npu_header_size(v->entry_count), v->base.ro_bytes);
*/

/*
 * The context is the first word of the vector in the RAM segment. Stops: vectors of another length,
 * and entries that are not Thumb functions.
 */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires \separated(v, v->base.image + (0 .. RELOC_NPU_HDR_BYTES_13 - 1));
    assigns v->entry_count, v->base.ctx,
            v->base.header[RELOC_NPU_HDR_BYTES .. RELOC_NPU_HDR_BYTES_13 - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_entries(v);
    ensures \result == RELOC_OK && v->base.ctx <= RELOC_OFFSET_MASK ==>
      RELOC_NPU_SEG_RAM + v->base.ctx ==
        \old(reloc_npu_ctx_word(v->base.image, &v->base.header[0]));
    ensures reloc_word_of(&v->base, RELOC_HDR_REL_END) ==
      \old(reloc_word_of(&v->base, RELOC_HDR_REL_END));
    ensures reloc_word_of(&v->base, RELOC_HDR_WEIGHTS_END) ==
      \old(reloc_word_of(&v->base, RELOC_HDR_WEIGHTS_END));
*/
static inline uint32_t reloc_npu_check_entries(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    uint32_t at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX;
    v->entry_count = RELOC_NPU_ENTRY_COUNT;
    if (reloc_offset(reloc_get_le32(b->header, at), RELOC_NPU_SEG_RAM) > RELOC_OFFSET_MASK) {
        v->entry_count = RELOC_NPU_ENTRY_COUNT_13;
        if (b->ro_bytes < RELOC_NPU_HDR_BYTES_13)
            return RELOC_N_CODE;
        uint32_t word = reloc_get_le32(b->image, at + 4u);
        uint32_t last = reloc_get_le32(b->image, at + 8u);
        reloc_put_le32(b->header, at + 4u, word);
        reloc_put_le32(b->header, at + 8u, last);
        at += 8u;
    }
    b->ctx = reloc_offset(reloc_get_le32(b->header, at), RELOC_NPU_SEG_RAM);
    return reloc_check_entries(b, v->entry_count - 1u, at + 4u);
}

/* Behind the entry vector: where code and strings may start. */
/*@ requires \valid_read(v) && v->entry_count <= RELOC_NPU_ENTRY_COUNT_13;
    assigns \nothing;
    ensures \result == reloc_npu_header_size(v->entry_count);
*/
static inline uint32_t reloc_npu_header_bytes(const struct reloc_npu_view *v) {
    return RELOC_NPU_HDR_ENTRIES + 4u * v->entry_count;
}

/*@ predicate reloc_npu_inside(integer word, integer segment, integer bytes, integer end) =
      segment <= word && word + bytes <= segment + end;
    predicate reloc_npu_interface(struct reloc_npu_view *v, integer bytes) =
      v->interface_word % 4 == 0 &&
      (reloc_npu_inside(v->interface_word, RELOC_NPU_SEG_FLASH, bytes, v->base.ro_bytes) ||
       reloc_npu_inside(v->interface_word, RELOC_NPU_SEG_RAM, bytes, v->base.bss_end));
*/

/* A pointer to a structure of at least one word, which the firmware reads. */
/*@ requires \valid_read(v) && v->base.ro_bytes <= RELOC_OFFSET_MASK;
    requires v->base.bss_end <= RELOC_OFFSET_MASK && room <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures \result <==> reloc_npu_interface(v, room);
*/
static inline bool reloc_npu_interface_valid(const struct reloc_npu_view *v, uint32_t room) {
    uint32_t flash = reloc_offset(v->interface_word, RELOC_NPU_SEG_FLASH);
    uint32_t ram = reloc_offset(v->interface_word, RELOC_NPU_SEG_RAM);
    if (v->interface_word % 4u != 0)
        return false;
    return (flash <= v->base.ro_bytes && v->base.ro_bytes - flash >= room) ||
           (ram <= v->base.bss_end && v->base.bss_end - ram >= room);
}

/*
 * The words of the context, which is inside the data. LL_ATON 1.1.0 has no sizes of structures, and
 * the interface in their place.
 */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires v->base.ctx % 4 == 0 && v->base.ctx + RELOC_NPU_CTX_BYTES <= v->base.data_end;
    assigns v->base.c_name, v->base.acts_size, v->base.weights_size, v->ext_ram_size,
            v->rt_version_desc, v->rt_version, v->rt_version_extra, v->params_bin_size,
            v->params_bin_crc32, v->struct_sizes, v->interface_word;
    ensures v->params_bin_size ==
      reloc_le32(v->base.image, v->base.ro_bytes + v->base.ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE);
*/
static inline void reloc_npu_read_context(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    const uint8_t *file = b->image;
    uint32_t ctx = b->ro_bytes + b->ctx;
    uint32_t size_at = ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE;
    //@ assert ctx == v->base.ro_bytes + v->base.ctx && ctx % 4 == 0;
    //@ assert size_at == v->base.ro_bytes + v->base.ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE;
    b->c_name = reloc_offset(reloc_get_le32(file, ctx + RELOC_NPU_CTX_C_NAME), RELOC_NPU_SEG_FLASH);
    b->acts_size = reloc_get_le32(file, ctx + RELOC_NPU_CTX_ACTS_SIZE);
    b->weights_size = reloc_get_le32(file, ctx + RELOC_NPU_CTX_PARAMS_SIZE);
    v->ext_ram_size = reloc_get_le32(file, ctx + RELOC_NPU_CTX_EXT_RAM_SIZE);
    v->rt_version_desc = reloc_offset(reloc_get_le32(file, ctx + RELOC_NPU_CTX_RT_VERSION_DESC),
                                      RELOC_NPU_SEG_FLASH);
    v->rt_version = reloc_get_le32(file, ctx + RELOC_NPU_CTX_RT_VERSION);
    v->rt_version_extra = reloc_get_le32(file, ctx + RELOC_NPU_CTX_RT_VERSION_EXTRA);
    v->params_bin_size = reloc_get_le32(file, size_at);
    v->params_bin_crc32 = reloc_get_le32(file, ctx + RELOC_NPU_CTX_PARAMS_BIN_CRC32);
    uint32_t interface = RELOC_NPU_CTX_INTERFACE_EARLY;
    v->struct_sizes = 0;
    if (v->rt_version >= RELOC_NPU_CTX_SINCE) {
        v->struct_sizes = reloc_get_le32(file, ctx + RELOC_NPU_CTX_STRUCT_SIZES);
        interface = RELOC_NPU_CTX_INTERFACE;
    }
    v->interface_word = reloc_get_le32(file, ctx + interface);
}

/* What is more than any part can have; 0 if it is not too large. */
/*@ assigns \nothing;
    ensures \result <= 15 && (\result == 0 <==> size <= RELOC_OFFSET_MASK);
*/
static inline uint32_t reloc_npu_excess(uint32_t size) {
    return size / (RELOC_OFFSET_MASK + 1u);
}

/*@ predicate reloc_npu_name(struct reloc_npu_view *v, integer at) =
      reloc_npu_header_size(v->entry_count) <= at &&
      reloc_string(v->base.image, at, v->base.ro_bytes);
    predicate reloc_npu_sizes(struct reloc_npu_view *v) =
      v->base.acts_size <= RELOC_OFFSET_MASK && v->base.weights_size <= RELOC_OFFSET_MASK &&
      v->ext_ram_size <= RELOC_OFFSET_MASK && v->params_bin_size <= RELOC_OFFSET_MASK;
    predicate reloc_npu_context(struct reloc_npu_view *v) =
      v->base.ctx % 4 == 0 && v->base.ctx + RELOC_NPU_CTX_BYTES <= v->base.data_end &&
      reloc_npu_sizes(v) && reloc_npu_interface(v, 4) && reloc_npu_name(v, v->base.c_name) &&
      reloc_npu_name(v, v->rt_version_desc);
*/

/*
 * Stops: a context outside the data, where the loader would write; parts larger than any part can
 * be, whose size would round up to nothing; strings without an end.
 */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES) && reloc_npu_entries(v);
    assigns v->base.c_name, v->base.acts_size, v->base.weights_size, v->ext_ram_size,
            v->rt_version_desc, v->rt_version, v->rt_version_extra, v->params_bin_size,
            v->params_bin_crc32, v->struct_sizes, v->interface_word;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_context(v);
    ensures \result == RELOC_OK ==>
      v->params_bin_size ==
        reloc_le32(v->base.image, v->base.ro_bytes + v->base.ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE);
*/
static inline uint32_t reloc_npu_check_context(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    if (b->ctx % 4u != 0 || b->ctx > b->data_end || b->data_end - b->ctx < RELOC_NPU_CTX_BYTES)
        return RELOC_N_CONTEXT;
    reloc_npu_read_context(v);
    if (reloc_npu_excess(b->acts_size) + reloc_npu_excess(b->weights_size) +
                reloc_npu_excess(v->ext_ram_size) + reloc_npu_excess(v->params_bin_size) !=
            0 ||
        !reloc_npu_interface_valid(v, 4))
        return RELOC_N_CONTEXT;
    //@ assert reloc_npu_sizes(v);
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
/*@ requires at % 4 == 0 && at + RELOC_TRL_BYTES <= UINT32_MAX;
    requires \valid_read(file + (at .. at + RELOC_TRL_BYTES - 1));
    assigns \nothing;
*/
static inline bool reloc_npu_trailer_at(const uint8_t *file, uint32_t at) {
    uint32_t marks = reloc_get_le32(file, at + RELOC_TRL_LENGTH) == at;
    marks += reloc_get_le32(file, at + RELOC_TRL_MAGIC) == RELOC_TRAILER_MAGIC;
    marks += reloc_get_le32(file, at + RELOC_TRL_VERSION) == 1u &&
             reloc_get_le32(file, at + RELOC_TRL_SIZE) == RELOC_TRL_BYTES;
    return marks >= 2u;
}

/* The offset of the first trailer that starts at or behind from, a multiple of 4, and ends at end
 * or before; else 0. */
/*@ requires from % 4 == 0 && \valid_read(file + (from .. end - 1));
    assigns \nothing;
    ensures \result != 0 ==>
      from <= \result && \result + RELOC_TRL_BYTES <= end && \result % 4 == 0;
*/
static inline uint32_t reloc_npu_find_trailer(const uint8_t *file, uint32_t from, uint32_t end) {
    /*@ loop invariant from <= at && at % 4 == 0 && (at == from || at <= end);
        loop assigns at;
        loop variant end - at;
    */
    for (uint32_t at = from; at <= end && end - at >= RELOC_TRL_BYTES; at += 4u)
        if (reloc_npu_trailer_at(file, at))
            return at;
    return 0;
}

/*@ logic integer reloc_npu_size_at(uint8_t *image, uint8_t *header) =
      reloc_le32(header, RELOC_HDR_DATA_DATA) % (RELOC_OFFSET_MASK + 1) +
      reloc_npu_ctx_word(image, header) % (RELOC_OFFSET_MASK + 1) + RELOC_NPU_CTX_PARAMS_BIN_SIZE;
    logic integer reloc_npu_params_end(uint8_t *image, uint8_t *header) =
      reloc_le32(header, RELOC_NPU_HDR_PARAMS_OFFSET) % (RELOC_OFFSET_MASK + 1) +
      reloc_le32(image, reloc_npu_size_at(image, header)) % (RELOC_OFFSET_MASK + 1);
    // as reloc_readable; and a trailer that is required stands where the context lets params end
    predicate reloc_npu_readable(uint8_t *image, integer size, uint8_t *header) =
      reloc_readable(image, size, header) &&
      (size == RELOC_SIZE_UNKNOWN && RELOC_REQUIRE_TRAILER ==>
         \valid_read(image +
                     (0 .. reloc_npu_params_end(image, header) + 3 + RELOC_TRL_BYTES - 1)));
    // the same, once the context was read
    predicate reloc_npu_room(struct reloc_npu_view *v) =
      v->base.size == RELOC_SIZE_UNKNOWN && RELOC_REQUIRE_TRAILER ==>
        \valid_read(v->base.image +
                    (0 .. reloc_word_of(&v->base, RELOC_NPU_HDR_PARAMS_OFFSET) %
                          (RELOC_OFFSET_MASK + 1) + v->params_bin_size + 3 + RELOC_TRL_BYTES - 1));
    predicate reloc_npu_layout(struct reloc_npu_view *v) =
      v->base.rel_end <= v->base.content_end &&
      (v->params_start == 0
         ? v->params_room == RELOC_SIZE_UNKNOWN
         : v->base.rel_end <= v->params_start <= RELOC_OFFSET_MASK &&
           v->params_start % RELOC_NPU_ALIGN == 0 &&
           (v->params_room == RELOC_SIZE_UNKNOWN && v->base.size == RELOC_SIZE_UNKNOWN ||
            v->params_bin_size <= v->params_room &&
            v->params_start + v->params_room == v->base.content_end <= v->base.size &&
            \valid_read(v->base.image + (0 .. v->base.content_end - 1))));
    predicate reloc_npu_trailer_place(struct reloc_npu_view *v) =
      v->base.trailer == 0 ||
      v->base.content_end <= v->base.trailer && v->base.trailer % 4 == 0 &&
      v->base.trailer + RELOC_TRL_BYTES <= v->base.size &&
      \valid_read(v->base.image + (0 .. v->base.trailer + RELOC_TRL_BYTES - 1));
*/

/*
 * Finds params and trailer, and with them the end of the content. In an image of unknown size the
 * params end where the context says, and the trailer, if one is required, is right behind them.
 * Stops: params before the end of REL, cut off, or shorter than the model declares.
 */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires v->params_bin_size <= RELOC_OFFSET_MASK;
    requires reloc_says(&v->base.header[0], RELOC_HDR_REL_END, RELOC_SEG_FLASH, v->base.rel_end);
    requires reloc_readable(v->base.image, v->base.size, &v->base.header[0]);
    requires reloc_npu_room(v);
    assigns v->params_start, v->params_room, v->base.weights_start, v->base.weights_end,
            v->base.content_end, v->base.trailer;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_layout(v);
    ensures \result == RELOC_OK ==> reloc_npu_trailer_place(v);
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

#endif
