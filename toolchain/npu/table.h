/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of buffers and of epochs. */
#ifndef RP_TOOLCHAIN_NPU_TABLE_H
#define RP_TOOLCHAIN_NPU_TABLE_H

#include "toolchain/npu/reader.h"

/* Both read the body of a function that returns a table, from its { to after the }. */
bool rp_aton_read_buffers(struct rp_aton_reader *reader, enum rp_aton_table table);
bool rp_aton_read_epochs(struct rp_aton_reader *reader);

#endif
