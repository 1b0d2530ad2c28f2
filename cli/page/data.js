// SPDX-License-Identifier: Apache-2.0
// What the embedded reports say, in a form that the views share: numbers, trees of bytes, and what two builds differ in.
// Reports are read, never trusted: a member of another type than expected counts as missing. Text reaches the page only as text.

'use strict';
const page = JSON.parse(document.getElementById('data').textContent);

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const member = (object, ...keys) => keys.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), object);
const text = (object, ...keys) => {
  const value = member(object, ...keys);
  return typeof value === 'string' ? value : '';
};
const number = (object, ...keys) => {
  const value = member(object, ...keys);
  return typeof value === 'number' ? value : undefined;
};
const list = (object, ...keys) => {
  const value = member(object, ...keys);
  return Array.isArray(value) ? value.filter(isObject) : [];
};
const lastPart = path => path.slice(path.lastIndexOf('/') + 1);

const commas = value => (value === undefined ? '-' : value.toLocaleString('en'));
const signed = value => (value === undefined ? '-' : value > 0 ? '+' + commas(value) : value < 0 ? '-' + commas(-value) : '0');
const share = (part, whole) => (!whole ? '' : part && part / whole < 0.0005 ? 'under 0.1 %' : ((100 * part) / whole).toFixed(1) + ' %');
const cut = (string, most = 160) => (string.length > most ? string.slice(0, most - 1) + '\u2026' : string);
const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);

// The look of a section, which is also its kind in the legend.
const LOOKS = new Map([
  ['text+rodata', 'text'],
  ['weights', 'weights'],
  ['params', 'weights'],
  ['data', 'data'],
  ['got', 'got'],
  ['bss', 'bss'],
  ['activations', 'acts'],
  ['header', 'head'],
  ['rel', 'rel'],
  ['fixups', 'rel'],
  ['compact', 'rel']
]);
const KINDS = {
  code: 'code',
  text: 'constants',
  weights: 'weights',
  data: 'data',
  got: 'GOT',
  bss: 'zeroed data',
  acts: 'activations',
  head: 'header',
  rel: 'tables of relocations',
  other: 'other',
  rest: 'without a name'
};
const lookOf = name => LOOKS.get(name) || 'other';

// ---- memory ----

const sectionsOf = report =>
  list(report, 'image', 'sections')
    .map(section => ({
      name: text(section, 'name'),
      segment: text(section, 'segment'),
      inFile: member(section, 'file') !== undefined,
      bytes: number(section, 'size_bytes') || 0
    }))
    .filter(section => section.bytes);
const inRam = section => section.segment === 'ram' || section.name === 'activations';
const COPIED = ['header', 'text+rodata', 'fixups', 'compact'];

// The RAM of a mode: an instance and its activations, and what the device has. Neural-ART keeps activations in pools of their own.
function ramOf(report, mode) {
  const bytes = number(report, 'memory', 'ram_' + mode),
    apart = text(report, 'image', 'format') === 'neural-art';
  if (bytes === undefined) return null;
  const acts = apart ? undefined : number(report, 'memory', 'acts') || 0;
  const use = useOf(report, 'ram', mode);
  const parts = [];
  let left = bytes;
  for (const section of sectionsOf(report)) {
    const wanted = section.segment === 'ram' || (mode === 'copy' && COPIED.includes(section.name));
    const taken = wanted ? Math.min(section.bytes, left) : 0;
    if (taken) parts.push({name: section.name, look: lookOf(section.name), bytes: taken});
    left -= taken;
  }
  if (left) parts.push({name: 'in no section', look: 'rest', bytes: left});
  if (acts) parts.push({name: 'activations', look: 'acts', bytes: acts});
  return {instance: bytes, acts, bytes: bytes + (acts || 0), parts, of: use && use.size, free: use && use.free, share: use && use.share};
}

// What the image takes of a memory of the device, as the report has it; null if that is not known.
function useOf(report, region, mode) {
  const use = list(report, 'device', 'use').find(row => text(row, 'region') === region && (region !== 'ram' || text(row, 'mode') === mode));
  const used = number(use, 'used_bytes'),
    size = number(use, 'size_bytes');
  return used === undefined || !size
    ? null
    : {used, size, free: size - used, share: (Math.ceil((used * 1000) / size) / 10).toFixed(1) + ' %'};
}

// ---- a memory as a tree: sections, archives, files, symbols; each byte is in one leaf ----

function add(up, kind, name, look, bytes) {
  const made = {up, kind, name, look, bytes, inside: []};
  if (up) up.inside.push(made);
  return made;
}

