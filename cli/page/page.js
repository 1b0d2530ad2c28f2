// SPDX-License-Identifier: Apache-2.0
// What is shown: a model, a build and the one it is compared with, and a place in a map. The address names model and place
// (#MODEL/flash/text/conv2d), so that Back, bookmarks and links work; all else is kept until the page is closed.

const state = {
  model: null,
  build: null,
  before: null,
  memory: 'flash',
  root: null,
  place: null,
  colour: 'kind',
  cells: [],
  table: null,
  cut: false
};

const encoded = path => path.map(part => part.split('/').map(encodeURIComponent).join('%2F')).join('/');
const addressOf = (model, node) =>
  '#' +
  [page.models.length > 1 && model.name.split('/').map(encodeURIComponent).join('/'), node && encoded(placeOf(node))]
    .filter(Boolean)
    .join('/');

// The path of a node; equal names are told apart by their number among all, such as ~3.
function placeOf(node) {
  if (!node.up) return [node.name];
  const same = node.kind === 'small' ? [] : node.up.inside.filter(other => other.name === node.name);
  return [
    ...placeOf(node.up),
    node.kind === 'small' ? '~' + node.first : same[0] === node ? node.name : '~~' + node.up.inside.indexOf(node)
  ];
}

// The node that a part of an address means: its name, the beginning of it before "+" or "(", or a name further below.
function findIn(node, part) {
  const names = inner => inner.name === part || inner.name === part + '()' || inner.name.split('+')[0] === part;
  if (/^~~\d+$/.test(part) && node.inside[part.slice(2)]) return node.inside[part.slice(2)];
  if (/^~\d+$/.test(part) && node.inside.length > Number(part.slice(1))) return smallOf(node, Number(part.slice(1)));
  let level = node.inside;
  while (level.length) {
    const found = level.find(inner => inner.name === part) || level.find(names);
    if (found) return found;
    level = level.flatMap(inner => inner.inside);
  }
  return null;
}

// Model, memory and place of the address; a part that is not there ends it.
function readAddress() {
  let address = location.hash.slice(1),
    model = page.models.length === 1 ? page.models[0] : null;
  const decoded = part => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  const parts = address.split('/').filter(Boolean).map(decoded),
    whole = parts.join('/');
  if (!model) {
    for (const one of page.models)
      if ((whole === one.name || whole.startsWith(one.name + '/')) && (!model || one.name.length > model.name.length)) model = one;
    if (model) parts.splice(0, model.name.split('/').filter(Boolean).length);
  }
  return {model, memory: parts[0] === 'ram' ? 'ram' : 'flash', parts: parts.slice(1)};
}

function show() {
  const {model, memory: which, parts} = readAddress(),
    focused = byId('map').contains(document.activeElement),
    from = state.root;
  byId('models').hidden = Boolean(model);
  byId('model').hidden = !model;
  byId('back').hidden = page.models.length === 1 || !model;
  if (!model) {
    state.model = null;
    showModels();
    return;
  }
  if (state.model !== model) openModel(model);
  state.memory = which;
  let node = treesOf(state.build)[which];
  for (const part of parts) node = findIn(node, part) || node;
  state.place = node;
  const holds = root => {
    for (let at = node; at; at = at.up) if (at === root) return true;
    return false;
  };
  state.root = node.inside.length ? node : state.root && state.root !== node && holds(state.root) ? state.root : node.up || node;
  showMap();
  showTable();
  if (focused) focusOn(from);
}

// ---- a model ----

function openModel(model) {
  state.model = model;
  state.root = null;
  const whole = model.builds.filter(build => member(build.report, 'image') !== undefined);
  state.build = model.builds[model.builds.length - 1];
  state.before = whole.filter(build => build !== state.build).pop() || null;
  const choices = [byId('now'), byId('before')];
  choices[0].replaceChildren(
    ...whole.map(build => el('option', {value: model.builds.indexOf(build), selected: build === state.build}, buildName(build)))
  );
  choices[1].replaceChildren(
    el('option', {value: -1}, 'none'),
    ...whole.map(build => el('option', {value: model.builds.indexOf(build), selected: build === state.before}, buildName(build)))
  );
  choices.forEach(choice => {
    choice.parentNode.hidden = whole.length < 2;
  });
  openBuild();
}

