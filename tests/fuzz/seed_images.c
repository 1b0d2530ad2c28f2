/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds of the fuzz targets that read images: see seeds.h. */
#include "tests/fuzz/seeds.h"

#include "elfpack/image/image.h"
#include "tests/unit/sample.h"
#include "tests/unit/signed_sample.h"
#include "tests/unit/test_reloc_npu_images.h"

void seed_image(const char *dir) {
    struct sample sample;
    struct rp_layout layout;
    struct rp_image_result result;
    const struct rp_linkmap map = {0};
    sample_make(&sample);
    seed_put(dir, "weights", sample.weights, SAMPLE_WEIGHTS);
    seed_check(rp_layout_make(
        &layout, &seed_arena,
        &(struct rp_linked){.elf = &sample.elf, .map = &map, .format = &rp_format_cortex_m},
        &seed_err));
    struct rp_image_spec spec = {
        .layout = &layout,
        .weights = {rp_format(&seed_arena, "%s/weights", dir), 0, SAMPLE_WEIGHTS},
        .acts_size = -1,
        .weights_size = -1,
        .image_path = rp_format(&seed_arena, "%s/whole", dir)};
    seed_check(rp_image_write(&spec, &result, &seed_err));
    spec.image_path = rp_format(&seed_arena, "%s/split", dir);
    spec.weights_path = rp_format(&seed_arena, "%s/split-weights", dir);
    seed_check(rp_image_write(&spec, &result, &seed_err));
    sample_symbol(&sample, "rp_boot_rebase", S_FLASH, 0x20000065);
    seed_check(rp_layout_make(
        &layout, &seed_arena,
        &(struct rp_linked){
            .elf = &sample.elf, .map = &map, .format = &rp_format_cortex_m, .compact = true},
        &seed_err));
    spec.image_path = rp_format(&seed_arena, "%s/compact", dir);
    spec.weights_path = NULL;
    seed_check(rp_image_write(&spec, &result, &seed_err));
    sample_free(&sample);
}

void seed_npu_image(const char *dir) {
    struct npu_image whole = npu_build(11), sealed = npu_build(13), apart = npu_build(13);
    seed_put(dir, "whole", whole.bytes, whole.size);
    npu_add_trailer(&sealed, RELOC_TRL_IMAGE, 0);
    seed_put(dir, "sealed", sealed.bytes, sealed.size);
    (void)npu_split(&apart);
    seed_put(dir, "apart", apart.bytes, apart.size);
}

/* With one signature, and with two. */
void seed_signed(const char *dir) {
    static struct signed_sample sample;
    const struct rp_statement said = {
        .name = "tiny", .counter = 7, .device_class = "a", .has_api = true};
    struct rp_signatures signatures = {
        .items = {{.type = RELOC_SIG_ED25519}, {.type = RELOC_SIG_ECDSA_P256}}};
    for (signatures.count = 1; signatures.count <= 2; signatures.count++) {
        struct rp_buf s = {.arena = &seed_arena}, image = {.arena = &seed_arena};
        struct rp_subject subject;
        signed_sample_make(&sample, 0);
        const struct rp_mapped file = {"image", sample.image, sample.image_size};
        seed_check(rp_subject_read(&subject, &file, NULL, &seed_err));
        rp_signed_make(&s, &subject, &said);
        seed_check(rp_signed_write(&image, &subject, &s, &signatures, &seed_err));
        seed_put(dir, signatures.count == 1 ? "one" : "two", image.data + sample.image_size,
                 image.len - sample.image_size);
    }
}
