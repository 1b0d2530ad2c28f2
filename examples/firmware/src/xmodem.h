/* SPDX-License-Identifier: Apache-2.0 */
/* Receives a file by XMODEM with CRC, blocks of 128 or 1024 bytes, as terminal programs send it. */
#ifndef XMODEM_H
#define XMODEM_H

#include <stdbool.h>
#include <stdint.h>

/*
 * take gets the bytes in order; if it returns false, the transfer is cancelled. The last block is
 * filled up, so it may get some bytes more than the file has. false: the file did not arrive.
 * 32 KB without a new block end the transfer.
 */
bool xmodem_receive(bool (*take)(void *context, const uint8_t *bytes, uint32_t count),
                    void *context);

#endif
