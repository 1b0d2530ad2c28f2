/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the harness are files of their own, so their functions are external. A firmware that
 * includes them all in one file (relocpack_service.c) defines PART as static, before any of them.
 */
#ifndef HARNESS_PART_H
#define HARNESS_PART_H

#ifndef PART
#define PART
#endif

#endif
