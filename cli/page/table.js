// SPDX-License-Identifier: Apache-2.0
// Tables that sort, filter and grow: rows stay data, and only those that are shown are elements.

const STEP = 100,
  STEP_MORE = 1000;

/*
 * columns: {name, value(row): what it sorts by, cell(row): what it shows (the value, unless given), right: numbers}. The first one names
 * the row. options: label, tall: it scrolls in a window of its own, and shown: rows that are elements at first.
 * Returns {element, show(rows, filtered)}; of what is filtered, paper has all.
 */
function table(columns, options) {
  let rows = [],
    order = null,
    filtered = false,
    shown = options.shown || STEP;
  const body = el('tbody'),
    more = el('button', {type: 'button', class: 'more'}),
    paper = el('p', {class: 'note paper'});
  const heads = columns.map((column, i) => {
    const button = el('button', {type: 'button'}, column.name),
      head = column.name ? el('th', {scope: 'col', class: column.right ? 'r' : ''}, button) : el('td');
    button.addEventListener('click', () => {
      // Numbers: the largest first; words: from a to z.
      order = {i, down: order?.i === i ? !order.down : Boolean(column.right)};
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
      draw();
    });
    return head;
  });
  const sorted = () => {
    if (!order) return rows;
    const valueOf = columns[order.i].value,
      sign = order.down ? -1 : 1;
    const known = value => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2);
    return rows
      .map((row, i) => [valueOf(row), row, i])
      .sort(([a, , i], [b, , k]) => known(a) - known(b) || sign * (a < b ? -1 : a > b) || i - k)
      .map(item => item[1]);
  };
  const cellOf = (column, row, first) => {
    const value = column.cell ? column.cell(row) : column.value(row);
    const shownAs = typeof value === 'number' ? commas(value) : value === undefined ? '-' : value;
    const long = typeof shownAs === 'string' && shownAs.length > 160;
    return el(
      first ? 'th' : 'td',
      {scope: first && 'row', class: column.right ? 'r' : column.wide ? 'name' : '', title: long && shownAs},
      long ? cut(shownAs) : shownAs
    );
  };
  const draw = () => {
    body.replaceChildren(
      ...sorted()
        .slice(0, shown)
        .map(row => el('tr', {}, ...columns.map((column, i) => cellOf(column, row, i === 0))))
    );
    more.hidden = rows.length <= shown;
    more.textContent = `Show ${commas(Math.min(STEP_MORE, rows.length - shown))} more of ${commas(rows.length)}`;
    paper.textContent = rows.length > 60 && !filtered ? `Paper has the first 60 of ${commas(rows.length)} rows.` : '';
  };
  more.addEventListener('click', () => {
    shown += STEP_MORE;
    draw();
  });
  const whole = el(
    'table',
    {class: options.kind || ''},
    options.caption && el('caption', {}, options.caption),
    el('thead', {}, el('tr', {}, ...heads)),
    body
  );
  return {
    element: el(
      'div',
      {},
      el('div', {class: options.tall ? 'wide tall' : 'wide', tabindex: 0, role: 'region', 'aria-label': options.label}, whole),
      more,
      paper
    ),
    show(all, isFiltered) {
      [rows, filtered, shown] = [all, Boolean(isFiltered), isFiltered ? STEP_MORE : options.shown || STEP];
      body.className = filtered ? 'filtered' : '';
      draw();
    }
  };
}

// A table that is made once.
function tableOf(columns, rows, options) {
  const made = table(columns, options);
  made.show(rows);
  return made.element;
}