// A symbol that begins inside another one has only what is beyond it, and none reaches beyond its section.
function shareBytes(symbols, size) {
  let at = 0;
  for (const symbol of [...symbols].sort((a, b) => a.offset - b.offset || a.order - b.order)) {
    const placed = symbol.offset !== Infinity,
      start = placed ? Math.max(symbol.offset, at) : at;
    const end = Math.min((placed ? symbol.offset : at) + symbol.bytes, size);
    symbol.own = Math.max(end - start, 0);
    at = Math.max(at, end);
  }
}

function addSection(root, section, symbols) {
  const node = add(root, 'section', section.name, lookOf(section.name), section.bytes);
  const groups = new Map();
  const group = (key, make) => {
    if (!groups.has(key)) groups.set(key, make());
    return groups.get(key);
  };
  for (const symbol of symbols) {
    const above = !symbol.archive ? node : group(symbol.archive, () => add(node, 'archive', symbol.archive, node.look, 0));
    const file = group(symbol.archive + '\0' + symbol.file, () => add(above, 'file', symbol.file || 'unknown file', node.look, 0));
    const leaf = add(
      file,
      'symbol',
      symbol.name + (symbol.isFunction ? '()' : ''),
      node.look === 'text' && symbol.isFunction ? 'code' : node.look,
      symbol.own
    );
    leaf.symbol = symbol;
    symbol[root.name] = leaf;
    file.bytes += symbol.own;
    if (above !== node) above.bytes += symbol.own;
  }
  const rest = section.bytes - sum(node.inside, inner => inner.bytes);
  if (node.inside.length && rest) add(node, 'rest', 'without a symbol', 'rest', rest);
}

function sortTree(node) {
  node.inside = node.inside.filter(inner => inner.bytes).sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  node.inside.forEach(sortTree);
}

function symbolsOf(report) {
  return list(report, 'symbols').map((symbol, order) => {
    const archive = text(symbol, 'archive');
    return {
      name: text(symbol, 'name'),
      isFunction: text(symbol, 'kind') === 'function',
      section: text(symbol, 'section'),
      archive,
      file: text(symbol, archive ? 'member' : 'file'),
      offset: number(symbol, 'offset') ?? Infinity,
      bytes: number(symbol, 'size_bytes') || 0,
      own: 0,
      order
    };
  });
}

// Both trees of a build, made when they are first asked for.
function treesOf(build) {
  if (build.trees) return build.trees;
  const report = build.report,
    sections = sectionsOf(report),
    by = new Map();
  const symbols = symbolsOf(report);
  for (const symbol of symbols) {
    if (!by.has(symbol.section)) by.set(symbol.section, []);
    by.get(symbol.section).push(symbol);
  }
  const flash = add(null, 'root', 'flash', 'rest', 0),
    ram = add(null, 'root', 'ram', 'rest', 0),
    seen = new Set();
  for (const section of sections) {
    const own = seen.has(section.name) ? [] : by.get(section.name) || [];
    seen.add(section.name);
    shareBytes(own, section.bytes);
    for (const root of [section.inFile && flash, inRam(section) && ram]) {
      if (!root) continue;
      addSection(root, section, own);
      root.bytes += section.bytes;
    }
  }
  const rest = (number(report, 'memory', 'flash') || 0) - flash.bytes;
  if (rest > 0) add(flash, 'rest', 'in no section', 'rest', rest);
  flash.bytes += Math.max(rest, 0);
  [flash, ram].forEach(sortTree);
  build.trees = {flash, ram, symbols};
  return build.trees;
}

const leaves = node => (node.inside.length ? node.inside.flatMap(leaves) : [node]);
const pathOf = node => (node.up ? [...pathOf(node.up), node.name] : [node.name]);

// ---- two builds ----

// Of each place in a tree, how many bytes the other build has there; of equal names, the first belongs to the first.
function placesOf(root) {
  const places = new Map();
  const walk = (node, path) => {
    const seen = new Map();
    for (const inner of node.inside) {
      const count = seen.get(inner.name) || 0,
        key = [path, inner.name, count].join('\0');
      seen.set(inner.name, count + 1);
      places.set(key, inner);
      walk(inner, key);
    }
  };
  walk(root, '');
  return places;
}

// Adds to every node what it has grown by; undefined: the other build does not have it.
function compareTrees(now, before) {
  const old = placesOf(before);
  for (const [key, node] of placesOf(now)) node.grown = old.has(key) ? node.bytes - old.get(key).bytes : undefined;
}

