/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader's checks of images, weights and params, for the host. In: bytes, none of them trusted.
 * Out: the verdicts of the loader's own code. Only its CRC-32, which is made for a small table (64
 * bytes) and takes 13 instructions per byte, is replaced by zlib's, which computes the same value.
 */
#ifndef RP_ELFPACK_IMAGE_CHECKS_H
#define RP_ELFPACK_IMAGE_CHECKS_H

#include "elfpack/image/integrity.h"
#include "runtime/format/reloc_file.h" /* defines reloc_crc32, which is still what checks a trailer itself */

#define reloc_crc32 rp_crc32_more
#include "runtime/format/reloc_npu_core.h"
#undef reloc_crc32

#endif
