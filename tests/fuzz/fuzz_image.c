/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of elfpack/reader: any file is refused, or described within its bounds; the same
 * bytes as a weights file do no harm. Trailers are made right, or no input would get past the CRC.
 */
#include "tests/fuzz/fuzz.h"

#include "base/buf.h"
#include "elfpack/image/reader.h"

/* Seals what looks like a trailer at the end, as a packager would. */
static void seal(uint8_t *bytes, size_t size) {
    if (size < RELOC_TRL_BYTES)
        return;
    struct rp_trailer trailer;
    uint8_t *at = bytes + size - RELOC_TRL_BYTES;
    if (rp_get_le32(at) != RELOC_TRAILER_MAGIC)
        return;
    struct rp_sum sum = rp_sum_bytes(bytes, size - RELOC_TRL_BYTES);
    rp_put_le32(at + RELOC_TRL_CRC32, sum.crc32);
    memcpy(at + RELOC_TRL_SHA256, sum.sha256, sizeof sum.sha256);
    rp_put_le32(at + RELOC_TRL_SELF_CRC32, rp_sum_bytes(at, RELOC_TRL_SELF_CRC32).crc32);
    (void)rp_trailer_get(at, &trailer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_error err = {0};
    struct rp_image_view view;
    if (size == 0)
        return 0;
    uint8_t *exact = malloc(size); /* of its exact size: the reader must not read behind it */
    require(exact != NULL);
    memcpy(exact, data, size);
    seal(exact, size);
    const struct rp_mapped file = {"fuzz.bin", exact, (uint32_t)size};
    bool ok = rp_image_read(&view, &file, &err);
    require_error(ok, &err);
    require(!ok || (size >= 4 && memcmp(exact, "NBIN", 4) == 0));
    if (ok) {
        uint32_t got = (view.view.got_end - view.view.got_start) / 4;
        require(view.got.flash + view.got.ram + view.got.params + view.got.ext_ram +
                    view.got.zero ==
                got);
        require(view.compact_bytes <= view.view.ro_bytes);
        require(view.fixups <= view.view.ro_bytes / RELOC_FIXUP_BYTES);
        require_error(rp_weights_check(&view, &file, &err), &err);
    }
    free(exact);
    return 0;
}