function openBuild() {
  const {model, build, before} = state,
    report = build.report,
    old = before && before.report;
  const trees = treesOf(build),
    times = timesOf(model);
  state.times = times;
  if (before) ['flash', 'ram'].forEach(which => compareTrees(trees[which], treesOf(before)[which]));
  const colours = [['kind', 'kind'], before && ['change', 'change'], times && ['time', 'time']].filter(Boolean);
  if (!colours.some(([value]) => value === state.colour)) state.colour = 'kind';
  byId('colour').replaceChildren(...colours.map(([value, name]) => el('option', {value, selected: value === state.colour}, name)));
  document.title = cut(model.name, 120) + ' - relocpack';
  byId('name').textContent = cut(model.name, 120);
  byId('about').textContent = [
    text(report, 'target', 'series'),
    [text(report, 'toolchain', 'kind'), text(report, 'toolchain', 'version')].join(' ').trim(),
    text(report, 'model', 'generator'),
    text(report, 'run', 'started'),
    ...labelsOf(build).map(([key, value]) => `${key} ${value}`)
  ]
    .filter(Boolean)
    .map(part => cut(part, 80))
    .join(' \u00b7 ');
  byId('cards').replaceChildren(...cards(model, build, before));
  byId('memory').replaceChildren(...memory(report, old));
  byId('more').replaceChildren(
    ...[
      historyOf(model),
      before && changes(model, build, before),
      ...page.measured.filter(measured => measured.model === model).map(measured => timeOf(measured)),
      budgets(report),
      ...rest(report),
      ...page.measured
        .filter(measured => !measured.model)
        .map(measured => timeOf(measured, 'This page has no single report that this file is known to belong to.'))
    ].filter(Boolean)
  );
  openTable();
}

// ---- the map ----

const TIMES = [
  [0.5, 't-5', '50 % and more'],
  [0.2, 't-4', '20 % and more'],
  [0.05, 't-3', '5 % and more'],
  [0.01, 't-2', '1 % and more'],
  [0, 't-1', 'less']
];

function paint(node) {
  if (state.colour === 'change') {
    if (node.kind === 'small') return ['s-rest', ''];
    return [node.grown === undefined ? 'c-new' : node.grown > 0 ? 'c-more' : node.grown < 0 ? 'c-less' : 's-rest', grownText(node.grown)];
  }
  if (state.colour === 'time') {
    const time = node.symbol && state.times.get(node.symbol.name);
    return time ? [TIMES.find(([least]) => time >= least)[1], share(time, 1) + ' of the time'] : ['s-rest', ''];
  }
  return ['s-' + node.look, node.grown ? grownText(node.grown) : ''];
}

function showMap() {
  const {model, root, memory: which, place} = state,
    name = which === 'ram' ? 'RAM' : 'Flash';
  for (const id of ['flash', 'ram']) byId(id).setAttribute('aria-pressed', String(id === which));
  state.cells = drawMap(byId('map'), root, paint);
  byId('map').setAttribute(
    'aria-label',
    `${cut(root.name)} by size, ${commas(root.bytes)} bytes; the table of symbols has the same figures`
  );
  const path = [];
  for (let at = root; at; at = at.up) path.unshift(at);
  byId('path').replaceChildren(
    ...path.flatMap((at, i) =>
      [
        i ? ' \u203a ' : null,
        el(
          'a',
          {href: addressOf(model, at), 'aria-current': at === root && 'location'},
          i ? cut(at.name, 60) : `${name}, ${commas(at.bytes)} bytes`
        )
      ].filter(Boolean)
    )
  );
  const colours =
    state.colour === 'change'
      ? [
          ['c-more', 'has grown'],
          ['c-less', 'has shrunk'],
          ['c-new', 'is new'],
          ['s-rest', 'unchanged']
        ]
      : state.colour === 'time'
        ? [...TIMES.map(([, look, what]) => [look, what]), ['s-rest', 'not measured']]
        : null;
  byId('legend').replaceChildren(
    ...(colours
      ? colours.map(([look, what]) => el('li', {}, el('span', {class: 'swatch ' + look}), what))
      : legend(leaves(root).map(leaf => leaf.look)).children)
  );
  byId('detail').replaceChildren(...detail(place));
  mark();
}

