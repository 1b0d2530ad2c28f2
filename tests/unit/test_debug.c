/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/debug: the file that it writes is read back as an ELF file and compared
 * with the image and the linked file; the facts are computed again from the image's bytes.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/image/debug.h"
#include "tests/unit/sample.h"

static const uint8_t build_id[RELOC_BUILD_ID_BYTES] = {1, 2, 3, 0xFE};

struct job {
    struct sample sample;
    struct rp_layout layout;
    struct rp_debug_spec spec;
    struct rp_debug_facts facts;
};

static void prepare(struct unit *u, struct job *job) {
    struct rp_linkmap map = {0};
    struct rp_image_result result;
    *job = (struct job){0};
    sample_make(&job->sample);
    ACCEPTED(u, rp_layout_make(&job->layout, &u->arena,
                               &(struct rp_linked){.elf = &job->sample.elf,
                                                   .map = &map,
                                                   .format = &rp_format_cortex_m},
                               &u->err));
    job->spec = (struct rp_debug_spec){&job->layout, unit_path(u, "image.bin"), build_id,
                                       unit_path(u, "image.elf")};
    const struct rp_image_spec image = {
        .layout = &job->layout,
        .weights = {unit_write(u, "raw", job->sample.weights, SAMPLE_WEIGHTS), 0, SAMPLE_WEIGHTS},
        .acts_size = -1,
        .weights_size = -1,
        .image_path = job->spec.image_path};
    ACCEPTED(u, rp_image_write(&image, &result, &u->err));
}

static const struct rp_section *section(const struct rp_elf *elf, const char *name, uint32_t type,
                                        uint32_t addr, uint32_t size) {
    const struct rp_section *found = rp_elf_section(elf, name);
    assert_non_null(found);
    assert_int_equal(found->type, type);
    assert_int_equal(found->addr, addr);
    assert_int_equal(found->size, size);
    return found;
}

static void has_symbol(const struct rp_elf *elf, const char *name, uint32_t value,
                       const char *where) {
    const struct rp_symbol *symbol = rp_elf_symbol(elf, name);
    assert_non_null(symbol);
    assert_int_equal(symbol->value, value);
    assert_int_equal(symbol->bind, STB_LOCAL);
    assert_string_equal(rp_symbol_section(elf, symbol)->name, where);
}

static void writes_sections_and_symbols(void **state) {
    struct unit *u = *state;
    struct job job;
    struct rp_elf elf;
    size_t size;
    prepare(u, &job);
    job.sample.elf.flags = 0x05000400;
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    ACCEPTED(u, rp_elf_open(&elf, &u->arena, job.spec.path, &u->err));
    const char *image = unit_slurp(u, "image.bin", &size);
    uint32_t ro = job.layout.parts.bounds.ro_size;
    assert_int_equal(elf.type, ET_EXEC);
    assert_int_equal(elf.flags, 0x05000400);
    const struct rp_section *text = section(&elf, ".text", SHT_PROGBITS, 0x20000000, ro);
    assert_int_equal(text->flags, SHF_ALLOC | SHF_EXECINSTR);
    assert_memory_equal(text->contents, image, ro);
    const struct rp_section *data = section(&elf, ".data", SHT_PROGBITS, 0x80000000, SAMPLE_DATA);
    assert_memory_equal(data->contents, image + ro, SAMPLE_DATA);
    section(&elf, ".bss", SHT_NOBITS, 0x80000000 + SAMPLE_DATA, SAMPLE_BSS);
    section(&elf, ".weights", SHT_NOBITS, 0x40000000, SAMPLE_WEIGHTS);
    section(&elf, ".acts", SHT_NOBITS, 0xA0000000, SAMPLE_ACTS);
    const struct rp_section *info = section(&elf, ".debug_info", SHT_PROGBITS, 0, 8);
    assert_memory_equal(info->contents, job.sample.weights, 8);
    const struct rp_section *id = rp_elf_section(&elf, ".note.gnu.build-id");
    assert_memory_equal(id->contents, "\4\0\0\0\20\0\0\0\3\0\0\0GNU\0", 16);
    assert_memory_equal(id->contents + 16, build_id, sizeof build_id);
    has_symbol(&elf, "entry", 0x20000065, ".text");
    has_symbol(&elf, "table", 0x80000000, ".data");
    has_symbol(&elf, "buffer", 0x80000000 + SAMPLE_DATA, ".bss");
    has_symbol(&elf, "w", 0x40000000, ".weights");
    has_symbol(&elf, "a", 0xA0000000, ".acts");
    assert_int_equal(rp_elf_symbol(&elf, "number")->section, RP_SECTION_ABS);
    assert_null(rp_elf_symbol(&elf, "weak"));
    /* debuggers take a section at 0 for a sign that functions at 0 are real */
    for (size_t i = 1; i < elf.section_count; i++)
        assert_true((elf.sections[i].flags & SHF_ALLOC) == 0 || elf.sections[i].addr != 0);
    rp_elf_close(&elf);
    sample_free(&job.sample);
}

