/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/image and elfpack/reader: the sample's image against bytes put together
 * here from the format's specification, read back, cut at every length, changed in every byte.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "base/buf.h"
#include "elfpack/image/c_array.h"
#include "elfpack/image/image.h"
#include "elfpack/image/reader.h"
#include "tests/unit/sample.h"

enum {
    RO = 0x90 + 3 * 8, /* with three fix-ups */
    REL_AT = RO + SAMPLE_DATA,
    REL_END = REL_AT + 3 * 4,
    WEIGHTS_AT = 0x110, /* REL_END is 0x10C: 16-aligned */
    WEIGHTS_END = WEIGHTS_AT + SAMPLE_WEIGHTS,
    FULL = WEIGHTS_END + 96,
    SPLIT = REL_END + 96,
    PAYLOAD = 48, /* weights padded to 16 in their own file */
    WEIGHTS_FILE = PAYLOAD + 96
};

struct job {
    struct sample sample;
    struct rp_layout layout;
    struct rp_image_spec spec;
    struct rp_image_result result;
};

/* The weights are in the middle of a file, as they are in an ELF file. */
static void prepare(struct unit *u, struct job *job, bool split) {
    uint8_t file[7 + SAMPLE_WEIGHTS + 5];
    *job = (struct job){0};
    sample_make(&job->sample);
    memset(file, 0xEE, sizeof file);
    memcpy(file + 7, job->sample.weights, SAMPLE_WEIGHTS);
    struct rp_linkmap map = {0};
    ACCEPTED(u, rp_layout_make(&job->layout, &u->arena,
                               &(struct rp_linked){.elf = &job->sample.elf,
                                                   .map = &map,
                                                   .format = &rp_format_cortex_m},
                               &u->err));
    job->spec = (struct rp_image_spec){
        .layout = &job->layout,
        .weights = {unit_write(u, "raw", file, sizeof file), 7, SAMPLE_WEIGHTS},
        .acts_size = -1,
        .weights_size = -1,
        .image_path = unit_path(u, "image.bin"),
        .weights_path = split ? unit_path(u, "weights.bin") : NULL,
    };
}

static void write_image(struct unit *u, struct job *job, bool split) {
    prepare(u, job, split);
    ACCEPTED(u, rp_image_write(&job->spec, &job->result, &u->err));
    sample_free(&job->sample);
}

/* ---- the golden blob ---- */

static void golden_header(uint8_t *at, bool split) {
    static const uint32_t words[13] = {0x4E49424E,
                                       SAMPLE_FLAGS,
                                       0x80000000,
                                       0x80000048,
                                       0x20000000 + RO,
                                       0x80000058,
                                       0x80000072,
                                       0x80000048,
                                       0x80000058,
                                       0x20000000 + REL_AT,
                                       0x20000000 + REL_END,
                                       0x20000000 + WEIGHTS_AT,
                                       0x20000000 + WEIGHTS_END};
    for (unsigned i = 0; i < 13; i++)
        unit_put32(at + 4 * i, split && i > 10 ? 0 : words[i]);
}

/* From header to REL. The linked bytes are the sample's, the rest is given here. */
static void golden_code(uint8_t *at, const struct sample *s, bool split) {
    static const uint32_t fixups[7] = {3,          0x80000004, 0x40000008, 0x80000008,
                                       0xA0000010, 0x8000004C, 0x40000000};
    static const uint32_t rel[3] = {0x80000000, 0x8000000C, 0x80000024};
    memcpy(at, s->flash, SAMPLE_FLASH);
    golden_header(at, split);
    for (unsigned i = 0; i < 7; i++)
        unit_put32(at + 0x8C + 4 * i, fixups[i]);
    memcpy(at + RO, s->data, SAMPLE_DATA);
    unit_put32(at + RO + 0x04, 0);
    unit_put32(at + RO + 0x08, 0);
    unit_put32(at + RO + 0x4C, 0);
    unit_put32(at + RO + SAMPLE_CTX + 12, 0x2000008C); /* the image's tables, and their CRC */
    unit_put32(at + RO + SAMPLE_CTX + 16, unit_crc32(at + 0x8C, RO - 0x8C));
    for (unsigned i = 0; i < 3; i++)
        unit_put32(at + REL_AT + 4 * i, rel[i]);
}

