/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue if the vendor's pack has its own: the macro AI_RELOC_NETWORK of the pack's
 * ai_reloc_network.h defines flags word, entry vector and context.
 *
 * Variables: those of that header (AI_NETWORK_RELOC, C_NAME, C_NAME_UP, C_INC_DATA_FILE, VARIANT),
 * and RP_NETWORK_H (the network's header).
 */
#include RP_NETWORK_H
#include "ai_reloc_network.h"

AI_RELOC_NETWORK();