// Everything that the report says of a place, and why it is there as far as it says that.
function detail(node) {
  const report = state.build.report,
    symbol = node.symbol,
    whole = treesOf(state.build)[state.memory].bytes;
  const rows = [['bytes', `${commas(node.bytes)}, ${share(node.bytes, whole)} of all`]];
  const time = symbol && state.times?.get(symbol.name);
  if (symbol) {
    rows.push(['kind', symbol.isFunction ? 'function' : 'object'], ['section', symbol.section], ['file', fileOf(symbol) || 'not known']);
    if (symbol.offset !== Infinity) rows.push(['offset', commas(symbol.offset)]);
  } else if (node.inside.length) rows.push(['parts', commas(node.inside.length)]);
  if (state.before && node.kind !== 'small' && node.up) rows.push(['change', `${grownText(node.grown)}, since ${buildName(state.before)}`]);
  if (time) rows.push(['time', share(time, 1)]);
  const moved = symbol && list(report, 'moved_to_ram').find(row => text(row, 'symbol') === symbol.name);
  if (moved) rows.push(['why in RAM', 'a constant table that holds pointers']);
  const members = list(report, 'archive_members').filter(row =>
    symbol
      ? text(row, 'archive') === symbol.archive && text(row, 'member') === symbol.file
      : node.kind === 'file' && text(row, 'member') === node.name
  );
  if (members.length)
    rows.push([
      'why linked',
      members.map(row => `${text(row, 'symbol')} asked for ${text(row, 'archive')}(${text(row, 'member')})`).join(', ')
    ]);
  return [
    el('h2', {}, node.up ? cut(node.name) : state.memory === 'ram' ? 'All of the RAM' : 'All of the flash'),
    el('dl', {}, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, cut(value, 400))]))
  ];
}

// What the search finds is marked; a part that is shown as one is found if anything in it is.
function mark() {
  const wanted = byId('search').value.toLowerCase(),
    found = new Map();
  const holds = node => {
    if (!found.has(node)) found.set(node, node.name.toLowerCase().includes(wanted) || node.inside.some(holds) || above(node));
    return found.get(node);
  };
  const above = node => {
    for (let at = node.up; at && at.up; at = at.up) if (at.name.toLowerCase().includes(wanted)) return true;
    return false;
  };
  for (const {element, node} of state.cells) {
    element.classList.toggle('dim', wanted !== '' && !holds(node));
    element.classList.toggle('here', node === state.place && node !== state.root);
  }
}

const go = node => {
  location.hash = addressOf(state.model, node);
};
const tops = () => [...byId('map').children].filter(child => child.top);

function focusOn(node) {
  const all = tops(),
    to = all.find(child => child.top === node) || all[0];
  all.forEach(child => child.setAttribute('tabindex', child === to ? 0 : -1));
  to?.focus();
}

function pressed(event) {
  const all = tops(),
    at = all.indexOf(document.activeElement);
  const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1}[event.key];
  if (to !== undefined && all[to]) focusOn(all[to].top);
  else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) go(all[at].top);
  else if (event.key === 'Escape' && state.root.up) go(state.root.up);
  else if (to === undefined) return;
  event.preventDefault();
}

// ---- symbols ----

function openTable() {
  const {model, build, before, times} = state,
    node = symbol => symbol[state.memory] || symbol.flash || symbol.ram;
  const columns = [
    {
      name: 'name',
      wide: true,
      value: symbol => symbol.name,
      cell: symbol =>
        node(symbol)?.bytes
          ? el('a', {href: addressOf(model, node(symbol)), title: symbol.name.length > 160 && symbol.name}, cut(symbol.name))
          : cut(symbol.name)
    },
    bytesColumn('bytes', symbol => symbol.bytes),
    before && {name: 'change', right: true, value: symbol => node(symbol)?.grown, cell: symbol => grownCell(node(symbol)?.grown)},
    times && {
      name: 'time',
      right: true,
      value: symbol => times.get(symbol.name),
      cell: symbol => (times.has(symbol.name) ? share(times.get(symbol.name), 1) : '-')
    },
    {name: 'kind', value: symbol => (symbol.isFunction ? 'function' : 'object')},
    {name: 'section', value: symbol => symbol.section},
    {name: 'file', wide: true, value: fileOf}
  ].filter(Boolean);
  state.table = table(columns, {label: 'Symbols', kind: 'symbols', tall: true});
  state.heading = el('h2', {}, 'Symbols');
  state.sorted = [...treesOf(build).symbols].sort((a, b) => b.bytes - a.bytes || a.order - b.order);
  byId('symbols').replaceChildren(state.heading, state.table.element);
}

// The symbols of the place that the search leaves.
function showTable() {
  const wanted = byId('search').value.toLowerCase(),
    root = state.root;
  const isHere = symbol => {
    for (let at = symbol[state.memory]; at; at = at.up) if (at === root || (root.kind === 'small' && root.inside.includes(at))) return true;
    return false;
  };
  const here = root.up ? state.sorted.filter(isHere) : state.sorted;
  const found =
    wanted === '' ? here : here.filter(symbol => `${symbol.name}\n${symbol.section}\n${fileOf(symbol)}`.toLowerCase().includes(wanted));
  state.heading.replaceChildren(
    'Symbols',
    el('small', {}, ` ${commas(found.length)} of ${commas(state.sorted.length)}${root.up ? ', in ' + cut(root.name, 60) : ''}`)
  );
  byId('found').textContent = wanted === '' ? '' : `${commas(found.length)} of ${commas(here.length)} symbols`;
  state.table.show(found, wanted !== '');
}

