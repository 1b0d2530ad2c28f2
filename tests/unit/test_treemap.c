/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/page/treemap: where the rectangles of a tree lie, by its SVG. */
#include "tests/unit/unit.h"

#include "cli/page/treemap.h"

enum { WIDTH = 960, HEIGHT = 400, DEEP = 4 };

#define LEAF(name, bytes)                                                                          \
    { RP_TREE_SYMBOL, (name), "s-text", (bytes), NULL, 0, 0 }
#define NODE(name, bytes, list)                                                                    \
    { RP_TREE_FILE, (name), "s-text", (bytes), (list), COUNT(list), 0 }

/* A node with room for a strip with its name, and one without; each has children. */
static struct rp_tree leaves[] = {LEAF("a", 50000), LEAF("b", 30000), LEAF("c", 10000),
                                  LEAF("d", 80), LEAF("e", 20)};
static struct rp_tree *wide[] = {&leaves[0], &leaves[1], &leaves[2]};
static struct rp_tree *narrow[] = {&leaves[3], &leaves[4]};
static struct rp_tree nodes[] = {NODE("wide.c", 90000, wide), NODE("narrow.c", 100, narrow)};
static struct rp_tree *files[] = {&nodes[0], &nodes[1]};
static const struct rp_tree root = NODE("", 90100, files);

struct box {
    double width, height; /* pixels */
};

/* The rectangle of an element, which has to lie in the one around it, but for rounding. */
static struct box inside(const char *element, const struct box *around) {
    static const double rounding = 0.02;
    double x, y, width, height;
    const char *at = strstr(element, " x=\"");
    assert_non_null(at);
    assert_int_equal(sscanf(at, " x=\"%lf%%\" y=\"%lf\" width=\"%lf%%\" height=\"%lf\"", &x, &y,
                            &width, &height),
                     4);
    assert_true(x >= 0 && y >= 0 && x + width <= 100 + rounding);
    assert_true(y + height <= around->height + rounding);
    return (struct box){around->width * width / 100, height};
}

static void nests_rectangles(void **state) {
    struct unit *u = *state;
    struct rp_buf svg = {.arena = &u->arena};
    struct box boxes[DEEP] = {{WIDTH, HEIGHT}};
    size_t depth = 0, count = 0;
    rp_treemap_write(&svg, &root, WIDTH, HEIGHT);
    for (const char *at = svg.data; (at = strchr(at, '<')) != NULL; at++) {
        if (strncmp(at, "<svg", 4) == 0) {
            assert_true(depth + 1 < DEEP);
            boxes[depth + 1] = inside(at, &boxes[depth]);
            depth++;
            count++;
        }
        depth -= strncmp(at, "</svg", 5) == 0;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(count, COUNT(leaves) + COUNT(nodes));
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(nests_rectangles)};
    return RUN(tests);
}