// All that a report says, as rows [part, name, value]; what stands several times is told apart by its value.
function factsOf(report) {
  const rows = [];
  const flatten = (part, path, value) => {
    if (isObject(value)) for (const [key, inner] of Object.entries(value)) flatten(part, path ? path + '.' + key : key, inner);
    else if (Array.isArray(value)) value.filter(item => typeof item === 'string').forEach(item => rows.push([part, path, item, item]));
    else if (typeof value === 'boolean') rows.push([part, path, value ? 'yes' : 'no', '']);
    else if (value !== null && value !== undefined) rows.push([part, path, value, '']);
  };
  flatten('memory', '', member(report, 'memory'));
  sectionsOf(report).forEach(section => rows.push(['sections', section.name, section.bytes, '']));
  symbolsOf(report).forEach(symbol => rows.push(['symbols', symbol.name, symbol.bytes, symbol.section + ', ' + fileOf(symbol)]));
  flatten('relocations', '', member(report, 'relocations'));
  for (const way of ['inputs', 'outputs'])
    tensorsOf(report, way).forEach(tensor =>
      rows.push(['tensors', way.slice(0, -1) + ' ' + tensor.name, [tensor.type, tensor.shape, tensor.scale].filter(Boolean).join(', '), ''])
    );
  rows.push(...toolsOf(report));
  list(report, 'inputs').forEach(input => rows.push(['inputs', text(input, 'path'), text(input, 'sha256'), '']));
  list(report, 'diagnostics')
    .filter(item => text(item, 'severity') === 'warning')
    .forEach(item => rows.push(['warnings', text(item, 'id'), text(item, 'message'), text(item, 'message')]));
  return rows;
}

function toolsOf(report) {
  const rows = [];
  const flatten = (path, value) => {
    if (isObject(value)) for (const [key, inner] of Object.entries(value)) flatten(path + '.' + key, inner);
    else if (Array.isArray(value)) value.filter(item => typeof item === 'string').forEach(item => rows.push(['tools', path, item, item]));
    else if (value !== null && value !== undefined) rows.push(['tools', path, value === true ? 'yes' : value === false ? 'no' : value, '']);
  };
  for (const key of ['tool', 'generator', 'toolchain', 'target', 'runtime', 'choices']) flatten(key, member(report, key));
  for (const [key, inner] of [
    ['model', 'dialect'],
    ['model', 'generator'],
    ['image', 'version'],
    ['image', 'split'],
    ['image', 'xip_ok']
  ])
    flatten(key + '.' + inner, member(report, key, inner));
  return rows;
}

const fileOf = symbol => (symbol.archive ? `${symbol.archive}(${symbol.file})` : symbol.file);

// Rows of the same part, name and place belong together. A symbol that is gone and one that is new, of one size and place, were renamed.
function changesOf(before, now) {
  const old = new Map(),
    changes = [],
    came = [];
  const keyOf = row => [row[0], row[1], row[3]].join('\0');
  for (const row of factsOf(before)) {
    if (!old.has(keyOf(row))) old.set(keyOf(row), []);
    old.get(keyOf(row)).push(row);
  }
  for (const row of factsOf(now)) {
    const same = old.get(keyOf(row))?.shift();
    if (!same) came.push(row);
    else if (same[2] !== row[2]) changes.push({part: row[0], name: row[1], before: same[2], now: row[2]});
  }
  const gone = new Set([...old.values()].flat()),
    alike = new Map();
  for (const row of gone) if (row[0] === 'symbols') alike.set(row[2] + '\0' + row[3], row);
  for (const row of came) {
    const other = row[0] === 'symbols' && alike.get(row[2] + '\0' + row[3]);
    if (other) alike.delete(row[2] + '\0' + row[3]);
    gone.delete(other);
    changes.push({part: row[0], name: other ? other[1] + ' > ' + row[1] : row[1], before: other ? other[2] : undefined, now: row[2]});
  }
  for (const row of gone) changes.push({part: row[0], name: row[1], before: row[2], now: undefined});
  for (const change of changes) {
    const numbers = [change.before, change.now].every(value => value === undefined || typeof value === 'number');
    change.grown = numbers ? (change.now || 0) - (change.before || 0) : undefined;
  }
  const PARTS = ['memory', 'sections', 'symbols', 'relocations', 'tensors', 'tools', 'inputs', 'warnings'];
  return changes.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part) || Math.abs(b.grown || 0) - Math.abs(a.grown || 0));
}

// ---- tensors, and what verify and run wrote ----

