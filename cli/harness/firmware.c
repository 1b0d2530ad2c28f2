/* SPDX-License-Identifier: Apache-2.0 */
/* A linked firmware: see firmware.h. */
#include "cli/harness/firmware.h"

#include <elf.h>

#include "elfpack/elf.h"

bool rp_firmware_look(struct rp_firmware *firmware, struct rp_build *build, struct rp_error *err) {
    struct rp_elf elf;
    uint32_t first = UINT32_MAX;
    uint64_t end = 0;
    firmware->path = rp_build_path(build, "image.elf");
    if (!rp_elf_open(&elf, build->arena, firmware->path, err))
        return false;
    firmware->entry = elf.entry;
    for (size_t i = 0; i < elf.section_count; i++) {
        const struct rp_section *section = &elf.sections[i];
        if ((section->flags & SHF_ALLOC) == 0 || section->size == 0)
            continue;
        first = section->addr < first ? section->addr : first;
        if (end < (uint64_t)section->addr + section->size)
            end = (uint64_t)section->addr + section->size;
    }
    rp_elf_close(&elf);
    firmware->area = (struct rp_area){first, end > first ? (uint32_t)(end - first) : 0};
    return true;
}
