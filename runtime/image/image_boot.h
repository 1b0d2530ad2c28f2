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

#include <stdint.h>

#include "image_memory.h"
#include "../format/reloc_format.h"

/* A target's offset in its part; negative for a pointer to before an array. */
/*@ assigns \nothing; */
static inline uint32_t rp_boot_offset(uint32_t target) {
    return (uint32_t)((int32_t)(target << 4) >> 4);
}

/* A word of the header. flash: address of FLASH offset 0. */
/*@ requires flash == rp_flash && 0 <= word < RELOC_HDR_BYTES && word % 4 == 0;
    assigns \nothing;
    ensures \result == rp_word(rp_flash + word); */
static inline uint32_t rp_boot_header(uint32_t flash, uint32_t word) {
    return rp_boot_get(flash + word);
}

/* The tables end where the read-only part ends. */
/*@ requires flash == rp_flash;
    assigns \nothing;
    ensures \result == rp_flash + rp_ro_bytes; */
static inline uint32_t rp_boot_tables_end(uint32_t flash) {
    return flash + (rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH);
}

/* The first of the tables. */
/*@ assigns \nothing;
    ensures \result == rp_tables; */
static inline uint32_t rp_boot_tables(void) {
#ifdef RP_IMPORTS
    return rp_boot_imports();
#else
    return rp_boot_fixups();
#endif
}

/*
 * The words that entries may name lie behind those that are kept, and end where a word of the
 * header says. end: the offset of that.
 */

/*@ requires flash == rp_flash;
    requires word == RELOC_HDR_DATA_END || word == RELOC_HDR_GOT_END || word == RELOC_HDR_BSS_END;
    assigns \nothing;
    ensures \result == rp_header(word, RELOC_SEG_RAM); */
static inline uint32_t rp_boot_end(uint32_t flash, uint32_t word) {
    return rp_boot_header(flash, word) - RELOC_SEG_RAM;
}

/*@ requires end <= rp_got_end;
    assigns \nothing;
    ensures \result ==> rp_writable(rp_ram + offset); */
static inline int rp_boot_is_word(uint32_t offset, uint32_t end) {
    return offset >= RP_BOOT_KEPT && offset < end && offset % 4 == 0;
}

/*
 * The loops over the fix-up table go from target to target, because that is an entry's last word:
 * when it is in the table, all of the entry is. at: of the first of the last count entries.
 */
/*@ predicate rp_is_target(integer at, integer count) =
      at == rp_fixups + 4 + RELOC_FIXUP_TARGET + RELOC_FIXUP_BYTES * (rp_word(rp_fixups) - count) &&
      0 <= count <= rp_word(rp_fixups) && at <= rp_flash + rp_ro_bytes + RELOC_FIXUP_BYTES;
    predicate rp_are_apart(integer a, integer a_bytes, integer b, integer b_bytes) =
      a + a_bytes <= b || b + b_bytes <= a;
*/

#ifdef RP_COPY_ONLY
/*
 * Code is patched in a copy only: create refuses an entry for code in an image that runs in place,
 * and others rely on that.
 */
/*@ predicate rp_copied = (rp_state & RELOC_STATE_XIP) == 0;
    predicate rp_may_put(integer where) =
      rp_copied || (where & RELOC_SEG_MASK) == RELOC_SEG_RAM;
    predicate rp_may_put_before(integer target_at) =
      \forall integer a; rp_fixups + 4 <= a < target_at - RELOC_FIXUP_TARGET &&
        (a - rp_fixups) % RELOC_FIXUP_BYTES == 4 ==> rp_may_put(rp_word(a));
    predicate rp_may_put_all =
      rp_may_put_before(rp_fixups + 4 + RELOC_FIXUP_TARGET +
                        RELOC_FIXUP_BYTES * rp_word(rp_fixups));
*/
#else
/*@ predicate rp_may_put(integer where) = \true;
    predicate rp_may_put_all = \true;
*/
#endif

#if defined(RP_COPY_ONLY) || defined(RP_IMPORTS) || defined(RP_COMPACT)
#define RP_BOOT_CREATES /* not all entries are init_v2's, or create has work */
#endif

#ifdef RP_COPY_ONLY
/*
 * Makes patched code visible to instruction fetch. flash: address of FLASH offset 0. Only
 * privileged code can use the registers; other firmware on a core with caches has to do this itself
 * (docs/TARGET.md).
 */
/*@ requires flash == rp_flash;
    assigns \nothing; */
