/* SPDX-License-Identifier: Apache-2.0 */
/* Installs an image and compares it with its objects: see installed.h. */
#include "elfpack/check/installed.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "elfpack/image/integrity.h"
#include "elfpack/elf/sorted.h"
#include "runtime/format/reloc_format.h"

enum { POISON = 0xA5, IMPORT_STEP = 0x1000 };

struct installed {
    const struct rp_installed_spec *spec;
    const struct rp_elf *elf;
    struct rp_arena *arena;
    const struct rp_checked_format *format;
    uint8_t *flash;
    uint32_t flash_size; /* of the read-only part: up to the load image of the data */
    uint8_t *ram;
    uint32_t ram_size;
    uint32_t got_start, got_end;
    struct rp_strings imports;
    struct {
        struct rp_own_word *items;
        size_t count;
        size_t capacity;
    } uppers; /* by link address of a MOVT: the address whose upper half it holds */
};

/* Run addresses of the parts: multiples of 4 that have nothing else in common. */
static const uint32_t places[RP_PARTS] = {[RP_PART_FLASH] = 0x0812A374,
                                          [RP_PART_RAM] = 0x24013A0C,
                                          [RP_PART_WEIGHTS] = 0x71C5B6E8,
                                          [RP_PART_ACTS] = 0xC03D1294};
static const uint32_t import_base = 0x9DE2F001;

static bool place_of(const struct installed *with, uint32_t addr, uint32_t *place) {
    for (size_t i = 0; i < RP_PARTS; i++)
        if ((addr & RELOC_SEG_MASK) == with->format->parts[i].base) {
            *place = places[i];
            return true;
        }
    return false;
}

static uint32_t ram_segment(const struct installed *with) {
    return with->format->parts[RP_PART_RAM].base;
}

static bool refuse(struct rp_error *err, const char *what, uint32_t where, uint32_t value) {
    rp_fail(err, RP_E_IMAGE_CHECK, "%s, at 0x%08x: 0x%08x", what, where, value);
    return false;
}

/* ---- the part of the loader ---- */

static uint32_t header(const struct installed *with, uint32_t at) {
    return rp_get_le32(with->spec->image + at);
}

static bool copy_parts(struct installed *with, struct rp_error *err) {
    const struct rp_installed_spec *spec = with->spec;
    uint32_t data = spec->image_size >= RELOC_HDR_BYTES ? header(with, RELOC_HDR_DATA_DATA) : 0;
    if (data == 0)
        return refuse(err, "the image has no header", 0, (uint32_t)spec->image_size);
    uint32_t bss = header(with, RELOC_HDR_BSS_START) & RELOC_OFFSET_MASK;
    with->flash_size = data & RELOC_OFFSET_MASK;
    with->ram_size = header(with, RELOC_HDR_BSS_END) & RELOC_OFFSET_MASK;
    with->got_start = header(with, RELOC_HDR_GOT_START) & RELOC_OFFSET_MASK;
    with->got_end = header(with, RELOC_HDR_GOT_END) & RELOC_OFFSET_MASK;
    if (with->flash_size > spec->image_size || bss > spec->image_size - with->flash_size ||
        bss > with->ram_size || with->got_end > bss || with->got_start > with->got_end)
        return refuse(err, "the header's sizes do not fit", RELOC_HDR_DATA_DATA, data);
    with->flash = rp_alloc(with->arena, (size_t)with->flash_size + 1, 1);
    with->ram = rp_alloc(with->arena, (size_t)with->ram_size + 1, 1);
    memcpy(with->flash, spec->image, with->flash_size);
    memset(with->ram, POISON, with->ram_size);
    memcpy(with->ram, spec->image + with->flash_size, bss);
    memset(with->ram + bss, 0, with->ram_size - bss);
    return true;
}

