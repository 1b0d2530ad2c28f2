/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the boot code of an image (image_boot.h) reaches memory. Addresses are numbers there; here
 * alone they become pointers, and here alone are instructions that C does not have.
 *
 * The comments that begin with @ are contracts in ACSL. First comes the environment, which is what
 * the boot code takes for granted; the contract of each function says which addresses it may be
 * given. `make prove` shows that image_boot.h gives no others, whatever the tables hold. It sees
 * only the contracts of this file, not the bodies.
 */
#ifndef RELOCPACK_IMAGE_MEMORY_H
#define RELOCPACK_IMAGE_MEMORY_H

#include <stdint.h>

#include "../format/reloc_format.h"

/*
 * The context, which belongs to the loader, begins the RAM. Behind it the glue keeps words of its
 * own. A size or an address among these RP_BOOT_KEPT bytes would lead out of the RAM, so no entry
 * of a table may name them.
 */
#ifndef RP_BOOT_KEPT
#define RP_BOOT_KEPT RELOC_CTX_BYTES
#endif

/* ---- the environment ---- */

/*@ axiomatic rp_environment {
      logic integer rp_flash;    // address of FLASH offset 0
      logic integer rp_ram;      // address of RAM offset 0
      logic integer rp_state;    // the context's
      logic integer rp_code_end; // addresses of what the linker script places
      logic integer rp_tables;   // the list of imports, if there are any, or the fix-up table
      logic integer rp_imports_end;
      logic integer rp_fixups;

      // The header and the tables never change, and they and the RAM lie apart.
      logic integer rp_word(integer address);
      logic integer rp_byte(integer address);
      logic integer rp_header(integer word, integer segment) = rp_word(rp_flash + word) - segment;
      logic integer rp_data_end = rp_header(RELOC_HDR_DATA_END, RELOC_SEG_RAM);
      logic integer rp_got_start = rp_header(RELOC_HDR_GOT_START, RELOC_SEG_RAM);
      logic integer rp_got_end = rp_header(RELOC_HDR_GOT_END, RELOC_SEG_RAM);
      logic integer rp_bss_end = rp_header(RELOC_HDR_BSS_END, RELOC_SEG_RAM);
      logic integer rp_ro_bytes = rp_header(RELOC_HDR_DATA_DATA, RELOC_SEG_FLASH);

      // As every loader checks (reloc_check_order).
      axiom rp_checked:
        0 <= rp_data_end <= rp_got_start <= rp_got_end <= rp_bss_end <= RELOC_OFFSET_MASK &&
        RELOC_HDR_BYTES <= rp_ro_bytes <= RELOC_OFFSET_MASK &&
        rp_ro_bytes % 4 == rp_got_start % 4 == rp_got_end % 4 == 0;

      // As the loader places the image. A cache line, at most 128 KiB, fits behind it.
      axiom rp_placed:
        0 < rp_flash && rp_flash + rp_ro_bytes + 0x20000 < 0x100000000 && rp_flash % 4 == 0 &&
        0 < rp_ram && rp_ram + rp_bss_end < 0x100000000 && rp_ram % 4 == 0;

      // As the linker script places its sections (templates/image.ld).
      axiom rp_linked:
        rp_flash + RELOC_HDR_BYTES <= rp_code_end <= rp_tables <= rp_fixups &&
        rp_fixups + 4 <= rp_flash + rp_ro_bytes && rp_tables % 4 == rp_fixups % 4 == 0;
#ifdef RP_IMPORTS
      axiom rp_linked_imports:
        rp_tables <= rp_imports_end && rp_imports_end + 8 <= rp_fixups && rp_imports_end % 4 == 0;
#else
      axiom rp_no_imports: rp_tables == rp_fixups;
#endif
#ifdef RP_COMPACT
      axiom rp_linked_done: rp_got_end + 4 <= rp_bss_end;
#endif
    }
*/