static inline void rp_boot_sync(uint32_t flash) {
    uint32_t bytes = rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH;
    if (rp_boot_privileged()) {
        uint32_t ccr = rp_boot_get_scs(RP_SCS_CCR);
        uint32_t line = rp_boot_cache_line();
        if ((ccr & UINT32_C(1) << 16) != 0)
            /*@ loop invariant at < flash + bytes + line;
                loop assigns at;
                loop variant flash + bytes + line - at; */
            for (uint32_t at = flash - flash % line; at - flash < bytes || at < flash; at += line)
                rp_boot_put_scs(RP_SCS_DCCMVAC, at);
        rp_boot_wait_data();
        if ((ccr & UINT32_C(1) << 17) != 0)
            rp_boot_put_scs(RP_SCS_ICIALLU, 0);
    }
    rp_boot_wait_code();
}

/* Puts half an address into a Thumb MOVW or MOVT (Armv7-M ARM, A7.7.76 T3, A7.7.79 T1). */
/*@ requires rp_patchable(code, 4);
    assigns \nothing; */
static inline void rp_boot_put_half(uint32_t code, uint32_t half) {
    rp_boot_put_code_half(code, (rp_boot_get_code_half(code) & 0xFBF0u) | half >> 12 |
                                    (half >> 1 & 0x400u));
    rp_boot_put_code_half(code + 2, (rp_boot_get_code_half(code + 2) & 0x8F00u) |
                                        (half << 4 & 0x7000u) | (half & 0xFFu));
}

/*
 * Returns 0 and does nothing where no code is patched: header, boot code, tables, outside the
 * image.
 */
/*@ requires flash == rp_flash && rp_copied;
    assigns \nothing; */
static inline int rp_boot_put_code(uint32_t flash, uint32_t where, uint32_t value) {
    uint32_t at = flash + (where & RELOC_OFFSET_MASK);
    if (at < rp_boot_code_end() || at > rp_boot_tables() - 4)
        return 0;
    switch (where & RELOC_SEG_MASK) {
    case RELOC_FIXUP_CODE_WORD:
        rp_boot_put_code_word(at, value);
        return 1;
    case RELOC_FIXUP_CODE_MOVW:
        rp_boot_put_half(at, value & 0xFFFFu);
        return 1;
    case RELOC_FIXUP_CODE_MOVT:
        rp_boot_put_half(at, value >> 16);
        return 1;
    default:
        return 0;
    }
}
#endif

/* Sets the place that an entry names; returns 0 if it names none. data_end: rp_boot_end. */
/*@ requires flash == rp_flash && data_end <= rp_got_end && rp_may_put(where);
    assigns \nothing; */
