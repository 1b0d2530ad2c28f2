/* SPDX-License-Identifier: Apache-2.0 */
/* The source that the proof reads: the check of a Cortex-M image. */
#include "runtime/format/reloc_core.h"