/* What is read: words of the header and of the tables. */
/*@ predicate rp_in_tables(integer a) = rp_tables <= a < rp_flash + rp_ro_bytes;
    predicate rp_readable(integer a) =
      (rp_flash <= a && a + 4 <= rp_flash + RELOC_HDR_BYTES) ||
      (rp_tables <= a && a + 4 <= rp_flash + rp_ro_bytes);
*/
/* What is written: words of the data and of the GOT; code, but only in a copy of the image. */
/*@ predicate rp_writable(integer a) =
      a % 4 == 0 && rp_ram + RP_BOOT_KEPT <= a && a + 4 <= rp_ram + rp_got_end;
    predicate rp_patchable(integer a, integer bytes) =
      rp_code_end <= a && a + bytes <= rp_tables && (rp_state & RELOC_STATE_XIP) == 0;
*/

/*
 * What the firmware hands over: the addresses of the parts, and a config with the table of its
 * symbols (reloc_format.h, "imports"). They are the firmware's own and true.
 */
/*@ axiomatic rp_firmware {
      logic integer rp_given_word(integer address);
      predicate rp_given(integer address);       // a word to read
      predicate rp_given_byte(integer address);
      predicate rp_taken(integer address);       // a word to write
    }
    predicate rp_is_text(integer a) =
      \exists integer end; a <= end < 0x100000000 && rp_byte(end) == 0 &&
        \forall integer i; a <= i <= end ==> rp_given_byte(i);
    predicate rp_is_row(integer a) =
      a + RELOC_SYM_BYTES <= 0x100000000 && rp_given(a + RELOC_SYM_NAME) &&
      rp_given(a + RELOC_SYM_VERSION) && rp_given(a + RELOC_SYM_ADDRESS) &&
      (rp_given_word(a + RELOC_SYM_NAME) == 0 || rp_is_text(rp_given_word(a + RELOC_SYM_NAME)));
    predicate rp_are_rows(integer a, integer count) =
      count <= 0 || (rp_is_row(a) && rp_are_rows(a + RELOC_SYM_BYTES, count - 1));
    predicate rp_is_config(integer a) =
      a + RELOC_CFG_BYTES <= 0x100000000 && rp_given(a + RELOC_CFG_MAGIC) &&
      (rp_given_word(a + RELOC_CFG_MAGIC) == RELOC_CONFIG_MAGIC ==>
       rp_given(a + RELOC_CFG_TABLE) && rp_given(a + RELOC_CFG_COUNT) &&
       rp_taken(a + RELOC_CFG_REFUSED) && rp_taken(a + RELOC_CFG_VERSION) &&
       rp_are_rows(rp_given_word(a + RELOC_CFG_TABLE), rp_given_word(a + RELOC_CFG_COUNT)));
*/

/* ---- where things are ---- */

/*@ assigns \nothing;
    ensures \result == rp_ram; */
static inline uint32_t rp_boot_ram_base(void);
/*@ assigns \nothing;
    ensures \result == rp_fixups; */
static inline uint32_t rp_boot_fixups(void);

/* ---- memory ---- */

/* A word of the header or of the tables. Little-endian: its top byte is the last. */
/*@ requires rp_readable(address);
    assigns \nothing;
    ensures \result == rp_word(address) && \result / 0x1000000 == rp_byte(address + 3); */
static inline uint32_t rp_boot_get(uint32_t address);

/* A word of the data or of the GOT. */
/*@ requires rp_writable(address);
    assigns \nothing; */
static inline uint32_t rp_boot_get_data(uint32_t address);
/*@ requires rp_writable(address);
    assigns \nothing; */
static inline void rp_boot_put_data(uint32_t address, uint32_t value);

/* The address of a part: weights or activations. */
/*@ requires rp_given(address);
    assigns \nothing; */
static inline uint32_t rp_boot_get_part(uint32_t address);

#ifdef RP_COPY_ONLY
/*@ assigns \nothing;
    ensures \result == rp_code_end; */
static inline uint32_t rp_boot_code_end(void);

/* Code that may be patched: a word, a half-word. */
/*@ requires rp_patchable(address, 4);
    assigns \nothing; */