// ---- several models ----

function showModels() {
  document.title = 'Models - relocpack';
  byId('name').textContent = 'Models';
  byId('about').textContent = `${commas(page.models.length)} models`;
  if (byId('models').firstChild) return;
  const last = model => model.builds[model.builds.length - 1].report,
    verdicts = new Map(page.models.map(model => [model, verdictOf(model, last(model))]));
  const small = model => {
    const button = el('button', {type: 'button', 'aria-expanded': 'false', 'aria-label': 'Map of ' + cut(model.name)}, 'map');
    button.addEventListener('click', () => {
      const row = button.closest('tr'),
        open = button.getAttribute('aria-expanded') === 'true';
      button.setAttribute('aria-expanded', String(!open));
      if (open) {
        row.nextSibling.remove();
        return;
      }
      const map = el('div', {class: 'map small', role: 'img', 'aria-label': `Flash of ${cut(model.name)} by size`});
      row.after(el('tr', {class: 'inner'}, el('td', {colspan: row.cells.length}, map)));
      drawMap(map, treesOf(model.builds[model.builds.length - 1]).flash, node => ['s-' + node.look, '']);
      for (const child of map.children) ['role', 'tabindex'].forEach(name => child.removeAttribute(name));
    });
    return button;
  };
  const columns = [
    {name: 'model', wide: true, value: model => model.name, cell: model => el('a', {href: addressOf(model)}, cut(model.name))},
    {
      name: 'verdict',
      value: model => verdicts.get(model).word,
      cell: model =>
        el('span', {class: 'word is-' + verdicts.get(model).state, title: verdicts.get(model).lines.join('\n')}, verdicts.get(model).word)
    },
    {name: 'part', value: model => text(last(model), 'device', 'name') || text(last(model), 'target', 'series')},
    ...page.figures
      .filter(figure => figure.main)
      .map(figure => bytesColumn(figure.label, model => number(last(model), 'memory', figure.key))),
    {
      name: 'verified',
      right: true,
      value: model => (verdicts.get(model).runs.length ? verdicts.get(model).same.length : undefined),
      cell: model => (verdicts.get(model).runs.length ? `${verdicts.get(model).same.length} of ${verdicts.get(model).runs.length}` : '-')
    },
    {name: '', value: model => model.name, cell: small}
  ];
  const input = el('input', {type: 'search', placeholder: 'Search', 'aria-label': 'Search models'}),
    count = el('span', {role: 'status'});
  const made = table(columns, {label: 'Models', kind: 'models', shown: 1000});
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase();
    const found = page.models.filter(model => `${model.name} ${columns[2].value(model)}`.toLowerCase().includes(wanted));
    count.textContent = wanted ? `${commas(found.length)} of ${commas(page.models.length)}` : '';
    made.show(found, true);
  });
  made.show(page.models, true);
  byId('models').replaceChildren(
    el('div', {class: 'tools'}, input, count),
    made.element,
    ...page.measured
      .filter(measured => !measured.model)
      .map(measured => timeOf(measured, 'This page has no single report that this file is known to belong to.'))
  );
}

// ---- from here on, the page is the reader's ----

byId('plain').hidden = true;
byId('page').hidden = false;
byId('back').append(el('a', {href: '#'}, `All ${commas(page.models.length)} models`));
if (page.left_out.length) {
  byId('left').hidden = false;
  byId('left').textContent = 'Files of the folder that are not reports: ' + page.left_out.join(', ');
}
byId('map').addEventListener('click', event => {
  const cell = state.cells.find(one => one.element === event.target.closest('.cell'));
  if (cell) go(cell.node);
});
byId('map').addEventListener('keydown', pressed);
for (const which of ['flash', 'ram']) byId(which).addEventListener('click', () => go(treesOf(state.build)[which]));
byId('colour').addEventListener('change', event => {
  state.colour = event.target.value;
  showMap();
});
for (const id of ['now', 'before'])
  byId(id).addEventListener('change', event => {
    state[id === 'now' ? 'build' : 'before'] = state.model.builds[event.target.value] || null;
    state.root = null;
    openBuild();
    show();
  });
byId('search').addEventListener('input', () => {
  mark();
  showTable();
});
let width = innerWidth;
addEventListener('resize', () => {
  if (state.model && Math.abs(innerWidth - width) > 20) {
    width = innerWidth;
    showMap();
  }
});
addEventListener('hashchange', show);
show();
