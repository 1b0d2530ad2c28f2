/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boot code inside an image: sets what no loader of the format knows about, from the table that the
 * packer puts behind the read-only data (reloc_format.h, "fix-up table"). Words that point into the
 * weights and the activations are set from init_v2, each time, so that these may lie elsewhere at
 * the next init. With RP_COPY_ONLY defined, code that is right at one address only is patched as
 * well: from create, in a copy of the image. With RP_COMPACT, create also rebases words that REL
 * does not list. With RP_IMPORTS, words that hold addresses of the firmware's symbols are set from
 * create, out of a table that the loader hands over.
 */
#ifndef RELOCPACK_IMAGE_BOOT_H
#define RELOCPACK_IMAGE_BOOT_H

#include <stddef.h>
#include <stdint.h>

#include "reloc_format.h"

/* The first word of the table; the packer fills in the count and appends the entries. */
extern const uint32_t _rp_fixups[];
__asm__(".pushsection .rp_fixups, \"a\", %progbits\n"
        ".balign 4\n"
        ".global _rp_fixups\n"
        "_rp_fixups: .word 0\n"
        ".popsection\n");

/* Address of RAM offset 0: what the loader keeps in r9 while the image runs. */
static inline uint32_t rp_boot_ram_base(void) {
    uint32_t base;
    __asm__("mov %0, r9" : "=r"(base)); /* the same all the while: may be asked once */
    return base;
}

/* Where a target lies in its part: also before the start, for a pointer to before an array. */
static inline uint32_t rp_boot_offset(uint32_t target) {
    return (uint32_t)((int32_t)(target << 4) >> 4);
}

/* The table, found by its distance from the code: without a word of the GOT. */
static inline const uint32_t *rp_boot_fixups(void) {
    const uint32_t *table;
    __asm__("ldr %0, 1f\n"
            "0:\tadd %0, pc\n\tb 2f\n\t.balign 4\n"
            "1:\t.word _rp_fixups - (0b + 4)\n"
            "2:"
            : "=l"(table));
    return table;
}

#if defined(RP_COPY_ONLY) || defined(RP_IMPORTS) || defined(RP_COMPACT)
#define RP_BOOT_CREATES /* not all entries of the table are init_v2's, or create has work */
#endif

#ifdef RP_COPY_ONLY
/* System control space: as in reloc_port.h. */
#define RP_BOOT_SCS(offset) (*(volatile uint32_t *)(UINT32_C(0xE000E000) + (offset)))
enum { RP_SCS_CCR = 0xD14, RP_SCS_CTR = 0xD7C, RP_SCS_ICIALLU = 0xF50, RP_SCS_DCCMVAC = 0xF68 };

/*
 * Makes patched code visible to instruction fetch. flash: address of FLASH offset 0. The registers
 * are there for privileged code only; other firmware on a core with caches has to do this itself
 * (docs/TARGET.md).
 */
