/* SPDX-License-Identifier: Apache-2.0 */
/* The source that the proof reads: the check of a Neural-ART image. */
#include "runtime/format/reloc_npu_core.h"