static void golden_trailer(uint8_t *file, uint32_t length, uint32_t kind, const uint8_t *build_id,
                           const struct sample *s) {
    bool split = length != WEIGHTS_END;
    uint8_t *at = file + length;
    memcpy(at, "RPIT", 4);
    unit_put32(at + 4, 1);
    unit_put32(at + 8, 96);
    unit_put32(at + 12, kind);
    unit_put32(at + 16, length);
    unit_put32(at + 20, unit_crc32(file, length));
    unit_sha256(at + 24, file, length);
    memcpy(at + 56, build_id, 16);
    unit_put32(at + 72, SAMPLE_WEIGHTS);
    unit_put32(at + 76, unit_crc32(s->weights, SAMPLE_WEIGHTS));
    unit_put32(at + 80, split);
    unit_put32(at + 92, unit_crc32(at, 92));
}

static void writes_the_golden_image(void **state) {
    struct unit *u = *state;
    struct job job;
    struct sample s;
    uint8_t want[FULL] = {0}, sha[32];
    size_t size;
    write_image(u, &job, false);
    sample_make(&s);
    golden_code(want, &s, false);
    memcpy(want + WEIGHTS_AT, s.weights, SAMPLE_WEIGHTS);
    unit_sha256(sha, want, WEIGHTS_END);
    golden_trailer(want, WEIGHTS_END, 1, sha, &s);
    char *got = unit_slurp(u, "image.bin", &size);
    assert_int_equal(size, FULL);
    assert_memory_equal(got, want, FULL);
    sample_free(&s);
}

static void writes_the_golden_pair(void **state) {
    struct unit *u = *state;
    struct job job;
    struct sample s;
    uint8_t image[SPLIT] = {0}, weights[WEIGHTS_FILE] = {0}, both[64], id[32];
    size_t size;
    write_image(u, &job, true);
    sample_make(&s);
    golden_code(image, &s, true);
    memcpy(weights, s.weights, SAMPLE_WEIGHTS);
    unit_sha256(both, image, REL_END);
    unit_sha256(both + 32, s.weights, SAMPLE_WEIGHTS);
    unit_sha256(id, both, 64);
    golden_trailer(image, REL_END, 1, id, &s);
    golden_trailer(weights, PAYLOAD, 2, id, &s);
    char *got = unit_slurp(u, "image.bin", &size);
    assert_int_equal(size, SPLIT);
    assert_memory_equal(got, image, SPLIT);
    got = unit_slurp(u, "weights.bin", &size);
    assert_int_equal(size, WEIGHTS_FILE);
    assert_memory_equal(got, weights, WEIGHTS_FILE);
    assert_memory_equal(job.result.build_id, id, 16);
    sample_free(&s);
}

static void says_where_things_are(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t size;
    write_image(u, &job, false);
    char *bytes = unit_slurp(u, "image.bin", &size);
    assert_int_equal(job.result.rel_start, REL_AT);
    assert_int_equal(job.result.rel_end, REL_END);
    assert_int_equal(job.result.weights_start, WEIGHTS_AT);
    assert_int_equal(job.result.weights_end, WEIGHTS_END);
    assert_int_equal(job.result.trailer, WEIGHTS_END);
    assert_int_equal(job.result.acts_size, SAMPLE_ACTS);
    assert_int_equal(job.result.weights_size, SAMPLE_WEIGHTS);
    assert_int_equal(job.result.image.length, size);
    assert_int_equal(job.result.image.crc32, unit_crc32(bytes, size));
    write_image(u, &job, true);
    bytes = unit_slurp(u, "weights.bin", &size);
    assert_int_equal(job.result.weights_start, 0);
    assert_int_equal(job.result.trailer, REL_END);
    assert_int_equal(job.result.weights.length, size);
    assert_int_equal(job.result.weights.crc32, unit_crc32(bytes, size));
}

