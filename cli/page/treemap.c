/* SPDX-License-Identifier: Apache-2.0 */
/* Treemaps: see treemap.h. */
#include "cli/page/treemap.h"

#include <inttypes.h>
#include <string.h>

#include "base/grid.h"
#include "cli/page/markup.h"

/* Pixels: the strip with a parent's name, and what is large enough for words. */
enum { STRIP = 18, LINE = 15, STRIP_WIDTH = 56, STRIP_HEIGHT = 46, WORD_WIDTH = 34, LETTER = 7 };
/* Square pixels that a reader still sees; what is smaller is summed up. */
enum { SMALL = 16 };

struct box {
    double x, y, width, height;
};

struct drawing {
    struct rp_buf *out;
    uint64_t whole;
};

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The worst ratio of sides in a row with these areas, along a side of that length. */
static double worst(double sum, double least, double most, double side) {
    double square = sum * sum, sides = side * side;
    return larger(sides * most / square, square / (sides * least));
}

/* How many nodes from first on make up the next row; their bytes are in sum. */
static size_t row_of(const struct rp_tree *parent, size_t first, double side, double scale,
                     double *sum) {
    double most = (double)parent->children[first]->bytes * scale, ratio = 0;
    size_t count = 0;
    *sum = 0;
    while (first + count < parent->count) {
        double area = (double)parent->children[first + count]->bytes * scale;
        double next = worst(*sum + area, area, most, side);
        if (count != 0 && next > ratio)
            break;
        ratio = next;
        *sum += area;
        count++;
    }
    return count;
}

static void draw(const struct drawing *drawing, const struct rp_tree *node, const struct box *box,
                 double parent_width);

/* The node, with the children that nobody would see as one. scale: square pixels of a byte. */
static const struct rp_tree *with_small(struct rp_arena *arena, const struct rp_tree *node,
                                        double scale) {
    size_t first = 0;
    while (first < node->count && (double)node->children[first]->bytes * scale >= SMALL)
        first++;
    if (node->count - first < 2)
        return node;
    struct rp_tree *whole = rp_alloc(arena, 1, sizeof *whole);
    struct rp_tree *small = rp_alloc(arena, 1, sizeof *small);
    *whole = *node;
    whole->children = rp_alloc(arena, first + 1, sizeof *whole->children);
    memcpy(whole->children, node->children, first * sizeof *whole->children);
    whole->children[first] = small;
    whole->count = first + 1;
    *small = (struct rp_tree){.kind = RP_TREE_SMALL,
                              .name = rp_format(arena, "%zu smaller", node->count - first),
                              .look = node->children[first]->look};
    for (size_t i = first; i < node->count; i++)
        small->bytes += node->children[i]->bytes;
    return whole;
}

/* A row fills the shorter side of what is left. */
static void draw_children(const struct drawing *drawing, const struct rp_tree *parent,
                          struct box left, double parent_width) {
    double scale = left.width * left.height / (double)parent->bytes;
    const struct rp_tree *node = with_small(drawing->out->arena, parent, scale);
    for (size_t first = 0; first < node->count;) {
        bool upright = left.width >= left.height; /* the row is a column at the left */
        double side = upright ? left.height : left.width, sum, at = 0;
        size_t count = row_of(node, first, side, scale, &sum);
        double thick = side > 0 ? sum / side : 0;
        for (size_t i = 0; i < count; i++) {
            const struct rp_tree *child = node->children[first + i];
            double length = sum > 0 ? side * ((double)child->bytes * scale / sum) : 0;
            const struct box box = upright ? (struct box){left.x, left.y + at, thick, length}
                                           : (struct box){left.x + at, left.y, length, thick};
            draw(drawing, child, &box, parent_width);
            at += length;
        }
        left.x += upright ? thick : 0;
        left.y += upright ? 0 : thick;
        left.width -= upright ? thick : 0;
        left.height -= upright ? 0 : thick;
        first += count;
    }
}

static void draw_words(const struct drawing *drawing, const struct rp_tree *node,
                       const struct box *box) {
    struct rp_buf *out = drawing->out;
    const char *bytes = rp_commas(out->arena, node->bytes);
    if (box->width < WORD_WIDTH || box->height < LINE)
        return;
    const size_t letters = (size_t)larger(3, (box->width - 8) / LETTER);
    const char *name = rp_markup_cut(out->arena, node->name, letters);
    bool narrow = box->width < 110;
    rp_buf_printf(out, "<text x=\"4\" y=\"13\"%s>%s", narrow ? " class=\"t-s\"" : "", name);
    if (node->count != 0 && strlen(node->name) + 2 + strlen(bytes) <= letters)
        rp_buf_printf(out, "<tspan class=\"t-b\" dx=\"6\">%s</tspan>", bytes);
    rp_buf_puts(out, "</text>");
    if (node->count == 0 && box->height >= 2 * LINE + 2)
        rp_buf_printf(out, "<text x=\"4\" y=\"28\" class=\"t-b%s\">%s</text>", narrow ? " t-s" : "",
                      bytes);
}

static void draw(const struct drawing *drawing, const struct rp_tree *node, const struct box *box,
                 double parent_width) {
    struct rp_buf *out = drawing->out;
    static const char kinds[] = {
        [RP_TREE_ROOT] = 'r', [RP_TREE_SECTION] = 's', [RP_TREE_ARCHIVE] = 'a',
        [RP_TREE_FILE] = 'f', [RP_TREE_SYMBOL] = 'y',  [RP_TREE_SMALL] = 'm',
        [RP_TREE_REST] = 'o'};
    double percent = parent_width > 0 ? 100 / parent_width : 0;
    rp_buf_printf(out,
                  "<svg class=\"n k-%c %s\" data-b=\"%" PRIu64 "\" x=\"%.3f%%\" y=\"%.2f\" "
                  "width=\"%.3f%%\" height=\"%.2f\"><title>%s\n%s bytes, %s</title>"
                  "<rect width=\"100%%\" height=\"100%%\"/>",
                  kinds[node->kind], node->look, node->bytes, box->x * percent, box->y,
                  box->width * percent, box->height, rp_markup(out->arena, node->name),
                  rp_commas(out->arena, node->bytes),
                  rp_share(out->arena, node->bytes, drawing->whole));
    bool strip = box->width >= STRIP_WIDTH && box->height >= STRIP_HEIGHT;
    if (strip || node->count == 0)
        draw_words(drawing, node, box);
    double top = strip ? STRIP : 0;
    if (node->count != 0)
        draw_children(drawing, node, (struct box){0, top, box->width, box->height - top},
                      box->width);
    rp_buf_puts(out, "</svg>\n");
}

void rp_treemap_write(struct rp_buf *out, const struct rp_tree *root, double width, double height) {
    const struct drawing drawing = {out, root->bytes};
    if (root->bytes != 0)
        draw_children(&drawing, root, (struct box){0, 0, width, height}, width);
}
