/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of elfpack/placement, link_inputs, link_open, definitions, merged, compare, validate
 * and installed: a map, an object, an archive, a linked file and an image of it are refused, or the
 * linked file has the bytes of the objects. The input begins with a byte of flags and the sizes of
 * the first four, in 2 bytes each.
 */
#include "tests/fuzz/fuzz.h"

#include <elf.h>

#include "base/buf.h"
#include "elfpack/check/installed.h"

enum { OWN = 1, NEURAL_ART = 2, BY_CALL = 4, OBJECT_FD = 200, ARCHIVE_FD };
enum { MAP, OBJECT, ARCHIVE, LINKED, IMAGE, PARTS };

struct part {
    const uint8_t *bytes;
    size_t size;
};

static void split(const uint8_t *data, size_t size, struct part parts[PARTS]) {
    size_t at = 1 + 2 * (size_t)IMAGE;
    for (size_t i = 0; i < PARTS; i++) {
        size_t wanted = i < IMAGE ? data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8 : size - at;
        parts[i] = (struct part){data + at, wanted < size - at ? wanted : size - at};
        at += parts[i].size;
    }
}

/*
 * Opens it under a number that the map can name: only paths below /proc/self/fd are allowed in
 * maps.
 */
static void open_as(const struct part *part, int number) {
    char path[32];
    int fd = fuzz_file(part->bytes, part->size, path);
    require(dup2(fd, number) == number);
    (void)close(fd);
}

/* No file of this machine is opened, whatever the map says. */
static char *map_text(struct rp_arena *arena, const struct part *part) {
    char *text = rp_strndup(arena, (const char *)part->bytes, part->size);
    for (char *at = text; *at != '\0'; at++)
        *at = *at == '/' ? '_' : *at;
    return text;
}

static void require_placements(const struct rp_placements *map) {
    for (size_t i = 0; i < map->placed.count; i++) {
        const struct rp_placed *placed = &map->placed.items[i];
        bool input = placed->kind == RP_PLACED_INPUT;
        require(input == (placed->section != NULL) && input == (placed->file != NULL));
        require(placed->discarded || placed->output != NULL);
    }
    for (size_t i = 0; i < map->members.count; i++)
        require(map->members.items[i].archive != NULL && map->members.items[i].member != NULL);
}

/* Where nothing is relocated, the linked file has the object's bytes. */
static void require_same_bytes(const struct rp_elf *linked, const struct rp_input_section *input) {
    const struct rp_section *section = input->section;
    bool found = false;
    if (input->state != RP_INPUT_PLACED || section->size == 0 || section->contents == NULL ||
        input->reloc_count != 0 || rp_input_is_merged(input))
        return;
    for (size_t i = 1; i < linked->section_count && !found; i++) {
        const struct rp_section *output = &linked->sections[i];
        uint32_t at = input->addr - output->addr;
        if ((output->flags & SHF_ALLOC) == 0 || output->type == SHT_NOBITS || at >= output->size ||
            section->size > output->size - at)
            continue;
        found = true;
        require(memcmp(output->contents + at, section->contents, section->size) == 0);
    }
    for (uint32_t i = 0; i < section->size && !found; i++)
        require(section->contents[i] == 0);
}

static void require_link(const struct rp_link *link) {
    for (size_t i = 0; i < link->inputs.objects.count; i++) {
        const struct rp_input_object *object = &link->inputs.objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++) {
            require(object->sections[k].state != RP_INPUT_LOST ||
                    object->sections[k].section->size == 0);
            require_same_bytes(link->inputs.linked, &object->sections[k]);
        }
    }
}

/* Two words of the data are the packer's: what the image's first words behind the vector are. */
static void install(const struct rp_link *link, uint8_t flags, const struct part *image) {
    const struct rp_own_word own[] = {{0x80000010, 64}, {0x80000014, 8}};
    struct rp_error err = {0};
    uint8_t *exact = malloc(image->size + 1);
    require(exact != NULL);
    memcpy(exact, image->bytes, image->size);
    exact = realloc(exact, image->size != 0 ? image->size : 1); /* its end is the end */
    const struct rp_installed_spec spec = {.link = link,
                                           .image = exact,
                                           .image_size = image->size,
                                           .header_bytes = 100,
                                           .own = own,
                                           .own_count = 2,
                                           .weights_by_call = (flags & BY_CALL) != 0};
    require_error(rp_installed_check(&spec, &err), &err);
    free(exact);
}

static void check(struct rp_arena *arena, uint8_t flags, const struct part parts[PARTS]) {
    static const struct rp_link_object object = {"200", "model.c", false};
    static const struct rp_link_object own = {"200", "glue.c", true};
    char path[32];
    struct rp_error err = {0}, read = {0};
    struct rp_elf linked = {.fd = -1};
    struct rp_link link;
    struct rp_placements map;
    const char *text = map_text(arena, &parts[MAP]);
    bool ok = rp_placements_read(&map, arena, text, &read);
    require_error(ok, &read);
    if (ok)
        require_placements(&map);
    int fd = fuzz_file(parts[LINKED].bytes, parts[LINKED].size, path);
    if (rp_elf_open(&linked, arena, path, &err)) {
        const struct rp_link_spec spec = {
            .inputs = {.linked = &linked,
                       .map_text = text,
                       .dir = "/proc/self/fd",
                       .objects = (flags & OWN) != 0 ? &own : &object,
                       .object_count = 1},
            .format = (flags & NEURAL_ART) != 0 ? &rp_checked_neural_art : &rp_checked_cortex_m};
        ok = rp_link_check(&link, arena, &spec, &err);
        require_error(ok, &err);
        if (ok)
            require_link(&link);
        if (ok && link.undefined == NULL)
            install(&link, flags, &parts[IMAGE]);
        rp_link_close(&link);
        rp_elf_close(&linked);
    }
    (void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct part parts[PARTS];
    if (size < 1 + 2 * (size_t)IMAGE)
        return 0;
    split(data, size, parts);
    open_as(&parts[OBJECT], OBJECT_FD);
    open_as(&parts[ARCHIVE], ARCHIVE_FD);
    check(&arena, data[0], parts);
    (void)close(OBJECT_FD);
    (void)close(ARCHIVE_FD);
    rp_arena_release(&arena);
    return 0;
}
