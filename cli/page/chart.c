/* SPDX-License-Identifier: Apache-2.0 */
/* Bars and lines: see chart.h. */
#include "cli/page/chart.h"

#include <inttypes.h>

#include "base/grid.h"
#include "cli/page/markup.h"

enum { NAME_MOST = 60 };

size_t rp_chart_bars(struct rp_buf *out, const struct rp_facts *facts, enum rp_fact_group group,
                     size_t most) {
    int64_t largest = 1, sum = 0;
    size_t row = 0;
    for (size_t i = 0; i < facts->count; i++)
        if (facts->items[i].group == group && facts->items[i].number > 0) {
            largest = facts->items[i].number > largest ? facts->items[i].number : largest;
            sum += facts->items[i].number < INT64_MAX - sum ? facts->items[i].number : 0;
        }
    for (size_t i = 0; i < facts->count && row < most; i++) {
        const struct rp_fact *fact = &facts->items[i];
        if (fact->group != group || fact->text != NULL || fact->number < 0)
            continue;
        rp_buf_printf(
            out,
            "<svg class=\"l\" data-b=\"%" PRId64 "\" y=\"%zu\" width=\"100%%\" height=\"%d\">"
            "<title>%s\n%s</title><rect class=\"bar\" y=\"2\" width=\"%.3f%%\" height=\"18\"/>"
            "<text x=\"6\" y=\"15\">%s</text><text class=\"end\" x=\"100%%\" dx=\"-6\" y=\"15\">%s "
            " %s</text></svg>\n",
            fact->number, row++ * RP_BAR_ROW, RP_BAR_ROW, rp_markup(out->arena, fact->name),
            rp_commas(out->arena, (uint64_t)fact->number),
            100.0 * (double)fact->number / (double)largest,
            rp_markup_cut(out->arena, fact->name, NAME_MOST),
            rp_commas(out->arena, (uint64_t)fact->number),
            rp_share(out->arena, (uint64_t)fact->number, (uint64_t)sum));
    }
    return row;
}

/* In per cent of the width; in pixels from the top. */
struct point {
    double x, y;
};

static struct point point_of(const struct rp_history *history, size_t index, uint64_t bytes,
                             const uint64_t range[2]) {
    double span = range[1] > range[0] ? (double)(range[1] - range[0]) : 1;
    double above = range[1] > range[0] ? (double)(bytes - range[0]) / span : 0.5;
    return (struct point){4 + 92.0 * (double)index / (double)(history->count - 1),
                          RP_LINES_HEIGHT - 28 - above * (RP_LINES_HEIGHT - 54)};
}

static void draw_point(struct rp_buf *out, const struct rp_page_glance *glance,
                       const struct rp_page_number *number, const struct point *at) {
    rp_buf_printf(out,
                  "<circle cx=\"%.3f%%\" cy=\"%.2f\" r=\"4\" data-b=\"%" PRIu64
                  "\"><title>%s%s%s\n%s bytes</title></circle>\n",
                  at->x, at->y, number->bytes, rp_markup_cut(out->arena, glance->path, 200),
                  glance->started[0] != '\0' ? ", " : "", rp_markup(out->arena, glance->started),
                  rp_commas(out->arena, number->bytes));
}

/* An end's figure, where the line to the next point does not cross it. */
static void draw_end(struct rp_buf *out, uint64_t bytes, const struct point *at,
                     const struct point *next) {
    rp_buf_printf(out, "<text%s x=\"%.3f%%\" y=\"%.2f\">%s</text>\n",
                  at->x > next->x ? " class=\"end\"" : "", at->x,
                  next->y < at->y ? at->y + 18 : at->y - 10, rp_commas(out->arena, bytes));
}

bool rp_chart_lines(struct rp_buf *out, const struct rp_history *history, enum rp_figure figure,
                    uint64_t range[2]) {
    range[0] = UINT64_MAX;
    range[1] = 0;
    size_t known = 0, first = 0, last = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct rp_page_number *number = &history->items[i].figures[figure];
        if (!number->known)
            continue;
        first = known++ == 0 ? i : first;
        last = i;
        range[0] = number->bytes < range[0] ? number->bytes : range[0];
        range[1] = number->bytes > range[1] ? number->bytes : range[1];
    }
    if (known < 2)
        return false;
    struct rp_buf points = {.arena = out->arena};
    struct point start = {0, 0}, before = {0, 0}, at = {0, 0};
    for (size_t i = first, drawn = 0; i <= last; i++) {
        const struct rp_page_number *number = &history->items[i].figures[figure];
        if (!number->known)
            continue;
        before = at;
        at = point_of(history, i, number->bytes, range);
        if (drawn == 0)
            start = at;
        else
            rp_buf_printf(out,
                          "<line class=\"line\" x1=\"%.3f%%\" y1=\"%.2f\" x2=\"%.3f%%\" "
                          "y2=\"%.2f\"/>\n",
                          before.x, before.y, at.x, at.y);
        if (drawn++ == 1)
            draw_end(&points, history->items[first].figures[figure].bytes, &start, &at);
        draw_point(&points, &history->items[i], number, &at);
    }
    draw_end(&points, history->items[last].figures[figure].bytes, &at, &before);
    rp_buf_append(out, points.data, points.len);
    return true;
}
