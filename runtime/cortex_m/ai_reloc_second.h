/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second copy of a load's checks, with AI_RELOC_HARDENED. In and out: as ai_reloc_checks.h,
 * which includes this file.
 */
#ifndef AI_RELOC_SECOND_H
#define AI_RELOC_SECOND_H

#if !defined(__GNUC__) || defined(__clang__)
#error "AI_RELOC_HARDENED: only gcc makes the second copy of the checks"
#endif

/* gcc does not see that a view whose order is right is whole; that is proved (docs/DESIGN.md). */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

/*
 * All checks of a load once more, from the arguments on, in code of its own: flatten puts a copy of
 * every function that is called into this one. So when a glitch skips or inverts one instruction,
 * the other copy is whole. The two have nothing in common but the CRC, which a glitch only makes
 * another one. first: what the first copy found, of which only "no size was given" is believed,
 * when the arguments have none either. Stops, beyond the other checks: a REL list that is not in
 * ascending order, because an address that is listed twice would be found in one place only.
 */
__attribute__((noinline, noipa, flatten)) static uint32_t
second_opinion(const ai_rel_network_load_args *args, const struct reloc_view *first, uint32_t ram,
               uint32_t ram_size) {
    struct reloc_view view;
    bool unknown = args->obj_size == 0 && first->size == RELOC_SIZE_UNKNOWN;
    uint32_t code = unknown ? open_image(args->obj, RELOC_SIZE_UNKNOWN, &view)
                            : open_sized(args->obj, args->obj_size, &view);
    if (code == RELOC_OK)
        code = check_core(view.flags);
    if (code == RELOC_OK)
        code = reloc_check_words(&view);
    if (code != RELOC_OK)
        return code;
    uint32_t need = reloc_ram_xip(&view), last = 0;
    for (uint32_t at = view.rel_start; at != view.rel_end; at += 4u) {
        uint32_t entry = reloc_get_le32(view.image, at);
        if (entry <= last)
            return RELOC_N_REL_DUPLICATE;
        last = entry;
    }
    if (args->mode == AI_RELOC_RT_LOAD_MODE_COPY)
        need += view.ro_bytes;
    else if (args->mode != AI_RELOC_RT_LOAD_MODE_XIP)
        return RELOC_N_MODE;
    code = check_ram(&view, ram, ram_size, need);
    if (code == RELOC_OK)
        code = verify_first(&view);
    return code != RELOC_OK ? code : SECOND_OK;
}

#pragma GCC diagnostic pop

#endif
