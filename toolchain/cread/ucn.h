/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Universal character names: compilers take gr\u00fcn and its spelling in UTF-8 for one name, and
 * gcc's preprocessor writes \U000000fc for both.
 */
#ifndef RP_TOOLCHAIN_CREAD_UCN_H
#define RP_TOOLCHAIN_CREAD_UCN_H

#include "base/arena.h"

/*
 * The text with those beyond ASCII as UTF-8, of *len bytes, and a 0 behind it if there was one; the
 * text itself if there are none.
 */
const char *rp_ucn_replace(struct rp_arena *arena, const char *text, size_t *len);

#endif