static inline int rp_boot_put(uint32_t flash, uint32_t data_end, uint32_t where, uint32_t value) {
#ifdef RP_COPY_ONLY
    if ((where & RELOC_SEG_MASK) != RELOC_SEG_RAM)
        return rp_boot_put_code(flash, where, value);
#endif
    (void)flash;
    uint32_t offset = where - RELOC_SEG_RAM;
    if (!rp_boot_is_word(offset, data_end))
        return 0;
    rp_boot_put_data(rp_boot_ram_base() + offset, value);
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
/*@ requires state == rp_state && flash == rp_flash;
    assigns \nothing;
    ensures \result == RP_BOOT_DONE ==> rp_may_put_all; */
static inline enum rp_boot_error rp_boot_patch(uint32_t state, uint32_t flash) {
    uint32_t at = rp_boot_fixups(), end = rp_boot_tables_end(flash);
    uint32_t ram = rp_boot_ram_base(), patches = 0, count = rp_boot_get(at);
    /*@ loop invariant rp_is_target(at, count) && rp_may_put_before(at);
        loop assigns at, count, patches;
        loop variant count; */
    for (at += 4 + RELOC_FIXUP_TARGET; count != 0; count--, at += RELOC_FIXUP_BYTES) {
        if (at >= end)
            return RP_BOOT_DAMAGED;
        uint32_t where = rp_boot_get(at - RELOC_FIXUP_TARGET), target = rp_boot_get(at);
        uint32_t segment = target & RELOC_SEG_MASK;
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
/* Whether two names are the same: one of the firmware, and one of the list of imports. */
/*@ requires rp_is_text(name);
    requires \exists integer end; wanted <= end < rp_imports_end && rp_byte(end) == 0;
    requires rp_tables <= wanted;
    assigns \nothing; */
static inline int rp_boot_same(uint32_t name, uint32_t wanted) {
    /*@ loop invariant \at(wanted, Pre) <= wanted;
        loop invariant name - \at(name, Pre) == wanted - \at(wanted, Pre);
        loop invariant \forall integer i; \at(name, Pre) <= i < name ==> rp_byte(i) != 0;
        loop invariant \forall integer i; \at(wanted, Pre) <= i < wanted ==> rp_byte(i) != 0;
        loop assigns name, wanted;
        loop variant rp_imports_end - wanted; */
    while (rp_boot_get_byte(name) == rp_boot_get_byte(wanted) && rp_boot_get_byte(name) != 0)
        name++, wanted++;
    return rp_boot_get_byte(name) == rp_boot_get_byte(wanted);
}

/* Sets all words of one import to the address of the firmware's symbol. */
/*@ requires flash == rp_flash && rp_may_put_all;
    assigns \nothing; */
static inline int rp_boot_bind(uint32_t index, uint32_t address, uint32_t flash) {
    uint32_t at = rp_boot_fixups(), end = rp_boot_tables_end(flash), count = rp_boot_get(at);
    uint32_t data_end = rp_boot_end(flash, RELOC_HDR_GOT_END);
    /*@ loop invariant rp_is_target(at, count);
        loop assigns at, count;
        loop variant count; */
    for (at += 4 + RELOC_FIXUP_TARGET; count != 0; count--, at += RELOC_FIXUP_BYTES) {
        if (at >= end)
            return 0;
        uint32_t target = rp_boot_get(at);
        if ((target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT && RELOC_IMPORT_INDEX(target) == index &&
            !rp_boot_put(flash, data_end, rp_boot_get(at - RELOC_FIXUP_TARGET),
                         address + RELOC_IMPORT_ADDEND_OF(target)))
            return 0;
    }
    return 1;
}

/*
 * The row of the application's table for one import, or 0. The config then says whether there is
 * one of another version.
 */
/*@ requires rp_is_config(config) && rp_given_word(config + RELOC_CFG_MAGIC) == RELOC_CONFIG_MAGIC;
    requires rp_tables <= import && import % 4 == 0;
    requires \exists integer end; import + 4 <= end < rp_imports_end && rp_byte(end) == 0;
    assigns \nothing;
    ensures \result == 0 || rp_is_row(\result); */
static inline uint32_t rp_boot_find(uint32_t config, uint32_t import) {
    uint32_t row = rp_boot_get_given(config + RELOC_CFG_TABLE), wanted = rp_boot_get(import);
    uint32_t other = 0, count = rp_boot_get_given(config + RELOC_CFG_COUNT);
    /*@ loop invariant rp_are_rows(row, count);
        loop assigns row, count, other;
        loop variant count; */
    for (; count != 0; count--, row += RELOC_SYM_BYTES) {
        uint32_t name = rp_boot_get_given(row + RELOC_SYM_NAME);
        if (name == 0 || !rp_boot_same(name, import + 4))
            continue;
        other = rp_boot_get_given(row + RELOC_SYM_ADDRESS) != 0;
        if (other && (wanted == 0 || rp_boot_get_given(row + RELOC_SYM_VERSION) == wanted))
            return row;
    }
    rp_boot_put_given(config + RELOC_CFG_VERSION, other);
    return 0;
}

/*
 * For create, as its last step: matches the imports with config, which the loader hands over and
 * which is 0 on firmware that knows no imports. flash: address of FLASH offset 0. If an import is
 * not met, config says which.
 */
/*@ requires config == 0 || rp_is_config(config);
    requires flash == rp_flash && rp_may_put_all;
    assigns \nothing; */
static inline enum rp_boot_error rp_boot_import(uint32_t config, uint32_t flash) {
    uint32_t import = rp_boot_imports(), end = rp_boot_imports_end(), count = rp_boot_get(end + 4);
    if (count == 0)
        return RP_BOOT_DONE;
    if (config == 0 || rp_boot_get_given(config + RELOC_CFG_MAGIC) != RELOC_CONFIG_MAGIC)
        return RP_BOOT_NO_IMPORT;
    /*@ loop invariant rp_tables <= import <= end && import % 4 == 0 && i <= count;
        loop assigns i, import;
        loop variant count - i; */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = import;
        /*@ loop invariant import <= next <= end && next % 4 == 0;
            loop assigns next;
            loop variant end - next; */
        do { /* a version, then a name whose last word has a 0 byte */
            next += 4;
            if (next >= end)
                return RP_BOOT_DAMAGED;
        } while (rp_boot_get(next) >= 0x1000000u);
        uint32_t row = rp_boot_find(config, import);
        if (row == 0) {
            rp_boot_put_given(config + RELOC_CFG_REFUSED, import + 4 - flash);
            return RP_BOOT_NO_IMPORT;
        }
        if (!rp_boot_bind(i, rp_boot_get_given(row + RELOC_SYM_ADDRESS), flash))
            return RP_BOOT_DAMAGED;
        import = next + 4;
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
/*@ requires flash == rp_flash;
    assigns \nothing; */
__attribute__((noinline)) static int rp_boot_rebase(uint32_t flash) {
    uint32_t ram = rp_boot_ram_base(), done = ram + rp_boot_end(flash, RELOC_HDR_BSS_END) - 4;
    if (rp_boot_get_done(done))
        return 1;
    rp_boot_put_done(done);
    uint32_t table = rp_boot_fixups(), last = rp_boot_tables_end(flash) - 4 - table;
    uint32_t entry = 4 + RELOC_FIXUP_BYTES * rp_boot_get(table); /* from table on; may be any */
    uint32_t data_end = rp_boot_end(flash, RELOC_HDR_DATA_END), base = 0;
    /*@ loop assigns entry, base;
        loop variant last - entry; */
    for (; entry <= last; entry += 4) {
        uint32_t word = rp_boot_get(table + entry), bits = word >> 1, at = base;
        base += 4 * RELOC_COMPACT_BITS;
        if (word % 2 == 0) {
            at = word;
            base = at + 4;
            bits = 1;
            if (at >= RELOC_COMPACT_END)
                break;
        }
        /*@ loop assigns at, bits;
            loop variant bits; */
        for (; bits != 0; at += 4, bits >>= 1)
            if (bits % 2 != 0) {
                uint32_t offset = at - RELOC_SEG_RAM, place = ram + offset;
                if (!rp_boot_is_word(offset, data_end))
                    return 0;
                uint32_t value = rp_boot_get_data(place);
                rp_boot_put_data(place, value >= RELOC_SEG_RAM ? value - RELOC_SEG_RAM + ram
                                                               : value - RELOC_SEG_FLASH + flash);
            }
    }
    rp_boot_forget();
    return entry == last;
}
#endif

#ifdef RP_BOOT_CREATES
/*
 * Everything that create has to do. state and flash as above; config: address of what create was
 * called with.
 */
/*@ requires config == 0 || rp_is_config(config);
    requires state == rp_state && flash == rp_flash;
    assigns \nothing;
    ensures \result == RP_BOOT_DONE ==> rp_may_put_all; */
static inline uint32_t rp_boot_create(uint32_t state, uint32_t flash, uint32_t config) {
    enum rp_boot_error code = RP_BOOT_DONE;
    (void)state, (void)config;
#ifdef RP_COPY_ONLY
    code = rp_boot_patch(state, flash);
#endif
#ifdef RP_COMPACT
    if (code == RP_BOOT_DONE && !rp_boot_rebase(flash))
        code = RP_BOOT_DAMAGED;
#endif
#ifdef RP_IMPORTS
    if (code == RP_BOOT_DONE)
        code = rp_boot_import(config, flash);
#endif
    return code;
}
#endif

/*
 * Whether the bytes at address lie apart from the instance's own RAM and from the code that it
 * runs. flash: address of FLASH offset 0.
 */
/*@ requires flash == rp_flash;
    assigns \nothing;
    ensures \result && address + bytes <= 0x100000000 ==>
      rp_are_apart(address, bytes, rp_ram, rp_bss_end) &&
      rp_are_apart(address, bytes, rp_flash, rp_ro_bytes); */
static inline int rp_boot_apart(uint32_t flash, uint32_t address, uint32_t bytes) {
    uint32_t ram = rp_boot_ram_base();
    return address - ram >= rp_boot_header(flash, RELOC_HDR_BSS_END) - RELOC_SEG_RAM &&
           address - flash >= rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH &&
           ram - address >= bytes && flash - address >= bytes;
}

/*
 * For init_v2. flash: address of FLASH offset 0; weights and acts: where the addresses of the two
 * parts are stored, or 0. Returns 0; or the segment of a part that is needed but missing or not
 * 4-aligned, which would give plausible but wrong numbers; or RELOC_SEG_FLASH if the table is
 * damaged.
 */
/*@ requires weights == 0 || rp_given(weights);
    requires acts == 0 || rp_given(acts);
    requires flash == rp_flash && rp_may_put_all;
    assigns \nothing; */
static inline uint32_t rp_boot_set(uint32_t flash, uint32_t weights, uint32_t acts) {
    uint32_t at = rp_boot_fixups(), end = rp_boot_tables_end(flash), count = rp_boot_get(at);
    uint32_t data_end = rp_boot_end(flash, RELOC_HDR_GOT_END), patches = 0;
    /*@ loop invariant rp_is_target(at, count);
        loop assigns at, count, patches;
        loop variant count; */
    for (at += 4 + RELOC_FIXUP_TARGET; count != 0; count--, at += RELOC_FIXUP_BYTES) {
        if (at >= end)
            return RELOC_SEG_FLASH;
        uint32_t where = rp_boot_get(at - RELOC_FIXUP_TARGET), target = rp_boot_get(at);
        uint32_t segment = target & RELOC_SEG_MASK, part = weights;
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
        uint32_t base = part != 0 ? rp_boot_get_part(part) : 0;
        if (base == 0 || base % 4 != 0)
            return segment;
        if (!rp_boot_put(flash, data_end, where, base + rp_boot_offset(target)))
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
