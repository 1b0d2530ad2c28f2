/* SPDX-License-Identifier: Apache-2.0 */
/* Images and calls for loader_faults.c: each of them is refused by one check of the loader. */
#include "loader_faults.h"

#include <string.h>

void finish(const struct bad *bad) {
    if (bad == NULL || bad->sealed)
        seal();
}

static uint32_t *data_word(uint32_t ram_offset) {
    return &damaged[(good_view.ro_bytes + ram_offset) / 4];
}

static uint32_t *rel_entry(uint32_t index) {
    return &damaged[good_view.rel_start / 4 + index];
}

#define HEADER(name)  damaged[RELOC_HDR_##name / 4]
#define TRAILER(name) damaged[(good_view.trailer + RELOC_TRL_##name) / 4]

static void bad_magic(void) {
    HEADER(MAGIC) ^= 1;
}
static void bad_version(void) {
    HEADER(FLAGS) += UINT32_C(1) << 28;
}
static void bad_float_abi(void) {
    HEADER(FLAGS) |= UINT32_C(3) << 13;
}
static void bad_core(void) {
    HEADER(FLAGS) ^= 7;
}
static void data_elsewhere(void) {
    HEADER(DATA_START) += 4;
}
static void data_end_elsewhere(void) {
    HEADER(DATA_END) ^= UINT32_C(1) << 30;
}
static void got_before_data(void) {
    HEADER(GOT_START) = RELOC_SEG_RAM;
}
static void got_not_aligned(void) {
    HEADER(GOT_END) += 2;
}
static void got_huge(void) {
    HEADER(GOT_END) += 12 * 1024;
}
static void bss_before_got(void) {
    HEADER(BSS_END) = RELOC_SEG_RAM | 8;
}
static void bss_huge(void) {
    HEADER(BSS_END) += 12 * 1024;
}
static void code_huge(void) {
    HEADER(DATA_DATA) += 12 * 1024;
}
static void code_in_ram(void) {
    HEADER(DATA_DATA) ^= RELOC_SEG_RAM;
}
static void rel_in_data(void) {
    HEADER(REL_START) -= 4;
}
static void rel_behind_file(void) {
    HEADER(REL_END) += 8192;
}
static void weights_in_rel(void) {
    HEADER(WEIGHTS_START) = HEADER(REL_START);
}
static void weights_behind_file(void) {
    HEADER(WEIGHTS_END) += 4096;
}
static void entry_in_arm_state(void) {
    HEADER_ENTRY(RUN) -= 1;
}
static void entry_outside(void) {
    HEADER_ENTRY(CREATE) = RELOC_SEG_FLASH | (good_size + 1);
}
static void context_outside(void) {
    HEADER_ENTRY(CTX) += 12 * 1024;
}
static void context_across_end(void) {
    HEADER_ENTRY(CTX) = HEADER(DATA_END) - 8;
}
static void name_outside(void) {
    data_word(good_view.ctx + RELOC_CTX_C_NAME)[0] = RELOC_SEG_FLASH;
}
static void activations_huge(void) {
    *data_word(good_view.ctx + RELOC_CTX_ACTS_SIZE) = 0xFFFFFFFD;
}
static void weights_short(void) {
    *data_word(good_view.ctx + RELOC_CTX_WEIGHTS_SIZE) += 4096;
}
static void tables_damaged(void) {
    *data_word(good_view.ctx + RELOC_CTX_TABLES) = RELOC_SEG_FLASH | RELOC_HDR_BYTES;
}
static void rel_outside(void) {
    *rel_entry(0) = RELOC_SEG_RAM | 12 * 1024;
}
static void rel_not_aligned(void) {
    *rel_entry(0) += 2;
}
static void rel_twice(void) {
    *rel_entry(1) = *rel_entry(0);
}
static void rel_word_outside(void) {
    *data_word(*rel_entry(0) & RELOC_OFFSET_MASK) = RELOC_SEG_RAM | 0x10000;
}
static void got_word_outside(void) {
    *data_word(good_view.got_start) = RELOC_SEG_FLASH | 0x10000;
}
static void got_word_nowhere(void) {
    *data_word(good_view.got_start) = UINT32_C(0xE0000000);
}
static void code_bit(void) {
    damaged[good_view.ro_bytes / 4 - 1] ^= UINT32_C(1) << 20;
}
static void data_bit(void) {
    *data_word(good_view.data_end - 4) ^= 1;
}
static void trailer_bit(void) {
    TRAILER(BUILD_ID) ^= 1;
}
static void trailer_of_weights(void) {
    TRAILER(KIND) = RELOC_TRL_WEIGHTS;
}
static void trailer_length(void) {
    TRAILER(LENGTH) -= 4;
}
static void signature_outside(void) {
    TRAILER(SIGNATURE_SIZE) = 4;
}
static void file_cut(void) {
    args.obj_size -= 8;
}
static void file_cut_in_rel(void) {
    args.obj_size = good_view.rel_end - 4;
}
static void file_wraps(void) {
    args.obj_size = UINT32_MAX;
}
static void image_not_aligned(void) {
    args.obj = (const uint8_t *)args.obj + 2;
}
static void no_image(void) {
    args.obj = NULL;
}
static void ram_small(void) {
    args.ram_size = good_view.bss_end - 4;
}
static void ram_not_aligned(void) {
    args.ram_addr = ram + 2;
}
/* Here the image is in the arena, where its RAM may be written. */
static void ram_over_image(void) {
    memcpy(ram, damaged, good_size);
    args.obj = ram;
    args.ram_addr = ram + good_view.ro_bytes;
}
static void no_such_mode(void) {
    args.mode = 0;
}

const struct bad bads[] = {
#define SEALED(name)                                                                               \
    { #name, name, true }
#define BROKEN(name)                                                                               \
    { #name, name, false }
    SEALED(bad_magic),
    SEALED(bad_version),
    SEALED(bad_float_abi),
    SEALED(bad_core),
    SEALED(data_elsewhere),
    SEALED(data_end_elsewhere),
    SEALED(got_before_data),
    SEALED(got_not_aligned),
    SEALED(got_huge),
    SEALED(bss_before_got),
    SEALED(bss_huge),
    SEALED(code_huge),
    SEALED(code_in_ram),
    SEALED(rel_in_data),
    SEALED(rel_behind_file),
    SEALED(weights_in_rel),
    SEALED(weights_behind_file),
    SEALED(entry_in_arm_state),
    SEALED(entry_outside),
    SEALED(context_outside),
    SEALED(context_across_end),
    SEALED(name_outside),
    SEALED(activations_huge),
    SEALED(weights_short),
    SEALED(tables_damaged),
    SEALED(rel_outside),
    SEALED(rel_not_aligned),
    SEALED(rel_twice),
    SEALED(rel_word_outside),
    SEALED(got_word_outside),
    SEALED(got_word_nowhere),
    BROKEN(code_bit),
    BROKEN(data_bit),
    BROKEN(trailer_bit),
    SEALED(trailer_of_weights),
    SEALED(trailer_length),
    SEALED(signature_outside),
    BROKEN(file_cut),
    BROKEN(file_cut_in_rel),
    BROKEN(file_wraps),
    BROKEN(image_not_aligned),
    BROKEN(no_image),
    BROKEN(ram_small),
    BROKEN(ram_not_aligned),
    BROKEN(ram_over_image),
    BROKEN(no_such_mode)};
const uint32_t bad_count = sizeof bads / sizeof bads[0];
