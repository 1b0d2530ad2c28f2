/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The installation of a checked image in the RAM of its instance. In: the image's view, and RAM.
 * Out: RELOC_OK, or a code. Nothing outside the RAM is written. Included by ai_reloc_network.c
 * only.
 */
#ifndef AI_RELOC_INSTALL_H
#define AI_RELOC_INSTALL_H

#include <stdint.h>
#include <string.h>

#include "ai_reloc_checks.h"
#include "../loader/reloc_address.h"
#include "../format/reloc_core.h"

/*@ predicate reloc_mode(struct reloc_view *v, integer code_bytes) =
      code_bytes == 0 || code_bytes == v->ro_bytes;
    logic integer reloc_need(struct reloc_view *v, integer code_bytes) =
      (v->bss_end + 3) / 4 * 4 + code_bytes;
    // RAM, apart from all that is read while it is written
    predicate reloc_usable(struct reloc_view *v, uint8_t *block, integer bytes) =
      \valid(block + (0 .. bytes - 1)) && \separated(block + (0 .. bytes - 1), v) &&
      \separated(block + (0 .. bytes - 1), v->image + (0 .. v->rel_end - 1));
*/

/*@ // the words by which an instance is known
    predicate reloc_known(uint8_t *ctx, integer state, integer ram, integer rom) =
      reloc_le32(ctx, RELOC_CTX_STATE) == state && reloc_le32(ctx, RELOC_CTX_RAM_ADDR) == ram &&
      reloc_le32(ctx, RELOC_CTX_ROM_ADDR) == rom;
    predicate reloc_in_place(struct reloc_view *v, uint8_t *block) =
      reloc_known(block + v->ctx, RELOC_STATE_INITIALIZED + RELOC_STATE_XIP,
                  reloc_address(block), reloc_address(v->image));
    predicate reloc_copy(struct reloc_view *v, uint8_t *block, integer code_bytes) =
      reloc_known(block + (code_bytes + v->ctx), RELOC_STATE_INITIALIZED,
                  reloc_address(block + code_bytes), reloc_address(block));
*/

/*@ requires \valid(ctx + (0 .. RELOC_CTX_BYTES - 1)) && \valid_read(bases);
    assigns ctx[0 .. RELOC_CTX_BYTES - 1];
    ensures reloc_known(ctx, state, bases->ram, bases->rom);
*/
static inline void write_context(uint8_t *ctx, uint32_t state, const struct reloc_bases *bases) {
    reloc_put_le32(ctx, RELOC_CTX_STATE, state);
    reloc_put_le32(ctx, RELOC_CTX_RAM_ADDR, bases->ram);
    reloc_put_le32(ctx, RELOC_CTX_ROM_ADDR, bases->rom);
}

/* Makes code written at rom fetchable as instructions. */
/*@ assigns \nothing; */
static void prepare_code(const uint8_t *rom, uint32_t size) {
    AI_RELOC_DCACHE_CLEAN(rom, size);
    AI_RELOC_ICACHE_INVALIDATE(rom, size);
    reloc_barrier();
}

/*
 * Installs in block: first code_bytes of code (0 in XIP mode), then the data, with the context in
 * it. The image may have changed since it was checked (by DMA, another core, or because it is a
 * file in external flash). So the copy gets the header words that were checked, the CRC is computed
 * again over the copy, and each word to rebase is checked as it stands in RAM.
 */