/* Some of the linked file's sections may be absent; the debugger is told of all of them. */
static void has_empty_sections(void **state) {
    struct unit *u = *state;
    struct job job;
    struct rp_elf elf;
    prepare(u, &job);
    job.layout.parts.acts = job.layout.parts.bss = NULL;
    job.layout.parts.bounds.bss_end = job.layout.parts.bounds.bss_start;
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    ACCEPTED(u, rp_elf_open(&elf, &u->arena, job.spec.path, &u->err));
    section(&elf, ".bss", SHT_NOBITS, 0x80000000 + SAMPLE_DATA, 0);
    section(&elf, ".acts", SHT_NOBITS, 0xA0000000, 0);
    assert_null(rp_elf_symbol(&elf, "a"));
    rp_elf_close(&elf);
    sample_free(&job.sample);
}

/* The hash of the words of the image from one to another, one in step. */
static uint32_t hash(uint32_t seed, const char *image, size_t from, size_t to, size_t step) {
    for (size_t i = from; i < to; i += step)
        seed = (uint32_t)((uint64_t)(seed ^ unit_get32((const uint8_t *)image + 4 * i)) * 16777619);
    return seed;
}

static void finds_the_facts(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t size;
    prepare(u, &job);
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    const char *image = unit_slurp(u, "image.bin", &size);
    uint32_t words = job.layout.parts.bounds.ro_size / 4;
    assert_int_equal(job.facts.words, words);
    assert_int_equal(job.facts.step, 1);
    assert_int_equal(job.facts.patched, words);
    assert_int_equal(job.facts.patched_end, words);
    assert_int_equal(job.facts.key, hash(2166136261u, image, 0, 25, 1));
    assert_int_equal(job.facts.code_hash, hash(2166136261u, image, 0, words, 1));
    /* the weights' word of the GOT comes before one of the data */
    const struct rp_debug_anchor *anchors = job.facts.anchors;
    assert_true(anchors[RP_DEBUG_WEIGHTS].found && anchors[RP_DEBUG_ACTS].found);
    assert_int_equal(anchors[RP_DEBUG_WEIGHTS].word, SAMPLE_GOT + 4);
    assert_int_equal(anchors[RP_DEBUG_WEIGHTS].offset, 0);
    assert_int_equal(anchors[RP_DEBUG_ACTS].word, 8);
    assert_int_equal(anchors[RP_DEBUG_ACTS].offset, 16);
    sample_free(&job.sample);
}

static void finds_anchors_elsewhere(void **state) {
    struct unit *u = *state;
    struct job job;
    prepare(u, &job);
    unit_put32(job.sample.data + SAMPLE_GOT + 4, 0);
    for (size_t i = 0; i < job.layout.words.fixups.count; i++) /* to before the weights */
        if (job.layout.words.fixups.items[i].target == 0x40000008)
            job.layout.words.fixups.items[i].target = 0x4FFFFFFC;
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    assert_int_equal(job.facts.anchors[RP_DEBUG_WEIGHTS].word, 4);
    assert_int_equal(job.facts.anchors[RP_DEBUG_WEIGHTS].offset, -4);
    job.layout.words.nulled = job.layout.words.fixups;
    job.layout.words.fixups.count = 0;
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    assert_int_equal(job.facts.anchors[RP_DEBUG_WEIGHTS].offset, -4);
    job.layout.words.nulled.count = 0;
    *RP_PUSH(&u->arena, &job.layout.words.fixups) =
        (struct rp_fixup){RELOC_FIXUP_CODE_MOVW | 0x70, 0x40000000};
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    assert_false(job.facts.anchors[RP_DEBUG_WEIGHTS].found);
    *RP_PUSH(&u->arena, &job.layout.words.fixups) =
        (struct rp_fixup){RELOC_FIXUP_CODE_WORD | 0x70, 0x40000004};
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    assert_int_equal(job.facts.anchors[RP_DEBUG_WEIGHTS].word,
                     0x70 - (int)job.layout.parts.bounds.ro_size);
    assert_int_equal(job.facts.anchors[RP_DEBUG_WEIGHTS].offset, 4);
    assert_false(job.facts.anchors[RP_DEBUG_ACTS].found);
    sample_free(&job.sample);
}

