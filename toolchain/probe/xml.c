/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the XML that GDB servers send: see xml.h. */
#include "toolchain/probe/xml.h"

#include <ctype.h>
#include <string.h>

static bool begins(const char *at, const char *end, const char *text) {
    size_t len = strlen(text);
    return len <= (size_t)(end - at) && memcmp(at, text, len) == 0;
}

/* The position after the next occurrence of text; the end if there is none. */
static const char *after(const char *at, const char *end, const char *text) {
    const char *found = memmem(at, (size_t)(end - at), text, strlen(text));
    return found != NULL ? found + strlen(text) : end;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || strchr("_-:.", c) != NULL;
}

/* The > that ends a tag, not one in a quoted value; or NULL. */
static const char *tag_end(const char *at, const char *end) {
    char quote = '\0';
    for (; at < end; at++) {
        if (quote != '\0')
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    }
    return NULL;
}

bool rp_xml_next(struct rp_xml *xml) {
    for (;;) {
        const char *end = xml->end;
        const char *at = memchr(xml->text, '<', (size_t)(end - xml->text));
        if (at == NULL)
            return false;
        at++;
        if (begins(at, end, "!--")) {
            xml->text = after(at, end, "-->");
            continue;
        }
        const char *close = tag_end(at, end);
        if (close == NULL)
            return false;
        xml->text = close + 1;
        if (*at == '?' || *at == '!')
            continue;
        xml->is_end = *at == '/';
        at += xml->is_end;
        xml->name = at;
        while (at < close && *at != '\0' && is_name(*at))
            at++;
        xml->name_len = (size_t)(at - xml->name);
        xml->attributes = at;
        xml->attributes_end = close;
        return true;
    }
}

bool rp_xml_is(const struct rp_xml *xml, const char *name) {
    return !xml->is_end && xml->name_len == strlen(name) &&
           memcmp(xml->name, name, xml->name_len) == 0;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

const char *rp_xml_attribute(const struct rp_xml *xml, const char *name, size_t *len) {
    const char *at = xml->attributes, *end = xml->attributes_end;
    for (;;) {
        at = skip_blanks(at, end);
        const char *key = at;
        while (at < end && *at != '\0' && is_name(*at))
            at++;
        size_t key_len = (size_t)(at - key);
        at = skip_blanks(at, end);
        if (key_len == 0 || at == end || *at != '=')
            return NULL;
        at = skip_blanks(at + 1, end);
        if (at == end || (*at != '"' && *at != '\''))
            return NULL;
        const char *value = at + 1;
        at = memchr(value, *at, (size_t)(end - value));
        if (at == NULL)
            return NULL;
        if (key_len == strlen(name) && memcmp(key, name, key_len) == 0) {
            *len = (size_t)(at - value);
            return value;
        }
        at++;
    }
}

/* [at, end) with blanks around a number. */
static bool read_number(const char *at, const char *end, uint64_t *number) {
    uint64_t value = 0;
    uint64_t base = 10;
    at = skip_blanks(at, end);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    if (begins(at, end, "0x") || begins(at, end, "0X")) {
        base = 16;
        at += 2;
    }
    if (at == end)
        return false;
    for (; at < end; at++) {
        char c = (char)(*at | 0x20);
        uint64_t digit = *at >= '0' && *at <= '9' ? (uint64_t)(*at - '0')
                         : c >= 'a' && c <= 'f'   ? (uint64_t)(c - 'a') + 10
                                                  : base;
        value = value * base + digit;
        if (digit >= base || value > UINT64_C(1) << 32)
            return false;
    }
    *number = value;
    return true;
}

bool rp_xml_number(const struct rp_xml *xml, const char *name, uint64_t *number) {
    size_t len;
    const char *value = rp_xml_attribute(xml, name, &len);
    return value != NULL && read_number(value, value + len, number);
}

bool rp_xml_content(const struct rp_xml *xml, uint64_t *number) {
    const char *end = memchr(xml->text, '<', (size_t)(xml->end - xml->text));
    return end != NULL && read_number(xml->text, end, number);
}
