// SPDX-License-Identifier: Apache-2.0
// What moves: zoom into a treemap, filter and sort of tables. Without it, the page has the same content.
'use strict';
(() => {
const STRIP = 18;
const make = (tag, text) => Object.assign(document.createElement(tag), {textContent: text});
const bytes = el => Number(el.dataset.b);
const nodes = el => [...el.children].filter(child => child.classList.contains('n'));
const title = el => el.querySelector(':scope > title').textContent;
const nameOf = el => title(el).slice(0, title(el).lastIndexOf('\n'));

// As much of a text as there is room for, in pixels; as if all of it were bold.
const pen = document.createElement('canvas').getContext('2d');
pen.font = '600 12px ' + getComputedStyle(document.body).fontFamily;
function cut(string, room) {
  let end = Math.min(string.length, Math.ceil(room / 2));
  if (end === string.length && pen.measureText(string).width <= room) return string;
  while (end && pen.measureText(string.slice(0, end) + '\u2026').width > room) end--;
  return string.slice(0, end) + '\u2026';
}

function words(el, w, h, parent) {
  el.querySelectorAll(':scope > text').forEach(text => text.remove());
  if (w < 34 || h < 15) return;
  const text = (string, y, kind) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    made.setAttribute('x', 4);
    made.setAttribute('y', y);
    if (kind) made.setAttribute('class', kind);
    made.textContent = string;
    el.querySelector(':scope > rect').after(made);
  };
  const size = bytes(el).toLocaleString('en');
  if (!parent && h >= 32) text(size, 28, 't-b');
  const name = nameOf(el);
  text(cut(parent ? name + '  ' + size : name, w - 8), 13);
}

function place(el, x, y, w, h, width) {
  el.setAttribute('x', 100 * x / width + '%');
  el.setAttribute('y', y);
  el.setAttribute('width', 100 * w / width + '%');
  el.setAttribute('height', h);
  const inner = nodes(el), strip = inner.length && w >= 56 && h >= 46;
  if (strip || !inner.length) words(el, w, h, strip);
  else words(el, 0, 0);
  layout(inner, 0, strip ? STRIP : 0, w, h - (strip ? STRIP : 0), w);
}

// The same rows as the tool draws: Bruls, Huizing, van Wijk.
function layout(items, x, y, w, h, width) {
  let left = items.reduce((sum, item) => sum + bytes(item), 0);
  for (let i = 0; i < items.length;) {
    const side = Math.min(w, h), scale = left ? w * h / left : 0, row = [];
    let sum = 0, ratio = Infinity;
    for (let k = i; k < items.length; k++) {
      const next = sum + bytes(items[k]) * scale, most = bytes(items[i]) * scale, least = bytes(items[k]) * scale;
      const worst = Math.max(side * side * most / (next * next), next * next / (side * side * least));
      if (row.length && worst > ratio) break;
      ratio = worst;
      sum = next;
      row.push(items[k]);
    }
    const thick = side ? sum / side : 0, upright = w >= h;
    let at = 0;
    for (const item of row) {
      const length = sum ? side * bytes(item) * scale / sum : 0;
      if (upright) place(item, x, y + at, thick, length, width);
      else place(item, x + at, y, length, thick, width);
      at += length;
      left -= bytes(item);
    }
    if (upright) { x += thick; w -= thick; } else { y += thick; h -= thick; }
    i += row.length;
  }
}

function treemap(svg) {
  let shown = svg;
  const bar = make('nav', '');
  bar.className = 'tools';
  bar.setAttribute('aria-label', 'Zoom');
  bar.hidden = true;
  svg.before(bar);
  svg.setAttribute('role', 'group');
  const mark = () => nodes(shown).forEach((el, i) => {
    el.setAttribute('tabindex', i ? -1 : 0);
    el.setAttribute('role', nodes(el).length ? 'button' : 'img');
    el.setAttribute('aria-label', title(el).replace('\n', ', '));
  });
  const zoom = (el, focus) => {
    nodes(shown).forEach(node => node.removeAttribute('tabindex'));
    const w = svg.clientWidth || svg.getBoundingClientRect().width, h = Number(svg.getAttribute('height'));
    svg.querySelectorAll('.off').forEach(node => node.classList.remove('off'));
    const path = [];
    for (let at = el; at !== svg; at = at.parentNode) {
      path.unshift(at);
      nodes(at.parentNode).filter(other => other !== at).forEach(other => other.classList.add('off'));
    }
    for (const at of path) {
      at.setAttribute('x', 0);
      at.setAttribute('y', 0);
      at.setAttribute('width', '100%');
      at.setAttribute('height', h);
      words(at, 0, 0);
    }
    layout(nodes(el), 0, 0, w, h, w);
    const from = shown;
    shown = el;
    bar.replaceChildren(...[svg, ...path].map((at, i) => {
      const button = make('button', i ? nameOf(at) : 'all of ' + svg.dataset.name);
      button.addEventListener('click', () => zoom(at, true));
      return button;
    }));
    if (!path.length) bar.replaceChildren();
    bar.hidden = !path.length;
    mark();
    if (focus) (nodes(el).includes(from) ? from : nodes(el)[0] || bar.firstChild).focus();
  };
  const inside = target => {
    let el = target.closest('.n');
    while (el && el.parentNode !== shown) el = el.parentNode.closest('.n');
    return el;
  };
  svg.addEventListener('click', event => {
    const el = inside(event.target);
    if (el && nodes(el).length) zoom(el, false);
  });
  svg.addEventListener('keydown', event => {
    const all = nodes(shown), at = all.indexOf(document.activeElement);
    const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1}[event.key];
    if (to !== undefined && all[to]) {
      if (all[at]) all[at].setAttribute('tabindex', -1);
      all[to].setAttribute('tabindex', 0);
      all[to].focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && at >= 0 && nodes(all[at]).length) zoom(all[at], true);
    else if (event.key === 'Escape' && shown !== svg) zoom(shown.parentNode, true);
    else if (to === undefined) return;
    event.preventDefault();
  });
  let width = 960;
  const fit = () => {
    const now = svg.getBoundingClientRect().width;
    if (now && (Math.abs(now - width) > 20)) { width = now; zoom(shown, false); }
  };
  mark();
  fit();
  addEventListener('resize', fit);
}

