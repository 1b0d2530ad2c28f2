/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the loader checks before a load: the image, the core, the RAM; and with AI_RELOC_HARDENED
 * all of that a second time. In: the arguments of the functions in ai_reloc_network.h. Out:
 * RELOC_OK or a code. Nothing is written. Included by ai_reloc_network.c only.
 */
#ifndef AI_RELOC_CHECKS_H
#define AI_RELOC_CHECKS_H

/*
 * Opens an image of known (or RELOC_SIZE_UNKNOWN) size and fills view. A size that leads out of the
 * address space is refused: a failed ftell gives the largest size there is.
 */
static uint32_t open_image(const void *obj, uint32_t size, struct reloc_view *view) {
    if (obj == NULL || address_of(obj) % 4u != 0)
        return RELOC_N_OBJECT;
    return reloc_check_image((const uint8_t *)obj, size, view);
}

static uint32_t open_sized(const void *obj, uint32_t size, struct reloc_view *view) {
    return size > 0u - address_of(obj) ? (uint32_t)RELOC_N_OBJECT : open_image(obj, size, view);
}

static uint32_t check_core(uint32_t flags) {
    if (!AI_RELOC_RT_MCU_CHECKING)
        return RELOC_OK;
    uint32_t part = AI_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_N_CPU;
    if (RELOC_FLAGS_FPU(flags) && (AI_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_N_FPU;
    return RELOC_OK;
}

/*
 * Whether need bytes of size at ram can be used for the image: aligned, without wrapping around,
 * and apart from the image.
 */
static uint32_t check_ram(const struct reloc_view *view, uint32_t ram, uint32_t size,
                          uint32_t need) {
    uint32_t obj = address_of(view->image);
    if (ram % RELOC_RAM_ALIGN != 0)
        return RELOC_N_RAM_ADDRESS;
    if (need > size || need > 0u - ram)
        return RELOC_N_RAM_SIZE;
    return ram - obj < needed_bytes(view) || obj - ram < need ? RELOC_N_RAM_OVERLAP : RELOC_OK;
}

enum { SECOND_OK = 0x5A00 };

#ifdef AI_RELOC_HARDENED
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

#endif