static inline void rp_boot_sync(uint32_t flash) {
    uint32_t bytes =
        *(const uint32_t *)(uintptr_t)(flash + RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK;
    uint32_t control, exception;
    __asm__ volatile("dsb\n\tmrs %0, control\n\tmrs %1, ipsr"
                     : "=r"(control), "=r"(exception)::"memory");
    if ((control & 1u) == 0 || exception != 0) {
        uint32_t ccr = RP_BOOT_SCS(RP_SCS_CCR);
        uint32_t line = UINT32_C(4) << (RP_BOOT_SCS(RP_SCS_CTR) >> 16 & 0xFu);
        if ((ccr & UINT32_C(1) << 16) != 0)
            for (uint32_t at = flash & ~(line - 1); at - flash < bytes || at < flash; at += line)
                RP_BOOT_SCS(RP_SCS_DCCMVAC) = at;
        __asm__ volatile("dsb" ::: "memory");
        if ((ccr & UINT32_C(1) << 17) != 0)
            RP_BOOT_SCS(RP_SCS_ICIALLU) = 0;
    }
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* Half an address into a Thumb MOVW or MOVT (Armv7-M ARM, A7.7.76 T3, A7.7.79 T1). */
static inline void rp_boot_put_half(volatile uint16_t *code, uint32_t half) {
    code[0] = (uint16_t)((code[0] & 0xFBF0u) | half >> 12 | (half >> 1 & 0x400u));
    code[1] = (uint16_t)((code[1] & 0x8F00u) | (half << 4 & 0x7000u) | (half & 0xFFu));
}

static inline void rp_boot_put_code(uint32_t flash, uint32_t where, uint32_t value) {
    uint32_t at = flash + (where & RELOC_OFFSET_MASK);
    if ((where & RELOC_SEG_MASK) == RELOC_FIXUP_CODE_WORD)
        *(volatile uint32_t *)(uintptr_t)at = value;
    else if ((where & RELOC_SEG_MASK) == RELOC_FIXUP_CODE_MOVW)
        rp_boot_put_half((volatile uint16_t *)(uintptr_t)at, value & 0xFFFFu);
    else
        rp_boot_put_half((volatile uint16_t *)(uintptr_t)at, value >> 16);
}

/* Is there code to patch, so that the image works in a copy only? */
static inline int rp_boot_needs_copy(void) {
    const uint32_t *table = rp_boot_fixups();
    for (uint32_t i = 0; i < table[0]; i++)
        if ((table[1 + 2 * i] & RELOC_SEG_MASK) != RELOC_SEG_RAM)
            return 1;
    return 0;
}

/*
 * For create: patches code that leads to code or data. state and flash: the context's, the latter
 * the address of FLASH offset 0. Returns 0 when that would have to be done to an image in place.
 * This code and what calls it is compiled position-independent: nothing here is patched itself.
 */
static inline int rp_boot_patch(uint32_t state, uint32_t flash) {
    const uint32_t *table = rp_boot_fixups();
    uint32_t ram = rp_boot_ram_base();
    if (!rp_boot_needs_copy())
        return 1;
    if ((state & RELOC_STATE_XIP) != 0)
        return 0;
    for (uint32_t i = 0; i < table[0]; i++) {
        uint32_t target = table[2 + 2 * i], segment = target & RELOC_SEG_MASK;
        if (segment == RELOC_SEG_FLASH || segment == RELOC_SEG_RAM)
            rp_boot_put_code(flash, table[1 + 2 * i],
                             (segment == RELOC_SEG_FLASH ? flash : ram) + rp_boot_offset(target));
    }
    rp_boot_sync(flash);
    return 1;
}
#endif

#ifdef RP_IMPORTS
/* The list of imports, and the two words behind it (reloc_format.h, "imports"). */
extern const uint32_t _rp_imports[];
extern const uint32_t _rp_imports_end[];

static inline int rp_boot_same(const char *a, const char *b) {
    while (*a == *b && *a != '\0')
        a++, b++;
    return *a == *b;
}

/* All words of one import get the address of the firmware's symbol. */
static inline void rp_boot_bind(uint32_t index, uint32_t address, uint32_t flash) {
    const uint32_t *table = rp_boot_fixups();
    uint32_t ram = rp_boot_ram_base();
    (void)flash;
    for (const uint32_t *at = table + 1, *end = at + 2 * table[0]; at < end; at += 2) {
        uint32_t where = at[0], target = at[1];
        uint32_t value = address + RELOC_IMPORT_ADDEND_OF(target);
        if ((target & RELOC_SEG_MASK) != RELOC_SEG_IMPORT || RELOC_IMPORT_INDEX(target) != index)
            continue;
#ifdef RP_COPY_ONLY
        if ((where & RELOC_SEG_MASK) != RELOC_SEG_RAM) {
            rp_boot_put_code(flash, where, value);
            continue;
        }
#endif
        *(volatile uint32_t *)(uintptr_t)(ram + (where & RELOC_OFFSET_MASK)) = value;
    }
}

/* The row of the application's table for one import, or NULL; *other: only of another version. */
static inline const uint32_t *rp_boot_find(const uint32_t *config, const uint32_t *import,
                                           uint32_t *other) {
    const uint32_t *row = (const uint32_t *)(uintptr_t)config[RELOC_CFG_TABLE / 4];
    uint32_t wanted = import[0];
    *other = 0;
    for (uint32_t i = 0; i < config[RELOC_CFG_COUNT / 4]; i++, row += RELOC_SYM_BYTES / 4) {
        const char *name = (const char *)(uintptr_t)row[RELOC_SYM_NAME / 4];
        if (name == NULL || !rp_boot_same(name, (const char *)&import[1]))
            continue;
        if (row[RELOC_SYM_ADDRESS / 4] != 0 &&
            (wanted == 0 || row[RELOC_SYM_VERSION / 4] == wanted))
            return row;
        *other = row[RELOC_SYM_ADDRESS / 4] != 0;
    }
    return NULL;
}

/*
 * For create, behind rp_boot_patch: matches the imports with what the loader hands over as config,
 * which is NULL on firmware that knows no imports. flash: address of FLASH offset 0. Returns 0 when
 * one is not met; config then says which.
 */
static inline int rp_boot_import(uint32_t *config, uint32_t flash) {
    const uint32_t *import = _rp_imports;
    if (_rp_imports_end[1] == 0)
        return 1;
    if (config == NULL || config[RELOC_CFG_MAGIC / 4] != RELOC_CONFIG_MAGIC)
        return 0;
    for (uint32_t i = 0; i < _rp_imports_end[1]; i++) {
        const uint32_t *row = rp_boot_find(config, import, &config[RELOC_CFG_VERSION / 4]);
        if (row == NULL) {
            config[RELOC_CFG_REFUSED / 4] = (uint32_t)(uintptr_t)&import[1] - flash;
            return 0;
        }
        rp_boot_bind(i, row[RELOC_SYM_ADDRESS / 4], flash);
        for (import++; (*import & 0xFF000000u) != 0; import++) /* the name's last word has a 0 */
            ;
        import++;
    }
#ifdef RP_COPY_ONLY
    rp_boot_sync(flash);
#endif
    return 1;
}
#endif

#ifdef RP_COMPACT
/*
 * For create: does the loader's work on the words in the compact table, which are segment addresses
 * until then, so that nothing before may look at them. The packer knows the function by its name. A
 * second create on the same data finds the work done.
 */
__attribute__((noinline)) static void rp_boot_rebase(uint32_t flash) {
    static uint32_t done;
    const uint32_t *table = rp_boot_fixups(), *entry = table + 1 + 2 * table[0];
    uint32_t to_ram = rp_boot_ram_base() - RELOC_SEG_RAM, to_flash = flash - RELOC_SEG_FLASH;
    if (done)
        return;
    done = 1;
    for (uint32_t base = 0; *entry % 2 != 0 || *entry < RELOC_COMPACT_END; entry++) {
        uint32_t bits = *entry >> 1, span = 4 * RELOC_COMPACT_BITS;
        if (*entry % 2 == 0) {
            base = *entry + to_ram;
            bits = 1;
            span = 4;
        }
        for (uint32_t at = base; bits != 0; at += 4, bits >>= 1)
            if (bits % 2 != 0) {
                uint32_t *word = (uint32_t *)(uintptr_t)at;
                *word += *word >= RELOC_SEG_RAM ? to_ram : to_flash;
            }
        base += span;
    }
    __asm__ volatile("" ::: "memory"); /* other types than words were written */
}
#endif

#ifdef RP_BOOT_CREATES
/* Codes of an ai_error of type 0x33, create failed; not every release of the vendor has names. */
enum rp_boot_error { RP_BOOT_DONE = 0, RP_BOOT_NEEDS_COPY = 0x10, RP_BOOT_NO_IMPORT = 0x17 };

/* All that create has to do: state and flash as above, config: what create was called with. */
static inline uint32_t rp_boot_create(uint32_t state, uint32_t flash, const void *config) {
    (void)state, (void)config;
#ifdef RP_COPY_ONLY
    if (!rp_boot_patch(state, flash))
        return RP_BOOT_NEEDS_COPY;
#endif
#ifdef RP_IMPORTS
    if (!rp_boot_import((uint32_t *)(uintptr_t)config, flash))
        return RP_BOOT_NO_IMPORT;
#endif
#ifdef RP_COMPACT
    rp_boot_rebase(flash);
#endif
    return RP_BOOT_DONE;
}
#endif

/*
 * For init_v2. flash: address of FLASH offset 0; weights and acts: where the addresses of the two
 * parts are. Returns 0, or the segment of a part that is needed and not there or not 4-aligned,
 * which would give plausible wrong numbers.
 */
static inline uint32_t rp_boot_set(uint32_t flash, const void *const *weights,
                                   const void *const *acts) {
    const uint32_t *table = rp_boot_fixups();
    uint32_t ram = rp_boot_ram_base();
    uint32_t patches = 0;
    for (const uint32_t *at = table + 1, *end = at + 2 * table[0]; at < end; at += 2) {
        uint32_t where = at[0], target = at[1], segment = target & RELOC_SEG_MASK;
#ifdef RP_BOOT_CREATES
        if (segment != RELOC_SEG_WEIGHTS && segment != RELOC_SEG_ACTS)
            continue;
#endif
        const void *const *part = segment == RELOC_SEG_WEIGHTS ? weights : acts;
        uint32_t base = part != NULL ? (uint32_t)(uintptr_t)*part : 0;
        if (base == 0 || base % 4 != 0)
            return segment;
        base += rp_boot_offset(target);
#ifdef RP_COPY_ONLY
        if ((where & RELOC_SEG_MASK) != RELOC_SEG_RAM) {
            rp_boot_put_code(flash, where, base);
            patches++;
            continue;
        }
#endif
        *(volatile uint32_t *)(uintptr_t)(ram + (where & RELOC_OFFSET_MASK)) = base;
    }
    (void)flash, (void)patches;
#ifdef RP_COPY_ONLY
    if (patches != 0)
        rp_boot_sync(flash);
#endif
    return 0;
}

#endif