function table(el) {
  const body = el.tBodies[0], heads = [...el.tHead.rows[0].cells];
  const value = (row, i) => row.cells[i].textContent;
  // The folded rest of a long table comes in when somebody sorts or filters.
  const whole = () => {
    const rest = el.parentNode.nextElementSibling;
    if (rest?.localName !== 'details') return;
    body.append(...rest.querySelector('tbody').rows);
    rest.remove();
  };
  heads.forEach((head, i) => {
    const button = make('button', head.textContent);
    if (!button.textContent) return;
    button.type = 'button';
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      whole();
      // Numbers as numbers, the largest first; words come behind them, or from a to z first.
      const number = text => /^[+-]?[\d,]+$/.test(text) ? Number(text.replace(/,/g, '')) : NaN;
      const rows = [...body.rows].map(row => [row, number(value(row, i)), value(row, i)]);
      const words = row => Number.isNaN(row[1]);
      const before = head.getAttribute('aria-sort');
      const down = before ? before === 'ascending' : !rows.every(words);
      const order = (a, b) => words(a) ? (a[2] > b[2]) - (a[2] < b[2]) : a[1] - b[1];
      rows.sort((a, b) => words(a) - words(b) || (down ? -1 : 1) * order(a, b));
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      body.append(...rows.map(row => row[0]));
    });
  });
  const input = make('input', ''), count = make('span', '');
  input.type = 'search';
  input.placeholder = 'Filter';
  input.setAttribute('aria-label', 'Filter the table');
  count.setAttribute('role', 'status');
  const tools = make('div', '');
  tools.className = 'tools';
  tools.append(input, count);
  el.parentNode.before(tools);
  input.addEventListener('input', () => {
    whole();
    const want = input.value.toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = want !== '' && !row.textContent.toLowerCase().includes(want);
      shown += !row.hidden;
    }
    body.classList.toggle('filtered', want !== '');
    count.textContent = want ? shown + ' of ' + body.rows.length : '';
    for (const node of el.closest('article').querySelectorAll('.k-y'))
      node.classList.toggle('dim', want !== '' && !title(node).toLowerCase().includes(want));
  });
}

document.querySelectorAll('svg.treemap').forEach(treemap);
document.querySelectorAll('.tall > table').forEach(table);
})();
