/* SPDX-License-Identifier: Apache-2.0 */
/* A tree as nested rectangles whose areas are its bytes. Pure. */
#ifndef RP_CLI_PAGE_TREEMAP_H
#define RP_CLI_PAGE_TREEMAP_H

#include "base/buf.h"
#include "cli/page/tree.h"

/* The width for which the picture is laid out; it can be drawn wider and narrower. */
enum { RP_PICTURE_WIDTH = 960 };

/*
 * Appends the nodes as nested <svg> elements of the height, to be put in one of the same height.
 * Heights are in pixels, widths in per cent: a page has the width of its window without a script,
 * and its letters keep their size. Squarified: Bruls, Huizing and van Wijk, 2000.
 */
void rp_treemap_write(struct rp_buf *out, const struct rp_tree *root, double width, double height);

#endif