const tensorsOf = (report, way) =>
  list(report, 'model', way).map(tensor => {
    const shape = member(tensor, 'shape'),
      scale = number(tensor, 'scale');
    return {
      name: text(tensor, 'name'),
      way: way.slice(0, -1),
      type: text(tensor, 'dtype'),
      bytes: number(tensor, 'size_bytes'),
      shape: Array.isArray(shape) ? shape.filter(size => typeof size === 'number').join(' \u00d7 ') : '',
      scale: scale === undefined ? '' : `${Number(scale.toPrecision(9))}, zero point ${number(tensor, 'zero_point') || 0}`
    };
  });

// The images that a document is about; none: a profile, which does not say.
const imagesOf = measured => (member(measured, 'runs') !== undefined ? [measured] : list(measured, 'images'));

function isAbout(measured, model) {
  return imagesOf(measured).every(image =>
    model.builds.some(({report}) => {
      const file = lastPart(text(image, 'image')),
        name = text(report, 'model', 'name') || model.name,
        c = text(report, 'model', 'c_name');
      return file === name + '_rel.bin' || (text(image, 'name') !== '' && text(image, 'name') === c);
    })
  );
}

// What was measured belongs to the one model that it is about.
for (const measured of page.measured) {
  const models = page.models.filter(model => isAbout(measured.document, model));
  measured.model = models.length === 1 ? models[0] : null;
}
const measuredOf = model => page.measured.filter(measured => measured.model === model).map(measured => measured.document);

// Profiles in a document, with what they are of.
function profilesOf(measured) {
  const from = [
    ...list(measured, 'images').map(image => [member(image, 'profile'), text(image, 'name')]),
    [member(measured, 'profile'), ''],
    [member(measured, 'images') ? undefined : measured, '']
  ];
  return from
    .filter(([profile]) => Array.isArray(member(profile, 'nodes')))
    .map(([profile, of]) => {
      const unit = text(profile, 'unit'),
        mode = text(profile, 'mode');
      return {
        of: [of, mode && mode + ' mode'].filter(Boolean).join(', '),
        unit: unit || 'instructions or cycles',
        layers: list(profile, 'nodes')
          .map(node => ({name: text(node, 'name') || text(node, 'type'), time: number(node, unit)}))
          .filter(row => row.time !== undefined),
        functions: list(profile, 'functions')
          .map(row => ({name: text(row, 'name'), time: number(row, 'own')}))
          .filter(row => row.time !== undefined)
      };
    });
}

// Time by function, over all profiles of a model, as shares of the whole; null if there is no profile.
function timesOf(model) {
  const times = new Map();
  for (const profile of measuredOf(model).flatMap(profilesOf)) {
    const whole = sum(profile.functions, row => row.time);
    for (const row of profile.functions) times.set(row.name, Math.max(times.get(row.name) || 0, row.time / (whole || 1)));
  }
  return times.size ? times : null;
}

// ---- the verdict ----

function verdictOf(model, report) {
  const wrong = [],
    right = [],
    flash = useOf(report, 'flash'),
    budgets = list(report, 'budgets');
  const ram = ['xip', 'copy'].map(mode => useOf(report, 'ram', mode)).filter(Boolean),
    external = useOf(report, 'ext_ram');
  if (flash)
    (flash.free < 0 ? wrong : right).push(flash.free < 0 ? `${commas(-flash.free)} bytes too many for the flash` : 'fits the flash');
  if (ram.length) {
    const free = Math.max(...ram.map(use => use.free));
    (free < 0 ? wrong : right).push(
      free < 0
        ? `${commas(-free)} bytes too many for the RAM`
        : ram.every(use => use.free >= 0)
          ? 'fits the RAM'
          : 'fits the RAM in one mode'
    );
  }
  if (external && external.free < 0) wrong.push(`${commas(-external.free)} bytes too many for the external RAM`);
  const over = budgets.filter(row => text(row, 'status') === 'over');
  over.forEach(row =>
    wrong.push(`${text(row, 'metric')} is ${commas((number(row, 'value') || 0) - (number(row, 'limit') || 0))} bytes over its budget`)
  );
  if (budgets.length && !over.length) right.push('within its budgets');
  const runs = measuredOf(model).flatMap(measured => list(measured, 'runs')),
    same = runs.filter(run => member(run, 'identical') === true);
  if (runs.length) (same.length < runs.length ? wrong : right).push(`${same.length} of ${runs.length} runs identical`);
  return {
    state: wrong.length ? 'bad' : right.length ? 'good' : 'open',
    word: wrong.length ? 'Not OK' : right.length ? 'OK' : 'No limits given',
    lines: wrong.length ? wrong : right,
    budgets,
    over,
    runs,
    same
  };
}