/*@ requires \valid_read(view) && reloc_view_ok(view) && reloc_mode(view, code_bytes);
    requires reloc_usable(view, block, reloc_need(view, code_bytes));
    assigns block[0 .. reloc_need(view, code_bytes) - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK && code_bytes == 0 ==> reloc_in_place(view, block);
    ensures \result == RELOC_OK && code_bytes != 0 ==> reloc_copy(view, block, code_bytes);
*/
static uint32_t install(const struct reloc_view *view, uint8_t *block, uint32_t code_bytes) {
    uint32_t bytes = code_bytes + view->got_end, state = RELOC_STATE_INITIALIZED | RELOC_STATE_XIP;
    const uint8_t *rom = view->image;
    uint8_t *ram = block + code_bytes;
    memcpy(block, view->image + (view->ro_bytes - code_bytes), bytes);
    if (view->trailer != 0 &&
        reloc_crc32(code_bytes != 0 ? 0 : view->crc_ro, block, bytes) != view->crc_data)
        return RELOC_N_CRC;
    if (code_bytes != 0) {
        memcpy(block, view->header, RELOC_HDR_BYTES);
        rom = block;
        state = RELOC_STATE_INITIALIZED;
    }
    memset(ram + view->got_end, 0, reloc_ram_xip(view) - view->got_end);
    struct reloc_bases bases = {reloc_address_of(rom), reloc_address_of(ram), ram};
    uint32_t code = rebase(view, &bases, block, code_bytes);
    if (code != RELOC_OK)
        return code;
    //@ assert bases.ram == reloc_address(block + code_bytes);
    //@ assert code_bytes == 0 ==> bases.rom == reloc_address(view->image);
    //@ assert code_bytes != 0 ==> bases.rom == reloc_address(block);
    uint32_t ctx = code_bytes + view->ctx;
    //@ assert ctx == code_bytes + view->ctx;
    write_context(block + ctx, state, &bases);
    prepare_code(rom, view->ro_bytes);
    return RELOC_OK;
}

#if defined(AI_RELOC_HARDENED) && defined(AI_RELOC_SIGNED)
#define INSTALL_ALONE __attribute__((noipa))
#else
#define INSTALL_ALONE
#endif

/*
 * With signatures, nobody but the second opinion asks about them before the first byte is written;
 * so it decides once more, in code that no skipped instruction of a load runs into.
 */
/*@ requires \valid_read(view) && reloc_view_ok(view) && reloc_mode(view, code_bytes);
    requires reloc_usable(view, block, reloc_need(view, code_bytes));
    assigns block[0 .. reloc_need(view, code_bytes) - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK && code_bytes == 0 ==> reloc_in_place(view, block);
    ensures \result == RELOC_OK && code_bytes != 0 ==> reloc_copy(view, block, code_bytes);
*/
static INSTALL_ALONE uint32_t install_allowed(uint32_t second, const struct reloc_view *view,
                                              uint8_t *block, uint32_t code_bytes) {
    if (second != SECOND_OK)
        return RELOC_N_OBJECT;
    return install(view, block, code_bytes);
}

/* Installs in size bytes of RAM, if those that it needs can be used. */
/*@ requires \valid_read(view) && reloc_checked(view) && reloc_mode(view, code_bytes);
    requires \valid(ram + (0 .. size - 1));
    requires \separated(ram + (0 .. size - 1), view);
    assigns ram[0 .. size - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK && code_bytes == 0 ==> reloc_in_place(view, ram);
    ensures \result == RELOC_OK && code_bytes != 0 ==> reloc_copy(view, ram, code_bytes);
*/
static uint32_t place(const struct reloc_view *view, const ai_rel_network_load_args *args,
                      uint8_t *ram, uint32_t size, uint32_t code_bytes) {
    uint32_t need = reloc_ram_xip(view) + code_bytes;
    uint32_t code = check_ram(view, reloc_address_of(ram), size, need);
    if (code != RELOC_OK)
        return code;
    uint32_t second = second_opinion(args, view, reloc_address_of(ram), size);
    if (second != SECOND_OK)
        return second;
    //@ assert reloc_apart(reloc_address(ram), need, reloc_address(view->image), view->content_end);
    //@ assert \separated(ram + (0 .. need - 1), view->image + (0 .. view->content_end - 1));
    return install_allowed(second, view, ram, code_bytes);
}

#endif
