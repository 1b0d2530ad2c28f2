/* SPDX-License-Identifier: Apache-2.0 */
/* Decision trees and networks of emlearn: a header. */
#ifndef RP_TOOLCHAIN_DIALECTS_EMLEARN_H
#define RP_TOOLCHAIN_DIALECTS_EMLEARN_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_emlearn;

#endif
