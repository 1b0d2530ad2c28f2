/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: see table.h. */
#include "cli/report/table.h"

#include <stdio.h>
#include <string.h>

void rp_table_row(struct rp_table *table, const char *const *cells) {
    for (size_t i = 0; i < table->columns; i++)
        rp_strings_push(table->arena, &table->cells, cells[i]);
}

static size_t width_of(const struct rp_table *table, size_t column) {
    size_t width = 0;
    for (size_t i = column; i < table->cells.count; i += table->columns) {
        size_t len = strlen(table->cells.items[i]);
        width = len > width ? len : width;
    }
    return width;
}

static void put_times(struct rp_buf *out, const char *text, size_t times) {
    while (times-- != 0)
        rp_buf_puts(out, text);
}

static void put_rule(const struct rp_table *table, struct rp_buf *out) {
    rp_buf_puts(out, " +");
    for (size_t c = 0; c < table->columns; c++) {
        put_times(out, "-", width_of(table, c) + 2);
        rp_buf_puts(out, "+");
    }
    rp_buf_puts(out, "\n");
}

static void put_row(const struct rp_table *table, size_t first, struct rp_buf *out) {
    rp_buf_puts(out, " |");
    for (size_t c = 0; c < table->columns; c++) {
        const char *cell = table->cells.items[first + c];
        size_t gap = width_of(table, c) - strlen(cell);
        size_t before = table->centred ? gap / 2 : 0;
        put_times(out, " ", before + 1);
        rp_buf_puts(out, cell);
        put_times(out, " ", gap - before + 1);
        rp_buf_puts(out, "|");
    }
    rp_buf_puts(out, "\n");
}

void rp_table_print(const struct rp_table *table, struct rp_buf *out) {
    put_rule(table, out);
    for (size_t i = 0; i < table->cells.count; i += table->columns) {
        put_row(table, i, out);
        if (i == 0)
            put_rule(table, out);
    }
    put_rule(table, out);
}
