/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the header of the same name: constants are in the same address space as all else. */
#ifndef RP_PGMSPACE_H
#define RP_PGMSPACE_H

#include <stdint.h>
#include <string.h>

#define PROGMEM
#define PGM_P                   const char *
#define PSTR(text)              (text)
#define F(text)                 (text)
#define pgm_read_byte(at)       (*(const uint8_t *)(at))
#define pgm_read_word(at)       (*(const uint16_t *)(at))
#define pgm_read_dword(at)      (*(const uint32_t *)(at))
#define pgm_read_float(at)      (*(const float *)(at))
#define pgm_read_ptr(at)        (*(const void *const *)(at))
#define pgm_read_byte_near(at)  pgm_read_byte(at)
#define pgm_read_word_near(at)  pgm_read_word(at)
#define pgm_read_dword_near(at) pgm_read_dword(at)
#define pgm_read_float_near(at) pgm_read_float(at)
#define pgm_read_ptr_near(at)   pgm_read_ptr(at)
#define memcpy_P                memcpy

#endif
