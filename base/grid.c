/* SPDX-License-Identifier: Apache-2.0 */
/* Prints columns of text: see grid.h. */
#include "base/grid.h"

#include <stdio.h>
#include <string.h>

void rp_grid_column(struct rp_grid *grid, const char *head, bool left) {
    grid->left |= (uint64_t)left << grid->heads.count;
    rp_strings_push(grid->arena, &grid->heads, head);
}

void rp_grid_cell(struct rp_grid *grid, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    rp_strings_push(grid->arena, &grid->cells, rp_vformat(grid->arena, fmt, args));
    va_end(args);
}

const char *rp_commas(struct rp_arena *arena, uint64_t value) {
    char digits[32], text[48], *at = text;
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    for (int i = 0; i < len; i++) {
        if (i != 0 && (len - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return rp_strdup(arena, text);
}

const char *rp_signed(struct rp_arena *arena, int64_t value) {
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return value == 0 ? "0"
                      : rp_format(arena, "%c%s", value < 0 ? '-' : '+', rp_commas(arena, size));
}

void rp_grid_number(struct rp_grid *grid, uint64_t number) {
    rp_strings_push(grid->arena, &grid->cells, rp_commas(grid->arena, number));
}

const char *rp_escaped(struct rp_arena *arena, const char *text) {
    struct rp_buf out = {.arena = arena};
    for (; *text != '\0'; text++)
        rp_buf_printf(&out, "%s%c", strchr("|_*<&`\\[~", *text) != NULL ? "\\" : "", *text);
    return rp_buf_text(&out);
}

static bool is_left(const struct rp_grid *grid, size_t column) {
    return (grid->left >> column & 1) != 0;
}

static void print_markdown(const struct rp_grid *grid, struct rp_buf *out) {
    size_t columns = grid->heads.count;
    for (size_t c = 0; c < columns; c++)
        rp_buf_printf(out, "| %s ", grid->heads.items[c]);
    rp_buf_puts(out, "|\n");
    for (size_t c = 0; c < columns; c++)
        rp_buf_puts(out, is_left(grid, c) ? "|---" : "|---:");
    rp_buf_puts(out, "|\n");
    for (size_t i = 0; i < grid->cells.count; i++) {
        rp_buf_puts(out, "| ");
        rp_buf_puts(out, rp_escaped(grid->arena, grid->cells.items[i]));
        rp_buf_puts(out, (i + 1) % (columns != 0 ? columns : 1) == 0 ? " |\n" : " ");
    }
}

static size_t width_of(const struct rp_grid *grid, size_t column) {
    size_t width = strlen(grid->heads.items[column]);
    for (size_t i = column; i < grid->cells.count; i += grid->heads.count) {
        size_t len = strlen(grid->cells.items[i]);
        width = len > width ? len : width;
    }
    return width;
}

/* A last column that is flush left is not padded. */
static void print_row(const struct rp_grid *grid, const size_t *widths, const char *const *cells,
                      struct rp_buf *out) {
    size_t columns = grid->heads.count;
    for (size_t c = 0; c < columns; c++) {
        bool left = is_left(grid, c);
        int width = left && c + 1 == columns ? 0 : (int)widths[c];
        rp_buf_printf(out, "  %*s", left ? -width : width, cells[c]);
    }
    while (out->data[out->len - 1] == ' ')
        out->len--;
    rp_buf_puts(out, "\n");
}

void rp_grid_print(const struct rp_grid *grid, bool markdown, struct rp_buf *out) {
    size_t columns = grid->heads.count;
    size_t *widths = rp_alloc(grid->arena, columns, sizeof *widths);
    if (markdown) {
        print_markdown(grid, out);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        widths[c] = width_of(grid, c);
    print_row(grid, widths, grid->heads.items, out);
    for (size_t i = 0; i < grid->cells.count; i += columns)
        print_row(grid, widths, grid->cells.items + i, out);
}