/* The same layout gives the same bytes, whatever was in the files before. */
static void writes_the_same_again(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t first_size, second_size;
    write_image(u, &job, false);
    char *first = unit_slurp(u, "image.bin", &first_size);
    static const char junk[2000] = "junk";
    unit_write(u, "image.bin", junk, sizeof junk);
    write_image(u, &job, false);
    char *second = unit_slurp(u, "image.bin", &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
}

/* ---- reading back ---- */

static bool read_file(struct unit *u, const char *path, struct rp_image_view *view) {
    struct rp_mapped file = {0};
    bool ok = rp_map_file(&file, path, &u->err) && rp_image_read(view, &file, &u->err);
    rp_unmap_file(&file);
    return ok;
}

static void reads_the_image_back(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    for (int split = 0; split < 2; split++) {
        write_image(u, &job, split);
        ACCEPTED(u, read_file(u, job.spec.image_path, &view));
        assert_int_equal(view.view.ro_bytes, RO);
        assert_int_equal(view.view.bss_end, 0x72);
        assert_int_equal(view.view.ctx, SAMPLE_CTX);
        assert_int_equal(view.view.weights_start, split ? 0 : WEIGHTS_AT);
        assert_int_equal(view.view.acts_size, SAMPLE_ACTS);
        assert_int_equal(view.got.flash, 1);
        assert_int_equal(view.got.ram, 1);
        assert_int_equal(view.got.zero, 2);
        assert_int_equal(view.rel.flash, 2);
        assert_int_equal(view.rel.ram, 1);
        assert_int_equal(view.rel.zero, 0);
        assert_int_equal(view.fixups, 3);
        assert_true(view.has_trailer);
        assert_int_equal(view.trailer.flags, split);
        assert_memory_equal(view.trailer.build_id, job.result.build_id, 16);
        assert_int_equal(view.trailer.weights_length, SAMPLE_WEIGHTS);
    }
}

/* ---- the compact table ---- */

enum { COMPACT_AT = RO, COMPACT_RO = RO + 3 * 4 };

static void write_compact(struct unit *u, struct job *job) {
    prepare(u, job, false);
    sample_symbol(&job->sample, "rp_boot_rebase", S_FLASH, 0x20000065);
    const struct rp_linked linked = {.elf = &job->sample.elf,
                                     .map = &(struct rp_linkmap){0},
                                     .format = &rp_format_cortex_m,
                                     .compact = true};
    ACCEPTED(u, rp_layout_make(&job->layout, &u->arena, &linked, &u->err));
    ACCEPTED(u, rp_image_write(&job->spec, &job->result, &u->err));
    sample_free(&job->sample);
}

/* REL keeps the model's name; the other two words are one entry and one bitmap. */
static void writes_a_compact_table(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    size_t size;
    write_compact(u, &job);
    uint8_t *bytes = (uint8_t *)unit_slurp(u, "image.bin", &size);
    assert_int_equal(rp_get_le32(bytes + 16), 0x20000000 + COMPACT_RO);
    assert_int_equal(rp_get_le32(bytes + COMPACT_AT), 0x80000000);
    assert_int_equal(rp_get_le32(bytes + COMPACT_AT + 4), 1 << 3 | 1);
    assert_int_equal(rp_get_le32(bytes + COMPACT_AT + 8), 0xE0000000 + 8);
    assert_int_equal(rp_get_le32(bytes + COMPACT_RO), 0x20000084); /* as linked */
    assert_int_equal(job.result.rel_end - job.result.rel_start, 4);
    assert_int_equal(rp_get_le32(bytes + job.result.rel_start), 0x80000000 + SAMPLE_CTX + 20);
    assert_true(rp_layout_compact_saves(&job.layout) < 0);
    ACCEPTED(u, read_file(u, job.spec.image_path, &view));
    assert_int_equal(view.compact_bytes, 12);
    assert_int_equal(view.compact.flash, 1);
    assert_int_equal(view.compact.ram, 1);
    assert_int_equal(view.rel.flash, 1);
    assert_int_equal(view.fixups, 3);
}

/* Whatever is in the place of the table counts as a table or as none; the image is accepted. */
static void reads_any_compact_table(void **state) {
    struct unit *u = *state;
    static const uint32_t words[] = {0,          1,          0x80000000, 0x80000002, 0x80000048,
                                     0xE0000000, 0xE0000004, 0xE00000A0, 0xFFFFFFFF, 0xE0FFFFFC};
    struct rp_image_view view;
    struct job job;
    size_t size;
    write_compact(u, &job);
    char *bytes = unit_slurp(u, "image.bin", &size);
    for (uint32_t at = COMPACT_AT - 4; at < COMPACT_RO; at += 4)
        for (size_t i = 0; i < COUNT(words); i++) {
            uint32_t was = rp_get_le32(bytes + at);
            unit_put32((uint8_t *)bytes + at, words[i]);
            unit_put32((uint8_t *)bytes + COMPACT_RO + SAMPLE_CTX + 16,
                       unit_crc32((uint8_t *)bytes + 0x8C, COMPACT_RO - 0x8C));
            char *path = unit_write(u, "odd", bytes, job.result.weights_end);
            ACCEPTED(u, read_file(u, path, &view));
            assert_true(view.compact_bytes == 0 || view.compact_bytes == 12 ||
                        (view.compact_bytes <= 8 && view.fixups == 0));
            unit_put32((uint8_t *)bytes + at, was);
        }
}

static void needs_the_boot_code(void **state) {
    struct unit *u = *state;
    struct job job;
    prepare(u, &job, false);
    const struct rp_linked linked = {.elf = &job.sample.elf,
                                     .map = &(struct rp_linkmap){0},
                                     .format = &rp_format_cortex_m,
                                     .compact = true};
    REFUSED(u, rp_layout_make(&job.layout, &u->arena, &linked, &u->err), RP_E_INTERNAL,
            "no boot code to rebase 3 words");
    sample_free(&job.sample);
}

/*
 * A file cut off right where its trailer begins is an image of another packager; all other cuts are
 * refused.
 */
static void refuses_every_prefix(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    for (int split = 0; split < 2; split++) {
        size_t size, end = split ? REL_END : WEIGHTS_END;
        write_image(u, &job, split);
        char *bytes = unit_slurp(u, "image.bin", &size);
        for (size_t cut = 0; cut < size; cut++) {
            char *path = unit_write(u, "cut", bytes, cut);
            if (cut == end) {
                ACCEPTED(u, read_file(u, path, &view));
                assert_false(view.has_trailer);
                continue;
            }
            enum rp_error_id id = cut == 0 ? RP_E_INPUT : cut < end ? RP_E_IMAGE : RP_E_INTEGRITY;
            REFUSED(u, read_file(u, path, &view), id, "/cut'");
        }
    }
}

static void detects_every_changed_byte(void **state) {
    struct unit *u = *state;
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    struct rp_image_view view;
    struct job job;
    size_t size;
    write_image(u, &job, false);
    char *bytes = unit_slurp(u, "image.bin", &size);
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < COUNT(changes); k++) {
            bytes[i] = (char)(bytes[i] ^ changes[k]);
            assert_false(read_file(u, unit_write(u, "bad", bytes, size), &view));
            assert_true(u->err.id == RP_E_IMAGE || u->err.id == RP_E_INTEGRITY);
            u->err = (struct rp_error){0};
            bytes[i] = (char)(bytes[i] ^ changes[k]);
        }
    ACCEPTED(u, read_file(u, unit_write(u, "good", bytes, size), &view));
}

