/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the Neural-ART loader in the harness (runtime/neural_art/ll_aton_reloc_port.h). */
#ifndef HARNESS_LL_ATON_SETTINGS_H
#define HARNESS_LL_ATON_SETTINGS_H

/*
 * The host has placed the run so that pools at fixed addresses, which the network chooses, lie in
 * the board's memory and over nothing that is used (cli/verify/npu.c).
 */
#define LL_ATON_RELOC_ANY_REGION

/* Called for an assertion or error of the image (ll_aton_firmware.c). */
void ll_aton_fatal(void);
#define LL_ATON_RELOC_FATAL() ll_aton_fatal()

#endif
