/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/image/reader.h for Neural-ART images, built by hand:
 * test_reloc_npu_images.h. */
#include "elfpack/image/reader.h"
#include "tests/unit/test_reloc_npu_images.h"
#include "tests/unit/unit.h"

static bool read_bytes(struct unit *u, const struct npu_image *image, struct rp_image_view *view) {
    struct rp_mapped file = {0};
    const char *path = unit_write(u, "image.bin", image->bytes, image->size);
    bool ok = rp_map_file(&file, path, &u->err) && rp_image_read(view, &file, &u->err);
    rp_unmap_file(&file);
    return ok;
}

static bool check_params(struct unit *u, const struct npu_image *image,
                         const struct npu_image *params) {
    struct rp_mapped image_file = {0}, params_file = {0};
    struct rp_image_view view;
    const char *path = unit_write(u, "image.bin", image->bytes, image->size);
    const char *other = unit_write(u, "params.bin", params->bytes, params->size);
    bool ok =
        rp_map_file(&image_file, path, &u->err) && rp_image_read(&view, &image_file, &u->err) &&
        rp_map_file(&params_file, other, &u->err) && rp_weights_check(&view, &params_file, &u->err);
    rp_unmap_file(&image_file);
    rp_unmap_file(&params_file);
    return ok;
}

/* Both sums, over all bytes before the trailer. */
static void seal(struct npu_image *image) {
    uint32_t at = image->size - RELOC_TRL_BYTES;
    unit_sha256(image->bytes + at + RELOC_TRL_SHA256, image->bytes, at);
    npu_seal(image);
}

static void add_trailer(struct npu_image *image, uint32_t kind, uint32_t flags) {
    npu_add_trailer(image, kind, flags);
    seal(image);
}

/* ---- reading ---- */

static void describes_images_of_others(void **state) {
    struct unit *u = *state;
    for (uint32_t entries = RELOC_NPU_ENTRY_COUNT; entries <= RELOC_NPU_ENTRY_COUNT_13; entries++) {
        struct rp_image_view view;
        struct npu_image image = npu_build(entries);
        if (entries == 12) { /* there is no such vector */
            REFUSED(u, read_bytes(u, &image, &view), RP_E_IMAGE, "entry");
            continue;
        }
        ACCEPTED(u, read_bytes(u, &image, &view));
        assert_ptr_equal(view.format, &rp_format_neural_art);
        assert_false(view.has_trailer);
        assert_int_equal(view.npu.entry_count, entries);
        assert_int_equal(view.view.ro_bytes, NPU_RO);
        assert_int_equal(view.needs.ram_xip, (NPU_BSS_END + 7) & ~7);
        assert_int_equal(view.needs.ram_copy, ((NPU_BSS_END + 7) & ~7) + NPU_RO);
        assert_string_equal(view.format->entry_name(entries, entries - 1), "ctx");
    }
}

static void counts_words_by_segment(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    ACCEPTED(u, read_bytes(u, &image, &view));
    const struct rp_word_counts got = view.got, rel = view.rel;
    assert_int_equal(got.flash, 1);
    assert_int_equal(got.ram, 1);
    assert_int_equal(got.params, 1);
    assert_int_equal(got.ext_ram, 0);
    assert_int_equal(got.zero, 1);
    /* pointers: 4 segments; context: 2 strings and the interface; 5 names; what the interface has
     */
    assert_int_equal(rel.flash, 1 + 2 + NPU_ROWS + 1);
    assert_int_equal(rel.ram, 1 + 1);
    assert_int_equal(rel.params, 1);
    assert_int_equal(rel.ext_ram, 1);
    assert_int_equal(rel.flash + rel.ram + rel.params + rel.ext_ram + rel.zero, NPU_REL_COUNT);
    assert_int_equal(view.rel_in_flash, 0);
    assert_int_equal(view.fixups, 0);
}

static void counts_words_in_flash(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    npu_put(&image, NPU_REL, 0x20000000u + NPU_RO - 4); /* in place of a word of data */
    npu_put(&image, NPU_RO - 4, 0x90000000u);
    ACCEPTED(u, read_bytes(u, &image, &view));
    assert_int_equal(view.rel_in_flash, 1);
    assert_int_equal(view.rel.ext_ram, 2);
    assert_true(view.npu.needs_copy);
}