/* A forged CRC is not enough: the SHA-256 is checked as well. */
static void detects_what_the_crc_does_not(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    size_t size;
    write_image(u, &job, false);
    uint8_t *bytes = (uint8_t *)unit_slurp(u, "image.bin", &size);
    bytes[WEIGHTS_AT] ^= 1;
    unit_put32(bytes + WEIGHTS_END + 20, unit_crc32(bytes, WEIGHTS_END));
    unit_put32(bytes + WEIGHTS_END + 92, unit_crc32(bytes + WEIGHTS_END, 92));
    REFUSED(u, read_file(u, unit_write(u, "bad", bytes, size), &view), RP_E_INTEGRITY, "SHA-256");
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct rp_mapped file;
    char *path = unit_text(u, "text",
                           "not an image at all, but longer than a header: ............."
                           "........................................................");
    REFUSED(u, read_file(u, path, &view), RP_E_IMAGE, "NBIN");
    REFUSED(u, read_file(u, unit_text(u, "empty", ""), &view), RP_E_INPUT, "empty");
    REFUSED(u, read_file(u, unit_path(u, "no"), &view), RP_E_INPUT, "No such file");
    REFUSED(u, read_file(u, u->dir, &view), RP_E_INPUT, "regular");
    ACCEPTED(u, rp_map_file(&file, path, &u->err));
    rp_unmap_file(&file);
    rp_unmap_file(&file);
}

static void knows_every_loader_code(void **state) {
    (void)state;
#define X(name, value, text) assert_string_equal(rp_reloc_error_text(value), text);
#include "runtime/format/reloc_errors.def"
#undef X
    assert_string_equal(rp_reloc_error_text(0), "no error");
}

/* ---- weights files ---- */