static inline void rp_boot_put_code_word(uint32_t address, uint32_t value);
/*@ requires rp_patchable(address, 2);
    assigns \nothing; */
static inline uint32_t rp_boot_get_code_half(uint32_t address);
/*@ requires rp_patchable(address, 2);
    assigns \nothing; */
static inline void rp_boot_put_code_half(uint32_t address, uint32_t value);

/* The system control space (reloc_port.h). Only privileged code may use it. */
enum { RP_SCS_CCR = 0xD14, RP_SCS_CTR = 0xD7C, RP_SCS_ICIALLU = 0xF50, RP_SCS_DCCMVAC = 0xF68 };
/*@ axiomatic rp_core {
      predicate rp_is_privileged;
    }
*/
/* Waits for writes. */
/*@ assigns \nothing;
    ensures \result ==> rp_is_privileged; */
static inline int rp_boot_privileged(void);
/*@ requires rp_is_privileged && offset == RP_SCS_CCR;
    assigns \nothing; */
static inline uint32_t rp_boot_get_scs(uint32_t offset);
/*@ requires rp_is_privileged && (offset == RP_SCS_ICIALLU || offset == RP_SCS_DCCMVAC);
    assigns \nothing; */
static inline void rp_boot_put_scs(uint32_t offset, uint32_t value);

/* Bytes of a line of the data cache, a power of two. */
/*@ requires rp_is_privileged;
    assigns \nothing;
    ensures 4 <= \result <= 0x20000; */
static inline uint32_t rp_boot_cache_line(void);

/*@ assigns \nothing; */
static inline void rp_boot_wait_data(void);
/*@ assigns \nothing; */
static inline void rp_boot_wait_code(void);
#endif

#ifdef RP_IMPORTS
/*@ assigns \nothing;
    ensures \result == rp_tables; */
static inline uint32_t rp_boot_imports(void);
/*@ assigns \nothing;
    ensures \result == rp_imports_end; */
static inline uint32_t rp_boot_imports_end(void);

/* A character of a name: in the list of imports, or of the firmware's. */
/*@ requires rp_in_tables(address) || rp_given_byte(address);
    assigns \nothing;
    ensures \result == rp_byte(address); */
static inline uint32_t rp_boot_get_byte(uint32_t address);

/* A word of the config or of the table of symbols. */
/*@ requires rp_given(address);
    assigns \nothing;
    ensures \result == rp_given_word(address); */
static inline uint32_t rp_boot_get_given(uint32_t address);
/*@ requires rp_taken(address);
    assigns \nothing; */
static inline void rp_boot_put_given(uint32_t address, uint32_t value);
#endif

#ifdef RP_COMPACT
/* Whether the words of the compact table have been rebased: the last word of the RAM. */
/*@ requires address == rp_ram + rp_bss_end - 4;
    assigns \nothing; */
static inline uint32_t rp_boot_get_done(uint32_t address);
/*@ requires address == rp_ram + rp_bss_end - 4;
    assigns \nothing; */
static inline void rp_boot_put_done(uint32_t address);

/* Other types than words were written. */
/*@ assigns \nothing; */
static inline void rp_boot_forget(void);
#endif

/* ---- bodies ---- */

#ifndef __FRAMAC__

/* The fix-up table's first word; the packer fills in the count and appends the entries. */
__asm__(".pushsection .rp_fixups, \"a\", %progbits\n"
        ".balign 4\n"
        ".global _rp_fixups\n"
        "_rp_fixups: .word 0\n"
        ".popsection\n");

/* A place in the image, found by its distance from the code, without a word of the GOT. */
#define RP_BOOT_NEAR(at, symbol)                                                                   \
    __asm__("ldr %0, 1f\n"                                                                         \
            "0:\tadd %0, pc\n\tb 2f\n\t.balign 4\n"                                                \
            "1:\t.word " symbol " - (0b + 4)\n"                                                    \
            "2:"                                                                                   \
            : "=l"(at))

