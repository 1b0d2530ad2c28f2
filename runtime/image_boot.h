/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boot code inside an image. It sets the words that no loader of the format knows about, from the
 * table that the packer puts behind the read-only data (reloc_format.h, "fix-up table"). init_v2
 * sets the words that point into weights and activations each time, so that both may lie elsewhere
 * at the next init. With RP_COPY_ONLY defined, create also patches code that is right at one
 * address only, in a copy of the image. With RP_COMPACT, create also rebases words that REL does
 * not list. With RP_IMPORTS, create also sets words that hold addresses of the firmware's symbols,
 * from a table that the loader hands over.
 *
 * The tables are not trusted, whichever loader runs: each entry is bounded where it is used, by the
 * header of the image as it runs. A refused image has written only words of the data, of the GOT
 * and (in a copy) of the code.
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

/* Address of RAM offset 0, which the loader keeps in r9 while the image runs. */
static inline uint32_t rp_boot_ram_base(void) {
    uint32_t base;
    __asm__("mov %0, r9" : "=r"(base)); /* constant while the image runs: read it once */
    return base;
}

/* A target's offset in its part; negative for a pointer to before an array. */
static inline uint32_t rp_boot_offset(uint32_t target) {
    return (uint32_t)((int32_t)(target << 4) >> 4);
}

/* A place in the image, found by its distance from the code, without a word of the GOT. */
#define RP_BOOT_NEAR(at, symbol)                                                                   \
    __asm__("ldr %0, 1f\n"                                                                         \
            "0:\tadd %0, pc\n\tb 2f\n\t.balign 4\n"                                                \
            "1:\t.word " symbol " - (0b + 4)\n"                                                    \
            "2:"                                                                                   \
            : "=l"(at))

/* The fix-up table, the first of the tables. */
static inline const uint32_t *rp_boot_fixups(void) {
    const uint32_t *table;
    RP_BOOT_NEAR(table, "_rp_fixups");
    return table;
}

/* A word of the header. flash: address of FLASH offset 0. */
static inline uint32_t rp_boot_header(uint32_t flash, uint32_t word) {
    return *(const uint32_t *)(uintptr_t)(flash + word);
}

/* The tables end where the read-only part ends. */
static inline const uint32_t *rp_boot_tables_end(uint32_t flash) {
    uint32_t bytes = rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH;
    return (const uint32_t *)(uintptr_t)(flash + bytes);
}

/*
 * The words that entries may name. They lie behind the context, which belongs to the loader and
 * begins the RAM, and behind what the glue keeps after it (RP_BOOT_KEPT bytes in all: a size or an
 * address there would lead out of the RAM). They end where a word of the header says. Counted from
 * the first of them; limit: the last.
 */
#ifndef RP_BOOT_KEPT
#define RP_BOOT_KEPT RELOC_CTX_BYTES
#endif
#define RP_BOOT_FIRST (RELOC_SEG_RAM + RP_BOOT_KEPT)

static inline uint32_t rp_boot_limit(uint32_t flash, uint32_t end) {
    return rp_boot_header(flash, end) - RP_BOOT_FIRST - 4;
}

/* NULL: no such word. */
static inline volatile uint32_t *rp_boot_word(uint32_t where, uint32_t limit) {
    uint32_t offset = where - RP_BOOT_FIRST;
    if (offset > limit || offset % 4 != 0)
        return NULL;
    return (volatile uint32_t *)(uintptr_t)(rp_boot_ram_base() + RP_BOOT_KEPT + offset);
}

#if defined(RP_COPY_ONLY) || defined(RP_IMPORTS) || defined(RP_COMPACT)
#define RP_BOOT_CREATES /* not all entries are init_v2's, or create has work */
#endif

#ifdef RP_COPY_ONLY
/* System control space, as in reloc_port.h. */
#define RP_BOOT_SCS(offset) (*(volatile uint32_t *)(UINT32_C(0xE000E000) + (offset)))
enum { RP_SCS_CCR = 0xD14, RP_SCS_CTR = 0xD7C, RP_SCS_ICIALLU = 0xF50, RP_SCS_DCCMVAC = 0xF68 };