static bool check_weights(struct unit *u, const char *image_path, const char *weights_path) {
    struct rp_mapped image = {0}, weights = {0};
    struct rp_image_view view;
    bool ok = rp_map_file(&image, image_path, &u->err) && rp_image_read(&view, &image, &u->err) &&
              rp_map_file(&weights, weights_path, &u->err) &&
              rp_weights_check(&view, &weights, &u->err);
    rp_unmap_file(&image);
    rp_unmap_file(&weights);
    return ok;
}

static void takes_the_weights_of_the_same_build(void **state) {
    struct unit *u = *state;
    struct job job;
    write_image(u, &job, true);
    ACCEPTED(u, check_weights(u, job.spec.image_path, job.spec.weights_path));
}

static void refuses_wrong_weights(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t size;
    prepare(u, &job, true); /* another build: one byte of the code differs */
    job.spec.image_path = unit_path(u, "other.bin");
    job.spec.weights_path = unit_path(u, "other_weights.bin");
    job.sample.flash[0x66] ^= 1;
    ACCEPTED(u, rp_image_write(&job.spec, &job.result, &u->err));
    sample_free(&job.sample);
    write_image(u, &job, true);
    const char *image = job.spec.image_path;
    REFUSED(u, check_weights(u, image, unit_path(u, "other_weights.bin")), RP_E_INTEGRITY,
            "not made together");
    char *raw = unit_slurp(u, "weights.bin", &size);
    REFUSED(u, check_weights(u, image, unit_write(u, "w", raw, 39)), RP_E_WEIGHTS, "shorter");
    REFUSED(u, check_weights(u, image, unit_write(u, "w", raw, 40)), RP_E_INTEGRITY, "trailer");
    REFUSED(u, check_weights(u, image, image), RP_E_INTEGRITY, "trailer");
    for (size_t cut = 1; cut < size; cut++)
        assert_false(check_weights(u, image, unit_write(u, "w", raw, cut)));
    u->err = (struct rp_error){0};
    for (size_t i = 0; i < size; i++) {
        raw[i] = (char)(raw[i] ^ 0x40);
        assert_false(check_weights(u, image, unit_write(u, "w", raw, size)));
        assert_int_equal(u->err.id, RP_E_INTEGRITY);
        u->err = (struct rp_error){0};
        raw[i] = (char)(raw[i] ^ 0x40);
    }
}

static void finds_the_payload(void **state) {
    struct unit *u = *state;
    struct job job;
    uint64_t size;
    size_t length;
    write_image(u, &job, true);
    ACCEPTED(u, rp_weights_payload(job.spec.weights_path, &size, &u->err));
    assert_int_equal(size, SAMPLE_WEIGHTS);
    char *bytes = unit_slurp(u, "weights.bin", &length);
    ACCEPTED(u, rp_weights_payload(unit_write(u, "raw2", bytes, 40), &size, &u->err));
    assert_int_equal(size, 40);
    ACCEPTED(u, rp_weights_payload(unit_write(u, "cut", bytes, length - 1), &size, &u->err));
    assert_int_equal(size, length - 1);
    ACCEPTED(u, rp_weights_payload(unit_write(u, "tail", bytes + 48, 96), &size, &u->err));
    assert_int_equal(size, 96); /* a trailer that speaks of bytes that are not there */
    ACCEPTED(u, rp_weights_payload(job.spec.image_path, &size, &u->err));
    assert_int_equal(size, SPLIT); /* another kind of trailer */
    REFUSED(u, rp_weights_payload(unit_path(u, "no"), &size, &u->err), RP_E_INPUT, "/no'");
}

static void settles_the_context(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    prepare(u, &job, false);
    job.spec.acts_size = 4096;
    job.spec.weights_size = 41;
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_WEIGHTS,
            "declares 41 bytes of weights");
    job.spec.weights_size = SAMPLE_WEIGHTS;
    ACCEPTED(u, rp_image_write(&job.spec, &job.result, &u->err));
    ACCEPTED(u, read_file(u, job.spec.image_path, &view));
    assert_int_equal(view.view.acts_size, 4096);
    sample_free(&job.sample);
}