static void refuses_every_prefix(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    ACCEPTED(u, read_bytes(u, &image, &view));
    assert_true(view.has_trailer);
    uint32_t size = image.size;
    for (image.size = 1; image.size < size; image.size++) {
        if (image.size == NPU_BYTES)
            continue; /* an image without a trailer */
        assert_false(read_bytes(u, &image, &view));
        assert_true(u->err.id == RP_E_IMAGE || u->err.id == RP_E_INTEGRITY);
        u->err = (struct rp_error){0};
    }
}

/* ---- integrity ---- */

static void params_are_checked_twice(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    image.bytes[NPU_PARAMS + 1] ^= 1;
    REFUSED(u, read_bytes(u, &image, &view), RP_E_INTEGRITY, "CRC-32 of the params");
    /* a trailer made after the damage does not hide it, since the context has a CRC of its own */
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    REFUSED(u, read_bytes(u, &image, &view), RP_E_INTEGRITY, "CRC-32 of the params");
    image.bytes[NPU_PARAMS + 1] ^= 1;
    REFUSED(u, read_bytes(u, &image, &view), RP_E_INTEGRITY, "CRC-32");
    seal(&image);
    ACCEPTED(u, read_bytes(u, &image, &view));
    image.bytes[image.size - 50] ^= 1;
    npu_seal(&image);
    REFUSED(u, read_bytes(u, &image, &view), RP_E_INTEGRITY, "SHA-256");
}

static void an_image_without_its_params_says_so(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    (void)npu_split(&image);
    npu_put(&image, NPU_CTX_AT + 48, 0);
    npu_put(&image, NPU_CTX_AT + 52, 0);
    assert_false(read_bytes(u, &image, &view));
    assert_int_equal(u->err.id, RP_E_IMAGE);
    CONTAINS(u->err.message, "contents of a pool");
    CONTAINS(u->err.hint, "without its params");
}

static void params_belong_to_their_image(void **state) {
    struct unit *u = *state;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT);
    struct npu_image params = npu_split(&image);
    ACCEPTED(u, check_params(u, &image, &params));
    params.bytes[5] ^= 1;
    REFUSED(u, check_params(u, &image, &params), RP_E_INTEGRITY, "CRC-32 of the params");
    params.bytes[5] ^= 1;
    params.size -= 8;
    REFUSED(u, check_params(u, &image, &params), RP_E_WEIGHTS, "shorter");
    params.size += 8;
    add_trailer(&image, RELOC_TRL_IMAGE, RELOC_TRL_SPLIT);
    REFUSED(u, check_params(u, &image, &params), RP_E_INTEGRITY, "no integrity trailer");
    add_trailer(&params, RELOC_TRL_WEIGHTS, RELOC_TRL_SPLIT);
    ACCEPTED(u, check_params(u, &image, &params));
    params.bytes[NPU_PARAMS_BYTES + RELOC_TRL_BUILD_ID] ^= 1;
    npu_seal(&params);
    REFUSED(u, check_params(u, &image, &params), RP_E_INTEGRITY, "not made together");
    params.bytes[NPU_PARAMS_BYTES + RELOC_TRL_BUILD_ID] ^= 1;
    params.bytes[NPU_PARAMS_BYTES + RELOC_TRL_SHA256] ^= 1;
    npu_seal(&params);
    REFUSED(u, check_params(u, &image, &params), RP_E_INTEGRITY, "SHA-256");
}

/* Params beside an image that has its own inside: they need no trailer. */
static void params_beside_a_whole_image(void **state) {
    struct unit *u = *state;
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT), copy = image;
    struct npu_image params = npu_split(&copy);
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    ACCEPTED(u, check_params(u, &image, &params));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(describes_images_of_others),   UNIT(counts_words_by_segment),
        UNIT(counts_words_in_flash),        UNIT(refuses_every_prefix),
        UNIT(params_are_checked_twice),     UNIT(an_image_without_its_params_says_so),
        UNIT(params_belong_to_their_image), UNIT(params_beside_a_whole_image),
    };
    return RUN(tests);
}
