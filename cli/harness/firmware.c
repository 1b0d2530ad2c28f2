/* SPDX-License-Identifier: Apache-2.0 */
/* A linked firmware: see firmware.h. */
#include "cli/harness/firmware.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "elfpack/elf/elf.h"
#include "toolchain/calls/imports.h"

bool rp_firmware_look(struct rp_firmware *firmware, struct rp_arena *arena, const char *path,
                      struct rp_error *err) {
    struct rp_elf elf;
    uint32_t first = UINT32_MAX;
    uint64_t end = 0;
    firmware->path = path;
    if (!rp_elf_open(&elf, arena, path, err))
        return false;
    for (size_t i = 0; i < elf.section_count; i++) {
        const struct rp_section *section = &elf.sections[i];
        if ((section->flags & SHF_ALLOC) == 0 || section->size == 0)
            continue;
        first = section->addr < first ? section->addr : first;
        if (end < (uint64_t)section->addr + section->size)
            end = (uint64_t)section->addr + section->size;
    }
    const struct rp_symbol *mailbox = rp_elf_symbol(&elf, "relocpack_mailbox");
    const struct rp_symbol *vectors = rp_elf_symbol(&elf, "harness_vectors");
    firmware->mailbox = mailbox != NULL ? mailbox->value : 0;
    if (vectors != NULL && vectors->section < elf.section_count) {
        const struct rp_section *section = &elf.sections[vectors->section];
        uint32_t offset = vectors->value - section->addr;
        if (section->contents != NULL && section->size >= sizeof firmware->vectors &&
            offset <= section->size - sizeof firmware->vectors)
            memcpy(firmware->vectors, section->contents + offset, sizeof firmware->vectors);
    }
    rp_elf_close(&elf);
    firmware->area = (struct rp_area){first, end > first ? (uint32_t)(end - first) : 0};
    return true;
}

bool rp_firmware_add_sources(struct rp_build *build, const struct rp_strings *sources,
                             const struct rp_strings *flags, struct rp_error *err) {
    struct rp_strings found = {0};
    for (size_t i = 0; i < sources->count; i++)
        if (!rp_list_sources(build->arena, "--host-source", sources->items[i], &found, err))
            return false;
    struct rp_strings added = {0}; /* a folder and a file in it may both be named */
    for (size_t i = 0; i < found.count; i++)
        if (!rp_strings_have(&added, found.items[i])) {
            rp_strings_push(build->arena, &added, found.items[i]);
            rp_build_add(build, found.items[i], flags);
        }
    return true;
}

void rp_firmware_imports(const struct rp_image_view *image, struct rp_arena *arena,
                         struct rp_strings *specs) {
    const uint8_t *at = image->imports;
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at)) {
        const char *spec = rp_format(arena, "%s@%u", (const char *)at + 4, rp_get_le32(at));
        if (!rp_strings_have(specs, spec))
            rp_strings_push(arena, specs, spec);
    }
}

bool rp_firmware_offer(struct rp_build *build, const struct rp_strings *specs,
                       const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_model offered = {.imports.specs = *specs};
    return rp_imports_read(&offered, build->arena, err) &&
           rp_imports_offer(&offered, build, flags, err);
}
