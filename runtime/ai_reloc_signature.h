/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks up values in a report's model_signature of the form "glow key=value key=value …"
 * (docs/TARGET.md, section "Glow bundles"). For the application; no other header, nothing is
 * allocated or copied.
 */
#ifndef AI_RELOC_SIGNATURE_H
#define AI_RELOC_SIGNATURE_H

#include <stdint.h>

/* Where the value of key starts (a blank or the end of the text ends it); 0 if there is none. */
static inline const char *ai_reloc_signature_text(const char *signature, const char *key) {
    while (signature != 0 && *signature != '\0') {
        const char *name = key;
        while (*name != '\0' && *signature == *name)
            signature++, name++;
        if (*name == '\0' && *signature == '=')
            return signature + 1;
        while (*signature != '\0' && *signature != ' ')
            signature++;
        if (*signature == ' ')
            signature++;
    }
    return 0;
}

/*
 * A decimal number of at most 32 bits at text; if there is none, *value is untouched and 0
 * returned.
 */
static inline const char *ai_reloc_signature_digits(const char *text, uint32_t *value) {
    uint32_t number = 0;
    const char *at = text;
    for (; at != 0 && *at >= '0' && *at <= '9'; at++) {
        uint32_t digit = *at & 15; /* no cast, which C++ and C write in different ways */
        if (number > (UINT32_MAX - digit) / 10u)
            return 0;
        number = number * 10u + digit;
    }
    if (at == text)
        return 0;
    *value = number;
    return at;
}

/*
 * The number of key, or the one at a position of a list such as "128,1,3". Returns 1 if it is
 * there, else 0, and *value is untouched.
 */
static inline int ai_reloc_signature_item(const char *signature, const char *key, uint32_t position,
                                          uint32_t *value) {
    const char *at = ai_reloc_signature_text(signature, key);
    uint32_t number;
    for (;; position--) {
        at = ai_reloc_signature_digits(at, &number);
        if (at == 0)
            return 0;
        if (position == 0)
            break;
        if (*at++ != ',')
            return 0;
    }
    *value = number;
    return 1;
}

static inline int ai_reloc_signature_number(const char *signature, const char *key,
                                            uint32_t *value) {
    return ai_reloc_signature_item(signature, key, 0, value);
}

#endif