/* Rebases a word. 0 stays 0; an unknown segment stops a loader. */
static bool rebase(const struct installed *with, uint8_t *word, uint32_t where,
                   struct rp_error *err) {
    uint32_t value = rp_get_le32(word), place;
    bool external = !with->format->rebases_all && (value & RELOC_SEG_MASK) != RELOC_SEG_FLASH &&
                    (value & RELOC_SEG_MASK) != ram_segment(with);
    if (value == 0)
        return true;
    if (external || !place_of(with, value, &place))
        return refuse(err, "a loader would stop at a word that is not an address", where, value);
    rp_put_le32(word, place + (value & RELOC_OFFSET_MASK));
    return true;
}

/* The copy of the word at a segment address, or NULL. */
static uint8_t *word_at(const struct installed *with, uint32_t addr) {
    uint32_t at = addr & RELOC_OFFSET_MASK;
    bool flash = (addr & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
    uint32_t size = flash ? with->flash_size : with->ram_size;
    if ((!flash && (addr & RELOC_SEG_MASK) != ram_segment(with)) || at > size || size - at < 4)
        return NULL;
    return (flash ? with->flash : with->ram) + at;
}

static bool rebase_lists(const struct installed *with, struct rp_error *err) {
    uint32_t start = header(with, RELOC_HDR_REL_START) & RELOC_OFFSET_MASK;
    uint32_t end = header(with, RELOC_HDR_REL_END) & RELOC_OFFSET_MASK;
    for (uint32_t at = with->got_start; at + 4 <= with->got_end; at += 4)
        if (!rebase(with, with->ram + at, ram_segment(with) | at, err))
            return false;
    if (start > end || end > with->spec->image_size || (end - start) % 4 != 0)
        return refuse(err, "the REL list is not in the file", start, end);
    for (uint32_t at = start; at < end; at += 4) {
        uint32_t where = header(with, at);
        uint8_t *word = word_at(with, where);
        bool in_flash = (where & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
        if (word == NULL || where % 4 != 0 || (in_flash && !with->format->rebases_all))
            return refuse(err, "an entry of REL leads nowhere", at, where);
        if (!rebase(with, word, where, err))
            return false;
    }
    return true;
}

/* ---- the part of the image's boot code ---- */

static bool target_address(const struct installed *with, uint32_t target, uint32_t *address) {
    if ((target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT) {
        uint32_t index = target >> 20 & 0xFFu;
        *address = import_base + index * (uint32_t)IMPORT_STEP + (target & 0xFFFFFu) - 0x80000u;
        return index < with->imports.count;
    }
    if (!place_of(with, target, address))
        return false;
    /* the last 28 bits are a signed distance from the start of the part */
    *address += ((target & RELOC_OFFSET_MASK) ^ 0x08000000u) - 0x08000000u;
    return true;
}

/* Writes half an address into a MOVW or MOVT (Armv7-M ARM, A7.7.76 and A7.7.79). */
static void put_half(uint8_t *code, uint32_t half) {
    uint32_t first = (uint32_t)code[0] | (uint32_t)code[1] << 8;
    uint32_t second = (uint32_t)code[2] | (uint32_t)code[3] << 8;
    first = (first & ~0x040Fu) | (half >> 12 & 0xFu) | (half >> 11 & 1u) << 10;
    second = (second & ~0x70FFu) | (half >> 8 & 7u) << 12 | (half & 0xFFu);
    code[0] = (uint8_t)first;
    code[1] = (uint8_t)(first >> 8);
    code[2] = (uint8_t)second;
    code[3] = (uint8_t)(second >> 8);
}

static bool apply_fixup(struct installed *with, uint32_t where, uint32_t target,
                        struct rp_error *err) {
    uint32_t segment = where & RELOC_SEG_MASK, address;
    bool code = segment != RELOC_SEG_RAM;
    uint8_t *place = word_at(with, code ? RELOC_SEG_FLASH | (where & RELOC_OFFSET_MASK) : where);
    if (place == NULL || !target_address(with, target, &address) ||
        (code && segment != RELOC_FIXUP_CODE_WORD && segment != RELOC_FIXUP_CODE_MOVW &&
         segment != RELOC_FIXUP_CODE_MOVT))
        return refuse(err, "an entry of the fix-up table leads nowhere", where, target);
    if (segment == RELOC_FIXUP_CODE_MOVW)
        put_half(place, address & 0xFFFFu);
    else if (segment == RELOC_FIXUP_CODE_MOVT)
        put_half(place, address >> 16);
    else
        rp_put_le32(place, address);
    if (segment == RELOC_FIXUP_CODE_MOVT)
        *RP_PUSH(with->arena, &with->uppers) =
            (struct rp_own_word){RELOC_SEG_FLASH | (where & RELOC_OFFSET_MASK), address};
    return true;
}

static bool rebase_compact(const struct installed *with, uint32_t *at, struct rp_error *err) {
    uint32_t where = 0;
    for (;; *at += 4) {
        if (*at > with->flash_size || with->flash_size - *at < 4)
            return refuse(err, "the compact table has no end", *at, with->flash_size);
        uint32_t entry = rp_get_le32(with->flash + *at), bits = entry >> 1;
        if (entry % 2 == 0 && entry >= 0xE0000000u)
            break;
        if (entry % 2 == 0) {
            where = entry;
            bits = 1;
        }
        for (uint32_t i = 0; i < 31; i++)
            if ((bits >> i & 1) != 0) {
                uint8_t *word = word_at(with, where + 4 * i);
                if (word == NULL || (where & RELOC_SEG_MASK) != RELOC_SEG_RAM)
                    return refuse(err, "the compact table leads nowhere", *at, where + 4 * i);
                if (!rebase(with, word, where + 4 * i, err))
                    return false;
            }
        where += entry % 2 == 0 ? 4 : 4 * 31;
    }
    *at += 4;
    return true;
}

/* Each row of the list is a version, a name, and zeros up to a multiple of 4. */
static void read_imports(struct installed *with) {
    const struct rp_symbol *start = rp_elf_symbol(with->elf, "_rp_imports");
    const struct rp_symbol *end = rp_elf_symbol(with->elf, "_rp_imports_end");
    if (start == NULL || end == NULL)
        return;
    uint32_t at = start->value & RELOC_OFFSET_MASK, stop = end->value & RELOC_OFFSET_MASK;
    while (stop <= with->flash_size && at < stop && stop - at > 4) {
        const char *name = (const char *)with->flash + at + 4;
        size_t len = strnlen(name, stop - at - 4);
        rp_strings_push(with->arena, &with->imports, rp_strndup(with->arena, name, len));
        at += 4 + (uint32_t)((len + 4) & ~(size_t)3);
    }
}

/*
 * Does the glue have boot code for the compact table? A model may have a function of that name,
 * too.
 */
static bool has_compact_table(const struct installed *with) {
    const struct rp_link_inputs *inputs = &with->spec->link->inputs;
    for (size_t i = 0; i < inputs->objects.count; i++)
        if (inputs->objects.items[i].own &&
            rp_elf_symbol(inputs->objects.items[i].elf, "rp_boot_rebase") != NULL)
            return true;
    return false;
}

/* The tables are at the end of the read-only part, followed only by zeros up to its alignment. */
static bool boot(struct installed *with, struct rp_error *err) {
    const struct rp_symbol *table = rp_elf_symbol(with->elf, "_rp_fixups");
    const struct rp_section *flash = rp_elf_section(with->elf, ".flash");
    uint32_t at = flash != NULL ? flash->size : 0;
    read_imports(with);
    if (table != NULL) {
        at = table->value & RELOC_OFFSET_MASK;
        uint32_t count = at < with->flash_size && with->flash_size - at >= 4
                             ? rp_get_le32(with->flash + at)
                             : UINT32_MAX;
        if (count > (with->flash_size - at) / RELOC_FIXUP_BYTES)
            return refuse(err, "the fix-up table is not in the read-only part", at, count);
        for (at += 4; count != 0; count--, at += RELOC_FIXUP_BYTES)
            if (!apply_fixup(with, rp_get_le32(with->flash + at), rp_get_le32(with->flash + at + 4),
                             err))
                return false;
    }
    if (has_compact_table(with) && !rebase_compact(with, &at, err))
        return false;
    for (; at < with->flash_size; at++)
        if (with->flash[at] != 0 || with->flash_size - at >= 8)
            return refuse(err, "the read-only part ends in bytes that belong to no table", at,
                          with->flash[at]);
    return true;
}

/* ---- the comparison ---- */

static int compare_uppers(const void *a, const void *b) {
    const struct rp_own_word *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static enum rp_memory_answer bytes_at(const struct rp_memory *memory, uint32_t addr, uint32_t size,
                                      const uint8_t **bytes) {
    const struct installed *with = memory->context;
    uint32_t at = addr & RELOC_OFFSET_MASK, segment = addr & RELOC_SEG_MASK;
    bool flash = segment == RELOC_SEG_FLASH;
    uint32_t room = flash ? with->flash_size : with->ram_size;
    if (!flash && segment != ram_segment(with))
        return RP_MEMORY_PASS; /* weights and activations: compared in the linked file */
    if (flash && at < with->spec->header_bytes)
        return RP_MEMORY_PASS; /* segment addresses, which nothing rebases */
    if (at > room || size > room - at)
        return RP_MEMORY_LOST;
    *bytes = (flash ? with->flash : with->ram) + at;
    return RP_MEMORY_HERE;
}

static uint32_t run_address(const struct rp_memory *memory, uint32_t addr) {
    const struct installed *with = memory->context;
    uint32_t place;
    return place_of(with, addr, &place) ? place + (addr & RELOC_OFFSET_MASK) : addr;
}

static bool import_address(const struct rp_memory *memory, const char *name, uint32_t *address) {
    const struct installed *with = memory->context;
    for (size_t i = 0; i < with->imports.count; i++)
        if (strcmp(with->imports.items[i], name) == 0) {
            *address = import_base + (uint32_t)i * (uint32_t)IMPORT_STEP;
            return true;
        }
    return false;
}

static bool own_word(const struct rp_memory *memory, uint32_t addr, uint32_t *word) {
    const struct installed *with = memory->context;
    const struct rp_symbol *table = rp_elf_symbol(with->elf, "_rp_fixups");
    if (table != NULL && table->value == addr) {
        *word = rp_get_le32(with->flash + (addr & RELOC_OFFSET_MASK)); /* read by boot() */
        return true;
    }
    for (size_t i = 0; i < with->spec->own_count; i++)
        if (with->spec->own[i].addr == addr) {
            *word = with->spec->own[i].value;
            return true;
        }
    return false;
}

/* Compares the addresses without bit 0, the Thumb bit. */
static bool upper(const struct rp_memory *memory, uint32_t addr, uint32_t value) {
    const struct installed *with = memory->context;
    const struct rp_own_word wanted = {.addr = addr};
    const struct rp_own_word *found = with->uppers.count != 0
                                          ? bsearch(&wanted, with->uppers.items, with->uppers.count,
                                                    sizeof wanted, compare_uppers)
                                          : NULL;
    return found == NULL || (found->value | 1) == (value | 1);
}

static bool stays_zero(const struct rp_memory *memory, uint32_t addr, uint32_t target) {
    const struct installed *with = memory->context;
    return with->spec->weights_by_call && (addr & RELOC_SEG_MASK) == ram_segment(with) &&
           (target & RELOC_SEG_MASK) == with->format->parts[RP_PART_WEIGHTS].base;
}

/* ---- what the objects do not determine ---- */

/* The words of the entry vector have to be as linked, and all except the last lead to code. */
static bool check_vector(const struct installed *with, struct rp_error *err) {
    const struct rp_section *flash = rp_elf_section(with->elf, ".flash");
    const struct rp_link_inputs *inputs = &with->spec->link->inputs;
    uint32_t end = with->spec->header_bytes;
    for (uint32_t at = RELOC_HDR_ENTRIES; at + 4 <= end; at += 4) {
        uint32_t word = header(with, at);
        bool code = at + 4 == end;
        if (flash == NULL || flash->contents == NULL || flash->size < end ||
            word != rp_get_le32(flash->contents + at))
            return refuse(err, "a word of the entry vector is not as it was linked", at, word);
        for (size_t i = 0; i < inputs->objects.count && !code; i++)
            for (size_t k = 1; k < inputs->objects.items[i].elf->section_count && !code; k++) {
                const struct rp_input_section *input = &inputs->objects.items[i].sections[k];
                code = input->state == RP_INPUT_PLACED &&
                       (input->section->flags & SHF_EXECINSTR) != 0 && word % 2 == 1 &&
                       word - input->addr < input->section->size;
            }
        if (!code)
            return refuse(err, "a word of the entry vector does not lead to code", at, word);
    }
    return true;
}

/*
 * Checks the addresses of the glue's sections that its code, or a loader, finds by address and not
 * by a relocation; create writes to them. No other variable lies there as well: sections of the
 * linked file do not overlap, as has been checked.
 */
static bool check_fixed_places(const struct installed *with, struct rp_error *err) {
    const struct rp_link_inputs *inputs = &with->spec->link->inputs;
    const uint32_t ram = ram_segment(with), end = ram + with->ram_size;
    const uint32_t vector = with->spec->header_bytes;
    const struct {
        const char *section;
        uint32_t start, end; /* link addresses; 0: any */
    } known[] = {
        {".network_rt_ctx", with->format->context_first ? ram : header(with, vector - 4), 0},
        {".rp_constants", RELOC_SEG_FLASH | vector, 0},
        {".params_desc", header(with, RELOC_NPU_HDR_POOLS), 0},
        {".rp_tensors", 0, has_compact_table(with) ? end - 4 : end},
        {".rp_done", 0, end},
    };
    for (size_t i = 0; i < inputs->objects.count; i++)
        for (size_t k = 1; k < inputs->objects.items[i].elf->section_count; k++) {
            const struct rp_input_section *input = &inputs->objects.items[i].sections[k];
            if (!input->object->own || input->state != RP_INPUT_PLACED)
                continue;
            for (size_t n = 0; n < sizeof known / sizeof known[0]; n++)
                if (strcmp(input->section->name, known[n].section) == 0 &&
                    ((known[n].start != 0 && input->addr != known[n].start) ||
                     (known[n].end != 0 && input->addr + input->section->size != known[n].end)))
                    return refuse(err,
                                  "a section of the glue is not where the glue's code looks for it",
                                  input->addr, known[n].start | known[n].end);
        }
    return true;
}

static bool check_got(const struct installed *with, struct rp_words *used, struct rp_error *err) {
    rp_words_sort(used);
    for (uint32_t at = with->got_start; at + 4 <= with->got_end; at += 4) {
        uint32_t addr = ram_segment(with) | at, word = rp_get_le32(with->ram + at);
        if (word != 0 && !rp_words_have(used, addr))
            return refuse(err, "nothing refers to a word of the GOT that is not 0", addr, word);
    }
    return true;
}

/* Bytes between sections have to be those of the linked file, where they have been checked. */
static bool check_between(const struct installed *with, const struct rp_section *output,
                          const uint8_t *have, uint32_t from, struct rp_error *err) {
    uint8_t *covered = rp_heap((size_t)output->size + 1);
    const struct rp_placed_list *list = &with->spec->link->inputs.map.placed;
    uint32_t wrong = output->size;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        uint32_t at = placed->addr - output->addr;
        bool compared = (placed->taken && !placed->merged) || rp_placed_is_made(placed);
        if (placed->kind == RP_PLACED_INPUT && !placed->discarded && compared &&
            strcmp(placed->output, output->name) == 0 && at <= output->size &&
            placed->size <= output->size - at)
            memset(covered + at, 1, placed->size);
    }
    for (uint32_t at = from; output->contents != NULL && at < wrong; at++)
        if (covered[at] == 0 && have[at] != output->contents[at])
            wrong = at;
    free(covered);
    return wrong == output->size ||
           refuse(err, "a byte between the sections is not as it was linked", output->addr + wrong,
                  have[wrong]);
}

static bool check_rest(const struct installed *with, struct rp_error *err) {
    const struct rp_section *flash = rp_elf_section(with->elf, ".flash");
    const struct rp_section *data = rp_elf_section(with->elf, ".data");
    if (flash == NULL || data == NULL || flash->size > with->flash_size ||
        data->size > with->ram_size || (data->addr & RELOC_OFFSET_MASK) != 0)
        return refuse(err, "the image is smaller than the linked file", 0, with->flash_size);
    for (size_t i = 0; i < with->spec->own_count; i++) {
        const uint8_t *word = word_at(with, with->spec->own[i].addr);
        if (word == NULL || rp_get_le32(word) != with->spec->own[i].value)
            return refuse(err, "a word of the context has a wrong value", with->spec->own[i].addr,
                          word != NULL ? rp_get_le32(word) : 0);
    }
    if (flash->size < RELOC_HDR_BYTES || flash->contents == NULL ||
        memcmp(with->spec->image, flash->contents, RELOC_HDR_DATA_START) != 0)
        return refuse(err, "magic and flags are not as they were linked", 0, header(with, 0));
    return check_between(with, flash, with->flash, with->spec->header_bytes, err) &&
           check_between(with, data, with->ram, 0, err);
}

static bool compare(struct installed *with, struct rp_error *err) {
    const struct rp_link *link = with->spec->link;
    const struct rp_memory memory = {
        .what = "the installed image has",
        .id = RP_E_IMAGE_CHECK,
        .bytes = bytes_at,
        .run_address = run_address,
        .import = import_address,
        .own = own_word,
        .stays_zero = stays_zero,
        .upper = upper,
        .static_base = places[RP_PART_RAM],
        .context = with,
    };
    if (with->uppers.count != 0)
        qsort(with->uppers.items, with->uppers.count, sizeof *with->uppers.items, compare_uppers);
    struct rp_byte_check check = {.arena = with->arena,
                                  .inputs = &link->inputs,
                                  .merged = &link->merged,
                                  .memory = &memory,
                                  .linked = &link->linked};
    return rp_compare(&check, err) && check_got(with, &check.got, err) && check_rest(with, err);
}

size_t rp_own_words(struct rp_own_word *own, const struct rp_layout *layout, const uint8_t *image,
                    uint32_t acts_size, uint32_t weights_size) {
    uint32_t ctx = rp_parts_context(&layout->parts);
    size_t count = 0;
    own[count++] = (struct rp_own_word){ctx + (uint32_t)RELOC_CTX_ACTS_SIZE, acts_size};
    own[count++] = (struct rp_own_word){ctx + (uint32_t)RELOC_CTX_WEIGHTS_SIZE, weights_size};
    if (layout->tables.fixups_at == 0)
        return count;
    struct rp_sum sum =
        rp_sum_bytes(image + layout->tables.at, layout->parts.bounds.ro_size - layout->tables.at);
    own[count++] =
        (struct rp_own_word){ctx + (uint32_t)RELOC_CTX_TABLES, RELOC_SEG_FLASH | layout->tables.at};
    own[count++] = (struct rp_own_word){ctx + (uint32_t)RELOC_CTX_TABLES_CRC32, sum.crc32};
    return count;
}

bool rp_installed_check(const struct rp_installed_spec *spec, struct rp_error *err) {
    struct installed with = {
        .spec = spec,
        .elf = spec->link->inputs.linked,
        .arena = spec->link->inputs.arena,
        .format = spec->link->format,
    };
    return copy_parts(&with, err) && rebase_lists(&with, err) && check_vector(&with, err) &&
           check_fixed_places(&with, err) && boot(&with, err) && compare(&with, err);
}
