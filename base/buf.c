/* SPDX-License-Identifier: Apache-2.0 */
/* Growable byte buffer: see buf.h. */
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

static void reserve(struct rp_buf *buf, size_t more) {
    if (more < buf->room - buf->len)
        return;
    size_t wanted = buf->room != 0 ? buf->room : 256;
    while (wanted - buf->len <= more) {
        if (wanted > SIZE_MAX / 2)
            rp_out_of_memory();
        wanted *= 2;
    }
    char *moved = rp_alloc(buf->arena, wanted, 1);
    if (buf->len != 0)
        memcpy(moved, buf->data, buf->len);
    buf->data = moved;
    buf->room = wanted;
}

void rp_buf_append(struct rp_buf *buf, const void *bytes, size_t len) {
    reserve(buf, len);
    if (len != 0)
        memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void rp_buf_puts(struct rp_buf *buf, const char *text) {
    rp_buf_append(buf, text, strlen(text));
}

void rp_buf_vprintf(struct rp_buf *buf, const char *fmt, va_list args) {
    va_list copy;
    va_copy(copy, args);
    int len = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    if (len < 0)
        return;
    reserve(buf, (size_t)len);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
    buf->len += (size_t)len;
}

void rp_buf_printf(struct rp_buf *buf, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    rp_buf_vprintf(buf, fmt, args);
    va_end(args);
}

void rp_buf_le32(struct rp_buf *buf, uint32_t word) {
    unsigned char bytes[4];
    rp_put_le32(bytes, word);
    rp_buf_append(buf, bytes, sizeof bytes);
}

void rp_buf_align(struct rp_buf *buf, size_t align, unsigned char fill) {
    while (buf->len % align != 0)
        rp_buf_append(buf, &fill, 1);
}

void rp_buf_csv(struct rp_buf *buf, const char *text) {
    const bool formula = text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL;
    rp_buf_printf(buf, "\"%s", formula ? "'" : "");
    for (; *text != '\0'; text++)
        rp_buf_printf(buf, "%s%c", *text == '"' ? "\"" : "", *text);
    rp_buf_puts(buf, "\"");
}

char *rp_buf_text(struct rp_buf *buf) {
    rp_buf_append(buf, "", 0);
    return buf->data;
}