static void leaves_out_what_is_patched(void **state) {
    struct unit *u = *state;
    struct job job;
    size_t size;
    prepare(u, &job);
    struct rp_fixup *first = RP_PUSH(&u->arena, &job.layout.words.fixups);
    *first = (struct rp_fixup){RELOC_FIXUP_CODE_MOVT | 0x7A, 0x20000064};
    *RP_PUSH(&u->arena, &job.layout.words.fixups) =
        (struct rp_fixup){RELOC_FIXUP_CODE_WORD | 0x70, 0x20000064};
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    const char *image = unit_slurp(u, "image.bin", &size);
    assert_int_equal(job.facts.patched, 0x70 / 4);
    assert_int_equal(job.facts.patched_end, 0x80 / 4);
    uint32_t before = hash(2166136261u, image, 0, 0x70 / 4, 1);
    assert_int_equal(job.facts.code_hash, hash(before, image, 0x80 / 4, job.facts.words, 1));
    sample_free(&job.sample);
}

/* Entries at address 0 get another, without a length; what is cut off is left alone. */
static void hides_dead_frames(void **state) {
    // clang-format off
    static const uint32_t frames[] = {
        12, UINT32_MAX, 0, 0,       /* common information */
        12, 0, 0, 0x20,             /* of a dead function */
        16, 0, 0x20000064, 0x20, 0, /* of a live one */
        12, 0, 0, 0x10,             /* dead */
        64, 0, 0, 4};               /* longer than the section */
    static const uint32_t wanted[] = {
        12, UINT32_MAX, 0, 0,
        12, 0, 0x2FFFFFFF, 0,
        16, 0, 0x20000064, 0x20, 0,
        12, 0, 0x2FFFFFFF, 0,
        64, 0, 0, 4};
    // clang-format on
    struct unit *u = *state;
    struct job job;
    struct rp_elf elf;
    uint8_t bytes[sizeof frames];
    prepare(u, &job);
    for (size_t i = 0; i < COUNT(frames); i++)
        unit_put32(bytes + 4 * i, frames[i]);
    struct rp_section *extra = sample_section(&job.sample, ".debug_frame", 0);
    extra->contents = bytes;
    extra->size = sizeof bytes;
    ACCEPTED(u, rp_debug_write(&job.spec, &job.facts, &u->err));
    ACCEPTED(u, rp_elf_open(&elf, &u->arena, job.spec.path, &u->err));
    const uint8_t *got = rp_elf_section(&elf, ".debug_frame")->contents;
    for (size_t i = 0; i < COUNT(frames); i++)
        assert_int_equal(unit_get32(got + 4 * i), wanted[i]);
    rp_elf_close(&elf);
    sample_free(&job.sample);
}

static void refuses(void **state) {
    struct unit *u = *state;
    struct job job;
    prepare(u, &job);
    const char *image = job.spec.image_path;
    job.spec.image_path = unit_write(u, "cut", "NBIN", 4);
    REFUSED(u, rp_debug_write(&job.spec, &job.facts, &u->err), RP_E_INPUT, "has become shorter");
    job.spec.image_path = unit_path(u, "none");
    REFUSED(u, rp_debug_write(&job.spec, &job.facts, &u->err), RP_E_INPUT, "none");
    job.spec.image_path = image;
    job.spec.path = unit_path(u, "no/such/folder");
    REFUSED(u, rp_debug_write(&job.spec, &job.facts, &u->err), RP_E_SYSTEM, "no/such/folder");
    sample_free(&job.sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(writes_sections_and_symbols),
        UNIT(has_empty_sections),
        UNIT(finds_the_facts),
        UNIT(finds_anchors_elsewhere),
        UNIT(leaves_out_what_is_patched),
        UNIT(hides_dead_frames),
        UNIT(refuses),
    };
    return RUN(tests);
}
