/* SPDX-License-Identifier: Apache-2.0 */
/* Faults: see fault.h. Source of the bits: Armv7-M and Armv8-M Architecture Reference Manuals. */
#include "cli/run/fault.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/elf/elf.h"
#include "toolchain/probe/memory.h"

#define CFSR UINT32_C(0xE000ED28) /* then HFSR, DFSR, MMFAR, BFAR */

/* ---- where ---- */

static const char *symbol_text(const struct rp_run *run, const struct rp_elf *elf,
                               uint32_t address) {
    const struct rp_symbol *symbol = rp_elf_symbol_at(elf, address);
    return symbol != NULL ? rp_format(run->arena, "%s + 0x%x", rp_strdup(run->arena, symbol->name),
                                      address - (symbol->value & ~UINT32_C(1)))
                          : NULL;
}

/* Is the file that --debug made of this very image? Its note has the image's build id. */
static bool is_of_image(const struct rp_elf *elf, const struct rp_image_view *image) {
    const struct rp_section *note = rp_elf_section(elf, ".note.gnu.build-id");
    return image->has_trailer && note != NULL && note->contents != NULL &&
           note->size >= RELOC_BUILD_ID_BYTES &&
           memcmp(note->contents + note->size - RELOC_BUILD_ID_BYTES, image->trailer.build_id,
                  RELOC_BUILD_ID_BYTES) == 0;
}

static const char *function_in_image(const struct rp_run *run, const struct rp_subject *subject,
                                     uint32_t offset) {
    const char *path = rp_subject_elf(subject, run->arena);
    const char *text = NULL;
    struct rp_elf elf;
    if (path == NULL || !rp_path_is_file(path) || !rp_elf_open(&elf, run->arena, path, NULL))
        return NULL;
    const struct rp_section *code = rp_elf_section(&elf, ".text");
    if (code != NULL && is_of_image(&elf, &subject->view) && offset < code->size)
        text = symbol_text(run, &elf, code->addr + offset);
    rp_elf_close(&elf);
    return text;
}

static const char *function_in_firmware(const struct rp_run *run, uint32_t address) {
    const char *text = NULL;
    struct rp_elf elf;
    if (run->firmware.path == NULL || !rp_elf_open(&elf, run->arena, run->firmware.path, NULL))
        return NULL;
    text = symbol_text(run, &elf, address);
    rp_elf_close(&elf);
    return text;
}

static bool is_in(struct rp_area area, uint32_t address) {
    return address >= area.address && address - area.address < area.size;
}

static const char *where_in_image(const struct rp_run *run, const struct rp_run_image *image,
                                  uint32_t address) {
    /* the copy of the code is before the data */
    const struct rp_area copy = {image->at.ram.address,
                                 image->at.ram.size - image->subject.view.needs.ram_xip};
    const bool in_copy = image->is_copied && is_in(copy, address);
    if (!in_copy && !is_in(image->at.image, address))
        return NULL;
    const uint32_t offset = address - (in_copy ? copy : image->at.image).address;
    const char *function = function_in_image(run, &image->subject, offset);
    return function != NULL ? rp_format(run->arena, "%s (the image + 0x%x)", function, offset)
                            : rp_format(run->arena, "the image + 0x%x", offset);
}

const char *rp_run_where(const struct rp_run *run, const struct rp_run_image *image,
                         uint32_t address) {
    const char *text = image != NULL ? where_in_image(run, image, address) : NULL;
    if (text != NULL)
        return text;
    const char *function =
        is_in(run->firmware.area, address) ? function_in_firmware(run, address) : NULL;
    return function != NULL ? rp_format(run->arena, "%s of the firmware", function)
                            : "neither the image nor the firmware";
}

/* ---- why ---- */

static const char *cause_of(const struct rp_run *run, uint32_t cfsr) {
    const char *cause = rp_fault_cause(cfsr);
    return rp_fault_is_overflow(cfsr) ? rp_format(run->arena, "%s (--stack)", cause) : cause;
}

/* The address of a failed access, where the core knows it. */
static const char *address_text(const struct rp_run *run, const uint32_t *fault) {
    if ((fault[FAULT_CFSR] >> 15 & 1) != 0)
        return rp_format(run->arena, " (0x%08x)", fault[FAULT_BFAR]);
    if ((fault[FAULT_CFSR] >> 7 & 1) != 0)
        return rp_format(run->arena, " (0x%08x)", fault[FAULT_MMFAR]);
    return "";
}

/* A firmware of the user's has handlers of its own, which do not answer. */
bool rp_run_hint_late(const struct rp_run *run, const struct rp_run_image *image,
                      struct rp_error *err) {
    enum { FIRST_FAULT = 3, LAST_FAULT = 7 };
    const struct rp_mailbox *mailbox = &run->mailbox;
    const char *where = rp_run_where(run, image, mailbox->stopped_at);
    uint32_t fault[FAULT_WORDS] = {0};
    uint8_t words[4 * 5];
    if (mailbox->exception < FIRST_FAULT || mailbox->exception > LAST_FAULT ||
        !rp_gdb_read(run->gdb, CFSR, words, sizeof words, NULL))
        return rp_hint(err, "that is %s; --timeout SECONDS allows more time", where);
    fault[FAULT_CFSR] = rp_get_le32(words);
    fault[FAULT_MMFAR] = rp_get_le32(words + 12);
    fault[FAULT_BFAR] = rp_get_le32(words + 16);
    return rp_hint(err, "that is %s, in its handler of a fault: %s%s", where,
                   cause_of(run, fault[FAULT_CFSR]), address_text(run, fault));
}

bool rp_run_fail_fault(const struct rp_run *run, const struct rp_run_image *image,
                       const struct rp_answer *answer, struct rp_error *err) {
    static const struct {
        const char *name;
        enum harness_fault_word word;
    } shown[] = {{"r0", FAULT_R0},     {"r1", FAULT_R1},       {"r2", FAULT_R2},
                 {"r3", FAULT_R3},     {"r4", FAULT_R4},       {"r5", FAULT_R5},
                 {"r6", FAULT_R6},     {"r7", FAULT_R7},       {"r8", FAULT_R8},
                 {"r9", FAULT_R9},     {"r10", FAULT_R10},     {"r11", FAULT_R11},
                 {"r12", FAULT_R12},   {"sp", FAULT_SP},       {"lr", FAULT_LR},
                 {"pc", FAULT_PC},     {"xpsr", FAULT_XPSR},   {"cfsr", FAULT_CFSR},
                 {"hfsr", FAULT_HFSR}, {"mmfar", FAULT_MMFAR}, {"bfar", FAULT_BFAR}};
    const uint32_t *fault = answer->fault;
    struct rp_buf registers = {.arena = run->arena};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        rp_buf_printf(&registers, "%s%-5s 0x%08x", i % 4 == 0 ? "\n    " : "  ", shown[i].name,
                      fault[shown[i].word]);
    rp_fail(err, RP_E_FAULT, "'%s': %s%s, at pc 0x%08x in %s%s", image->subject.path,
            cause_of(run, fault[FAULT_CFSR]), address_text(run, fault), fault[FAULT_PC],
            rp_run_where(run, image, fault[FAULT_PC]), rp_buf_text(&registers));
    return rp_subject_elf(&image->subject, run->arena) == NULL ||
           rp_path_is_file(rp_subject_elf(&image->subject, run->arena)) ||
           rp_hint(err, "generate --debug leaves a file that says which function it is, for this "
                        "and for a debugger");
}
