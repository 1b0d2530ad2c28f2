/* SPDX-License-Identifier: Apache-2.0 */
/* The boot code of an image, as make prove reads it; defined from outside: which of its parts. */
#include "runtime/image/image_boot.h"