static void refuses_bad_sources(void **state) {
    struct unit *u = *state;
    struct job job;
    prepare(u, &job, false);
    job.spec.weights.offset = 20; /* 12 bytes short */
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_INPUT, "ends too early");
    job.spec.weights.path = unit_path(u, "none");
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_INPUT, "none");
    job.spec.weights.size = 0x10000000;
    job.spec.weights_size = 0x10000000;
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_TOO_LARGE, "the image");
    job.spec.weights_path = unit_path(u, "w");
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_TOO_LARGE, "the weights file");
    sample_free(&job.sample);
    prepare(u, &job, false);
    job.spec.acts_size = INT64_C(0x100000004); /* 4 in the format's word */
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_TOO_LARGE, "the activations");
    sample_free(&job.sample);
    prepare(u, &job, false);
    job.spec.image_path = "/dev/full";
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_NO_SPACE, "/dev/full");
    job.spec.image_path = unit_path(u, "no/such");
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_SYSTEM, "no/such");
    job.spec.image_path = unit_path(u, "i");
    job.spec.weights_path = "/dev/full";
    REFUSED(u, rp_image_write(&job.spec, &job.result, &u->err), RP_E_NO_SPACE, "/dev/full");
    sample_free(&job.sample);
}

/*
 * Without weights and boot code, with code and data of odd sizes, the image is padded and readable.
 */
static void writes_images_without_weights(void **state) {
    struct unit *u = *state;
    struct rp_image_view view;
    struct job job;
    prepare(u, &job, false);
    job.layout.words.fixups.count = job.layout.tables.fixups_at = 0;
    job.layout.parts.bounds.ro_size = SAMPLE_FLASH;
    unit_put32(job.sample.data + 4, 0);
    unit_put32(job.sample.data + 8, 0);
    unit_put32(job.sample.data + 0x4C, 0);
    job.spec.weights = (struct rp_weights_source){0};
    job.spec.weights_size = 0;
    ACCEPTED(u, rp_image_write(&job.spec, &job.result, &u->err));
    ACCEPTED(u, read_file(u, job.spec.image_path, &view));
    assert_int_equal(view.view.weights_start, 0);
    assert_int_equal(view.view.ro_bytes, SAMPLE_FLASH);
    assert_int_equal(view.fixups, 0);
    assert_int_equal(view.trailer.weights_length, 0);
    assert_int_equal(view.trailer.weights_crc32, 0);
    sample_free(&job.sample);
}

/* ---- C files ---- */

static void writes_c_arrays(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t size;
    write_image(u, &job, false);
    const struct rp_c_array array = {.path = job.spec.image_path,
                                     .c_path = unit_path(u, "x.c"),
                                     .header = "x.h",
                                     .size = "SIZE",
                                     .alignment = "ALIGN",
                                     .getter = "const uint8_t *get(void)"};
    ACCEPTED(u, rp_c_array_write(&array, &u->err));
    char *source = unit_slurp(u, "x.c", NULL);
    CONTAINS(source, "#include \"x.h\"");
    CONTAINS(source, "bytes[SIZE] __attribute__((aligned(ALIGN)))");
    CONTAINS(source, "\nconst uint8_t *get(void) {");
    uint8_t *bytes = (uint8_t *)unit_slurp(u, "image.bin", &size);
    char *at = strchr(source, '{');
    for (size_t i = 0; i < size; i++) { /* every number of the array, in order */
        at = strstr(at, "0x");
        assert_non_null(at);
        assert_int_equal(strtoul(at, &at, 16), bytes[i]);
    }
    assert_null(strstr(at, "0x"));
    struct rp_c_array bad = array;
    bad.c_path = "/dev/full";
    REFUSED(u, rp_c_array_write(&bad, &u->err), RP_E_NO_SPACE, "/dev/full");
    bad = array;
    bad.path = unit_path(u, "none");
    REFUSED(u, rp_c_array_write(&bad, &u->err), RP_E_INPUT, "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(writes_the_golden_image),       UNIT(writes_the_golden_pair),
        UNIT(says_where_things_are),         UNIT(writes_the_same_again),
        UNIT(reads_the_image_back),          UNIT(writes_a_compact_table),
        UNIT(reads_any_compact_table),       UNIT(needs_the_boot_code),
        UNIT(refuses_every_prefix),          UNIT(detects_every_changed_byte),
        UNIT(detects_what_the_crc_does_not), UNIT(refuses_other_files),
        UNIT(knows_every_loader_code),       UNIT(takes_the_weights_of_the_same_build),
        UNIT(refuses_wrong_weights),         UNIT(finds_the_payload),
        UNIT(settles_the_context),           UNIT(refuses_bad_sources),
        UNIT(writes_images_without_weights), UNIT(writes_c_arrays),
    };
    return RUN(tests);
}