/*
 * Makes patched code visible to instruction fetch. flash: address of FLASH offset 0. Only
 * privileged code can use the registers; other firmware on a core with caches has to do this itself
 * (docs/TARGET.md).
 */
static inline void rp_boot_sync(uint32_t flash) {
    uint32_t bytes = rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH;
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

/* Puts half an address into a Thumb MOVW or MOVT (Armv7-M ARM, A7.7.76 T3, A7.7.79 T1). */
static inline void rp_boot_put_half(volatile uint16_t *code, uint32_t half) {
    code[0] = (uint16_t)((code[0] & 0xFBF0u) | half >> 12 | (half >> 1 & 0x400u));
    code[1] = (uint16_t)((code[1] & 0x8F00u) | (half << 4 & 0x7000u) | (half & 0xFFu));
}

/* The end of the code that is never patched: create and this file (templates/image.ld). */
static inline uint32_t rp_boot_code_end(void) {
    uint32_t end;
    RP_BOOT_NEAR(end, "_rp_code_end");
    return end;
}

/*
 * Returns 0 and does nothing where no code is patched: header, boot code, tables, outside the
 * image.
 */
static inline int rp_boot_put_code(uint32_t flash, uint32_t where, uint32_t value) {
    uint32_t at = flash + (where & RELOC_OFFSET_MASK), first = rp_boot_code_end();
    if (at - first > (uint32_t)(uintptr_t)rp_boot_fixups() - 4 - first)
        return 0;
    switch (where & RELOC_SEG_MASK) {
    case RELOC_FIXUP_CODE_WORD:
        *(volatile uint32_t *)(uintptr_t)at = value;
        return 1;
    case RELOC_FIXUP_CODE_MOVW:
        rp_boot_put_half((volatile uint16_t *)(uintptr_t)at, value & 0xFFFFu);
        return 1;
    case RELOC_FIXUP_CODE_MOVT:
        rp_boot_put_half((volatile uint16_t *)(uintptr_t)at, value >> 16);
        return 1;
    default:
        return 0;
    }
}

#endif

/* Sets the place that an entry names; returns 0 if it names none. limit: rp_boot_limit. */
static inline int rp_boot_put(uint32_t flash, uint32_t limit, uint32_t where, uint32_t value) {
#ifdef RP_COPY_ONLY
    if ((where & RELOC_SEG_MASK) != RELOC_SEG_RAM)
        return rp_boot_put_code(flash, where, value);
#endif
    (void)flash;
    volatile uint32_t *word = rp_boot_word(where, limit);
    if (word == NULL)
        return 0;
    *word = value;
    return 1;
}

/* Codes of an ai_error of type 0x33, create failed. Not every release of the vendor names them. */
enum rp_boot_error {
    RP_BOOT_DONE = 0,
    RP_BOOT_NEEDS_COPY = 0x10,
    RP_BOOT_DAMAGED = 0x11,
    RP_BOOT_NO_IMPORT = 0x17
};

#ifdef RP_COPY_ONLY
/*
 * For create: patches code that leads to code or data. state and flash: the context's; flash is the
 * address of FLASH offset 0. An image that runs in place cannot be patched, so there any entry for
 * code is refused. This code and its callers are compiled position-independent: nothing here is
 * patched itself.
 */
static inline enum rp_boot_error rp_boot_patch(uint32_t state, uint32_t flash) {
    const uint32_t *at = rp_boot_fixups(), *end = rp_boot_tables_end(flash);
    uint32_t ram = rp_boot_ram_base(), patches = 0;
    for (uint32_t count = *at++; count != 0; count--, at += 2) {
        if (at >= end)
            return RP_BOOT_DAMAGED;
        uint32_t where = at[0], target = at[1], segment = target & RELOC_SEG_MASK;
        if ((where & RELOC_SEG_MASK) == RELOC_SEG_RAM)
            continue;
        if ((state & RELOC_STATE_XIP) != 0)
            return RP_BOOT_NEEDS_COPY;
        patches = 1;
        if ((segment == RELOC_SEG_FLASH || segment == RELOC_SEG_RAM) &&
            !rp_boot_put_code(flash, where,
                              (segment == RELOC_SEG_FLASH ? flash : ram) + rp_boot_offset(target)))
            return RP_BOOT_DAMAGED;
    }
    if (patches)
        rp_boot_sync(flash);
    return RP_BOOT_DONE;
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

/* Sets all words of one import to the address of the firmware's symbol. */
static inline int rp_boot_bind(uint32_t index, uint32_t address, uint32_t flash) {
    const uint32_t *at = rp_boot_fixups(), *end = rp_boot_tables_end(flash);
    uint32_t limit = rp_boot_limit(flash, RELOC_HDR_GOT_END);
    for (uint32_t count = *at++; count != 0; count--, at += 2) {
        if (at >= end)
            return 0;
        uint32_t target = at[1];
        if ((target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT && RELOC_IMPORT_INDEX(target) == index &&
            !rp_boot_put(flash, limit, at[0], address + RELOC_IMPORT_ADDEND_OF(target)))
            return 0;
    }
    return 1;
}

/*
 * The row of the application's table for one import, or NULL; *other: there is one, but only of
 * another version.
 */
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
 * For create, as its last step: matches the imports with config, which the loader hands over and
 * which is NULL on firmware that knows no imports. flash: address of FLASH offset 0. If an import
 * is not met, config says which.
 */
static inline enum rp_boot_error rp_boot_import(uint32_t *config, uint32_t flash) {
    const uint32_t *import = _rp_imports, *end = _rp_imports_end;
    uint32_t count = end[1];
    if (count == 0)
        return RP_BOOT_DONE;
    if (config == NULL || config[RELOC_CFG_MAGIC / 4] != RELOC_CONFIG_MAGIC)
        return RP_BOOT_NO_IMPORT;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *next = import;
        do { /* a version, then a name whose last word has a 0 byte */
            if (++next >= end)
                return RP_BOOT_DAMAGED;
        } while ((*next & 0xFF000000u) != 0);
        const uint32_t *row = rp_boot_find(config, import, &config[RELOC_CFG_VERSION / 4]);
        if (row == NULL) {
            config[RELOC_CFG_REFUSED / 4] = (uint32_t)(uintptr_t)&import[1] - flash;
            return RP_BOOT_NO_IMPORT;
        }
        if (!rp_boot_bind(i, row[RELOC_SYM_ADDRESS / 4], flash))
            return RP_BOOT_DAMAGED;
        import = next + 1;
    }
#ifdef RP_COPY_ONLY
    rp_boot_sync(flash);
#endif
    return RP_BOOT_DONE;
}
#endif

#ifdef RP_COMPACT
/*
 * For create: does the loader's work on the words of the compact table. They are segment addresses
 * until then, so nothing may read them before. The packer knows the function by its name. A second
 * create on the same data finds the work done.
 */
__attribute__((noinline)) static int rp_boot_rebase(uint32_t flash) {
    static uint32_t done;
    const uint32_t *table = rp_boot_fixups(), *end = rp_boot_tables_end(flash);
    const uint32_t *entry = table + 1 + 2 * table[0];
    uint32_t to_ram = rp_boot_ram_base() - RELOC_SEG_RAM, to_flash = flash - RELOC_SEG_FLASH;
    uint32_t limit = rp_boot_limit(flash, RELOC_HDR_DATA_END), base = 0;
    if (done)
        return 1;
    done = 1;
    uint32_t at_table = (uint32_t)(uintptr_t)table, bytes = (uint32_t)(uintptr_t)end - at_table;
    for (; (uint32_t)(uintptr_t)entry - at_table < bytes; entry++) { /* may lie before table */
        uint32_t bits = *entry >> 1, at = base;
        base += 4 * RELOC_COMPACT_BITS;
        if (*entry % 2 == 0) {
            at = *entry;
            base = at + 4;
            bits = 1;
            if (at >= RELOC_COMPACT_END)
                break;
        }
        for (; bits != 0; at += 4, bits >>= 1)
            if (bits % 2 != 0) {
                volatile uint32_t *word = rp_boot_word(at, limit);
                if (word == NULL)
                    return 0;
                *word += *word >= RELOC_SEG_RAM ? to_ram : to_flash;
            }
    }
    __asm__ volatile("" ::: "memory"); /* other types than words were written */
    return entry + 1 == end;
}
#endif

#ifdef RP_BOOT_CREATES
/*
 * Everything that create has to do. state and flash as above; config: what create was called with.
 */
static inline uint32_t rp_boot_create(uint32_t state, uint32_t flash, const void *config) {
    enum rp_boot_error code = RP_BOOT_DONE;
    (void)state, (void)config;
#ifdef RP_COPY_ONLY
    code = rp_boot_patch(state, flash);
#endif
#ifdef RP_COMPACT /* before imports, which may write to the GOT: done is found by it */
    if (code == RP_BOOT_DONE && !rp_boot_rebase(flash))
        code = RP_BOOT_DAMAGED;
#endif
#ifdef RP_IMPORTS
    if (code == RP_BOOT_DONE)
        code = rp_boot_import((uint32_t *)(uintptr_t)config, flash);
#endif
    return code;
}
#endif

/*
 * Whether the bytes at address lie apart from the instance's own RAM and from the code that it
 * runs. flash: address of FLASH offset 0.
 */
static inline int rp_boot_apart(uint32_t flash, const void *address, uint32_t bytes) {
    uint32_t at = (uint32_t)(uintptr_t)address, ram = rp_boot_ram_base();
    return at - ram >= rp_boot_header(flash, RELOC_HDR_BSS_END) - RELOC_SEG_RAM &&
           at - flash >= rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH &&
           ram - at >= bytes && flash - at >= bytes;
}

/*
 * For init_v2. flash: address of FLASH offset 0; weights and acts: where the addresses of the two
 * parts are stored. Returns 0; or the segment of a part that is needed but missing or not
 * 4-aligned, which would give plausible but wrong numbers; or RELOC_SEG_FLASH if the table is
 * damaged.
 */
static inline uint32_t rp_boot_set(uint32_t flash, const void *const *weights,
                                   const void *const *acts) {
    const uint32_t *at = rp_boot_fixups(), *end = rp_boot_tables_end(flash);
    uint32_t limit = rp_boot_limit(flash, RELOC_HDR_GOT_END), patches = 0;
    for (uint32_t count = *at++; count != 0; count--, at += 2) {
        if (at >= end)
            return RELOC_SEG_FLASH;
        uint32_t where = at[0], target = at[1], segment = target & RELOC_SEG_MASK;
        const void *const *part = weights;
        if (segment != RELOC_SEG_WEIGHTS) {
            part = acts;
            if (segment != RELOC_SEG_ACTS) {
#ifdef RP_BOOT_CREATES
                continue; /* create's */
#else
                return RELOC_SEG_FLASH;
#endif
            }
        }
        uint32_t base = part != NULL ? (uint32_t)(uintptr_t)*part : 0;
        if (base == 0 || base % 4 != 0)
            return segment;
        if (!rp_boot_put(flash, limit, where, base + rp_boot_offset(target)))
            return RELOC_SEG_FLASH;
        patches |= where ^ RELOC_SEG_RAM;
    }
    (void)patches;
#ifdef RP_COPY_ONLY
    if (patches > RELOC_OFFSET_MASK) /* one was in the code */
        rp_boot_sync(flash);
#endif
    return 0;
}

#endif