#define RP_BOOT_WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RP_BOOT_HALF(address) (*(volatile uint16_t *)(uintptr_t)(address))

static inline uint32_t rp_boot_ram_base(void) {
    uint32_t base;
    __asm__("mov %0, r9" : "=r"(base)); /* constant while the image runs: read it once */
    return base;
}

static inline uint32_t rp_boot_fixups(void) {
    uint32_t table;
    RP_BOOT_NEAR(table, "_rp_fixups");
    return table;
}

static inline uint32_t rp_boot_get(uint32_t address) {
    return *(const uint32_t *)(uintptr_t)address;
}

static inline uint32_t rp_boot_get_data(uint32_t address) {
    return RP_BOOT_WORD(address);
}

static inline void rp_boot_put_data(uint32_t address, uint32_t value) {
    RP_BOOT_WORD(address) = value;
}

static inline uint32_t rp_boot_get_part(uint32_t address) {
    return *(const uint32_t *)(uintptr_t)address;
}

#ifdef RP_COPY_ONLY
static inline uint32_t rp_boot_code_end(void) {
    uint32_t end;
    RP_BOOT_NEAR(end, "_rp_code_end");
    return end;
}

static inline void rp_boot_put_code_word(uint32_t address, uint32_t value) {
    RP_BOOT_WORD(address) = value;
}

static inline uint32_t rp_boot_get_code_half(uint32_t address) {
    return RP_BOOT_HALF(address);
}

static inline void rp_boot_put_code_half(uint32_t address, uint32_t value) {
    RP_BOOT_HALF(address) = (uint16_t)value;
}

static inline uint32_t rp_boot_get_scs(uint32_t offset) {
    return RP_BOOT_WORD(UINT32_C(0xE000E000) + offset);
}

static inline void rp_boot_put_scs(uint32_t offset, uint32_t value) {
    RP_BOOT_WORD(UINT32_C(0xE000E000) + offset) = value;
}

static inline uint32_t rp_boot_cache_line(void) {
    return UINT32_C(4) << (rp_boot_get_scs(RP_SCS_CTR) >> 16 & 0xFu);
}

static inline int rp_boot_privileged(void) {
    uint32_t control, exception;
    __asm__ volatile("dsb\n\tmrs %0, control\n\tmrs %1, ipsr"
                     : "=r"(control), "=r"(exception)::"memory");
    return (control & 1u) == 0 || exception != 0;
}

static inline void rp_boot_wait_data(void) {
    __asm__ volatile("dsb" ::: "memory");
}

static inline void rp_boot_wait_code(void) {
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}
#endif

#ifdef RP_IMPORTS
static inline uint32_t rp_boot_imports(void) {
    uint32_t list;
    RP_BOOT_NEAR(list, "_rp_imports");
    return list;
}

static inline uint32_t rp_boot_imports_end(void) {
    uint32_t end;
    RP_BOOT_NEAR(end, "_rp_imports_end");
    return end;
}

static inline uint32_t rp_boot_get_byte(uint32_t address) {
    return *(const uint8_t *)(uintptr_t)address;
}

static inline uint32_t rp_boot_get_given(uint32_t address) {
    return *(const uint32_t *)(uintptr_t)address;
}

static inline void rp_boot_put_given(uint32_t address, uint32_t value) {
    *(uint32_t *)(uintptr_t)address = value;
}
#endif

#ifdef RP_COMPACT
/* Found without a word of the GOT, which entries of a table may name. */
__asm__(".pushsection .rp_done, \"aw\", %nobits\n"
        ".balign 4\n"
        "_rp_done: .space 4\n"
        ".popsection\n");

static inline uint32_t rp_boot_get_done(uint32_t address) {
    return RP_BOOT_WORD(address);
}

static inline void rp_boot_put_done(uint32_t address) {
    RP_BOOT_WORD(address) = 1;
}

static inline void rp_boot_forget(void) {
    __asm__ volatile("" ::: "memory");
}
#endif

#endif

#endif
