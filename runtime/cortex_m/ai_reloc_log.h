/* SPDX-License-Identifier: Apache-2.0 */
/* What the loader prints of an image, with AI_RELOC_LOG. Included by ai_reloc_network.c only. */
#ifndef AI_RELOC_LOG_H
#define AI_RELOC_LOG_H

#include "../ai_reloc_network.h"
#include "../loader/reloc_address.h"
#include "../loader/reloc_port.h" /* and reloc_core.h, by its settings */

#ifdef AI_RELOC_LOG
static void log_load(const ai_rel_network_load_args *args, const struct reloc_view *view,
                     uint32_t code) {
    if (code != RELOC_OK) {
        AI_RELOC_LOG("image at %08x: not loaded, code %d\r\n",
                     (unsigned)address_of(args != NULL ? args->obj : NULL), (int)code);
        return;
    }
    AI_RELOC_LOG("image at %08x: %s, flags %08x, %s\r\n", (unsigned)address_of(args->obj),
                 (const char *)(view->image + view->c_name), (unsigned)view->flags,
                 args->mode == AI_RELOC_RT_LOAD_MODE_COPY ? "COPY" : "XIP");
    AI_RELOC_LOG("  code %u, data %u, GOT %u, bss %u, REL %u bytes\r\n", (unsigned)view->ro_bytes,
                 (unsigned)view->data_end, (unsigned)(view->got_end - view->got_start),
                 (unsigned)(view->bss_end - view->got_end),
                 (unsigned)(view->rel_end - view->rel_start));
    AI_RELOC_LOG("  RAM XIP %u, COPY %u; activations %u; weights %u at %u\r\n",
                 (unsigned)reloc_ram_xip(view), (unsigned)reloc_ram_copy(view),
                 (unsigned)view->acts_size, (unsigned)view->weights_size,
                 (unsigned)view->weights_start);
}
#endif

#endif
