// SPDX-License-Identifier: Apache-2.0
// A tree of bytes as rectangles whose areas are the bytes, and the bars of memories. Rectangles lie side by side in one element, so a
// reader that does not see them finds only those of the level that is shown; the table has all of them.

const el = (tag, attributes, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  made.append(...inside.filter(part => part !== null && part !== undefined));
  return made;
};
// Addresses name models and places, so no element may have the name of one: a browser would scroll to it.
const byId = id => document.getElementById('rp-' + id);

// Pixels: the strip with a parent's name; what is large enough for words, and for parts of its own; below that, areas are summed up.
const STRIP = 19,
  STRIP_WIDTH = 56,
  STRIP_HEIGHT = 46,
  WORD_WIDTH = 34,
  WORD_HEIGHT = 16,
  PARTS_AREA = 300,
  SMALL_AREA = 40;

// Calls place(item, x, y, w, h) for each item; rows as in Bruls, Huizing, van Wijk: Squarified Treemaps, 2000.
function squarify(items, box, place) {
  let {x, y, w, h} = box,
    left = sum(items, item => item.bytes);
  for (let i = 0; i < items.length;) {
    const side = Math.min(w, h),
      scale = left ? (w * h) / left : 0,
      row = [];
    let area = 0,
      ratio = Infinity;
    for (let k = i; k < items.length; k++) {
      const least = items[k].bytes * scale,
        next = area + least,
        most = items[i].bytes * scale;
      const worst = Math.max((side * side * most) / (next * next), (next * next) / (side * side * least));
      if (row.length && worst > ratio) break;
      ratio = worst;
      area = next;
      row.push(items[k]);
    }
    const thick = side ? area / side : 0,
      upright = w >= h;
    let at = 0;
    for (const item of row) {
      const length = area ? (side * item.bytes * scale) / area : 0;
      if (upright) place(item, x, y + at, thick, length);
      else place(item, x + at, y, length, thick);
      at += length;
      left -= item.bytes;
    }
    if (upright) {
      x += thick;
      w -= thick;
    } else {
      y += thick;
      h -= thick;
    }
    i += row.length;
  }
}

// What is too small to be seen becomes one part with its sum, which is opened as the last part of its parent. Of equal parts, that are
// all too small, the first MOST are shown.
const MOST = 500;
function withSmall(node, area) {
  const found = node.inside.findIndex(inner => (inner.bytes * area) / node.bytes < SMALL_AREA),
    first = found || Math.min(MOST, node.inside.length);
  return found < 0 || node.inside.length - first < 2 ? node.inside : [...node.inside.slice(0, first), smallOf(node, first)];
}

const smallOf = (node, first) => ({
  up: node,
  kind: 'small',
  name: `${commas(node.inside.length - first)} smaller`,
  look: node.inside[first].look,
  bytes: sum(node.inside.slice(first), inner => inner.bytes),
  inside: node.inside.slice(first),
  first
});

// Draws what is inside of root. paint(node): the class of its colour, and what is said of it beside its bytes. Returns its parts.
function drawMap(element, root, paint) {
  const w = element.clientWidth || 960,
    h = element.clientHeight || 420,
    cells = [],
    top = new Set();
  const cell = (node, x, y, width, height, depth) => {
    const isLarge = width >= 10 && height >= 10 && width * height >= PARTS_AREA && node.kind !== 'small';
    const parts =
      isLarge && node.inside.length && (node.inside[0].bytes * width * height) / node.bytes >= SMALL_AREA
        ? withSmall(node, width * height)
        : [];
    const strip = parts.length && width >= STRIP_WIDTH && height >= STRIP_HEIGHT ? STRIP : 0,
      [colour, more] = paint(node);
    const made = el('div', {
      class: `cell k-${node.kind} ${colour}`,
      title: `${cut(node.name)}\n${commas(node.bytes)} bytes, ${share(node.bytes, root.bytes)}${more ? '\n' + more : ''}`
    });
    Object.assign(made.style, {left: (100 * x) / w + '%', top: y + 'px', width: (100 * width) / w + '%', height: height + 'px'});
    if ((strip || !parts.length) && width >= WORD_WIDTH && height >= WORD_HEIGHT) {
      made.append(el('b', {}, cut(node.name, 80)));
      if (strip || height >= 2 * WORD_HEIGHT) made.append(el(strip ? 'span' : 'i', {}, commas(node.bytes)));
    }
    cells.push({element: made, node});
    if (depth === 0) top.add(made);
    squarify(parts, {x, y: y + strip, w: width, h: height - strip}, (...place) => cell(...place, depth + 1));
  };
  const all = root.inside.length ? withSmall(root, w * h) : [root];
  squarify(all, {x: 0, y: 0, w, h}, (...place) => cell(...place, 0));
  let first = true;
  for (const {element: made, node} of cells) {
    if (!top.has(made)) {
      made.setAttribute('aria-hidden', 'true');
      continue;
    }
    made.setAttribute('role', 'button');
    made.setAttribute('tabindex', first ? 0 : -1);
    if (!made.firstChild) made.setAttribute('aria-label', made.title.replaceAll('\n', ', '));
    made.top = node;
    first = false;
  }
  element.replaceChildren(...cells.map(one => one.element));
  return cells;
}

// A bar of parts, of whole bytes from end to end of its cell, in a memory that ends at end; what the parts leave of that is free. A line
// marks the end where the parts go beyond it.
function bar(parts, whole, end = whole) {
  const used = sum(parts, part => part.bytes),
    length = Math.max(used, whole),
    made = el('div', {class: 'bar', 'aria-hidden': 'true'});
  const pieces = used < end ? [...parts, {name: 'free', look: 'free', bytes: end - used}] : parts;
  for (const part of pieces) {
    const piece = el('div', {class: 'part s-' + part.look, title: `${cut(part.name)}\n${commas(part.bytes)} bytes`});
    piece.style.width = (100 * part.bytes) / (length || 1) + '%';
    made.append(piece);
  }
  if (used > end) {
    const limit = el('div', {class: 'limit'});
    limit.style.left = (100 * end) / length + '%';
    made.append(limit);
  }
  return made;
}
