// SPDX-License-Identifier: Apache-2.0
// The parts of a page around the map: verdict, memory, history, time, changes, build. Each gives an element, or null if there is nothing.

const section = (title, small, ...inside) => el('section', {}, el('h2', {}, title, small ? el('small', {}, ' ' + small) : null), ...inside);
const bytesColumn = (name, value) => ({name, value, right: true});
const grownText = grown => (grown === undefined ? 'new' : grown ? signed(grown) : 'unchanged');
const grownCell = grown => (grown === undefined ? 'new' : signed(grown));
const change = (report, old, key) => {
  const [now, then] = [number(report, 'memory', key), old && number(old, 'memory', key)];
  return now === undefined || then === undefined || then === null ? undefined : now - then;
};
const buildName = build => build.path.replace(/_generate_rel\.json$/, '').replace(/\.json$/, '') || build.path;

// ---- the first row ----

function cards(model, build, before) {
  const report = build.report,
    verdict = verdictOf(model, report),
    flash = useOf(report, 'flash');
  const card = (name, value, lines, state, ...more) =>
    el(
      'div',
      {class: 'card' + (state ? ' is-' + state : '')},
      el('h2', {}, name),
      el('p', {class: 'value'}, value),
      ...lines.filter(Boolean).map(line => el('p', {}, line)),
      ...more
    );
  const ofDevice = use =>
    use &&
    (use.free < 0
      ? `of ${commas(use.size)} (${use.share}), ${commas(-use.free)} too many`
      : `of ${commas(use.size)} (${use.share}), ${commas(use.free)} free`);
  const since = grown => grown !== undefined && `${grownText(grown)} since ${buildName(before)}`;
  const old = before && before.report,
    modes = ['xip', 'copy'].map(mode => ramOf(report, mode));
  const ram = (member(report, 'image', 'xip_ok') !== false && modes[0]) || modes[1],
    mode = ram === modes[0] ? 'xip' : 'copy';
  const flashBytes = number(report, 'memory', 'flash');
  const sections = sectionsOf(report)
    .filter(one => one.inFile)
    .map(one => ({...one, look: lookOf(one.name)}));
  const made = [card('Verdict', verdict.word, verdict.lines.slice(0, 4), verdict.state)];
  made.push(
    card(
      'Flash',
      commas(flashBytes),
      ['bytes ' + (ofDevice(flash) || ''), since(change(report, old, 'flash'))],
      flash && flash.free < 0 && 'bad',
      flash && bar(sections.length ? sections : [{name: 'image', look: 'other', bytes: flash.used}], flash.size)
    )
  );
  if (ram)
    made.push(
      card(
        `RAM, ${mode.toUpperCase()} mode`,
        commas(ram.bytes),
        [
          'bytes ' + (ofDevice(useOf(report, 'ram', mode)) || (ram.acts ? 'with activations' : '')),
          since(change(report, old, 'ram_' + mode))
        ],
        ram.free < 0 && 'bad',
        ram.of && bar(ram.parts, ram.of)
      )
    );
  const {budgets: limits, over, runs, same} = verdict,
    within = limits.filter(row => text(row, 'status') === 'ok');
  made.push(
    !limits.length
      ? card('Budgets', 'none', ['generate --budget sets them'])
      : card(
          'Budgets',
          over.length ? `${over.length} over` : 'kept',
          [`${within.length} of ${limits.length} within their limits`],
          over.length ? 'bad' : 'good'
        ),
    !runs.length
      ? card('Verified', 'not here', ['give what verify --json wrote'])
      : card(
          'Verified',
          `${same.length} of ${runs.length}`,
          ['runs identical to the static build'],
          same.length < runs.length ? 'bad' : 'good'
        )
  );
  const sizeOf = kind =>
    sum(
      list(report, 'device', 'memories').filter(row => text(row, 'kind') === kind),
      row => number(row, 'size_bytes') || 0
    );
  const [ofFlash, ofRam] = ['flash', 'ram'].map(sizeOf);
  made.push(
    card('Part', text(report, 'device', 'name') || text(report, 'target', 'series') || 'not known', [
      text(report, 'target', 'cpu'),
      ofFlash && `${commas(ofFlash)} bytes of flash`,
      ofRam && `${commas(ofRam)} bytes of RAM`
    ])
  );
  return made;
}

// ---- RAM, and what is in limits ----

function memory(report, old) {
  const rows = [];
  for (const mode of ['xip', 'copy']) {
    const now = ramOf(report, mode);
    if (now) rows.push({name: mode.toUpperCase() + ' mode', ...now, grown: change(report, old, 'ram_' + mode)});
  }
  const external = number(report, 'memory', 'ext_ram'),
    use = useOf(report, 'ext_ram');
  if (external)
    rows.push({
      name: 'External',
      instance: external,
      bytes: external,
      of: use?.size,
      free: use?.free,
      share: use?.share,
      parts: [{name: 'memory pools', look: 'acts', bytes: external}],
      grown: change(report, old, 'ext_ram')
    });
  if (!rows.length) return [];
  const ram = rows.filter(row => row.name !== 'External'),
    device = Math.max(...ram.map(row => row.of || 0)),
    whole = Math.max(device, ...ram.map(row => row.bytes));
  const known = rows.some(row => row.of),
    grown = rows.some(row => row.grown !== undefined);
  const columns = [
    ['mode', row => row.name],
    ['instance', row => commas(row.instance)],
    ['activations', row => commas(row.acts)],
    ['together', row => commas(row.bytes)],
    ...(known
      ? [
          ['share', row => row.share ?? '-'],
          ['free', row => commas(row.free)]
        ]
      : []),
    ...(grown ? [['change', row => signed(row.grown)]] : [])
  ];
  const line = (tag, row, of) =>
    el(
      'tr',
      {},
      ...columns.map(([name, value], i) =>
        el(i ? tag : 'th', {scope: i ? tag === 'th' && 'col' : tag === 'th' ? 'col' : 'row', class: i ? 'r' : ''}, of ? value(row) : name)
      )
    );
  const bars = row =>
    el(
      'tr',
      {class: 'bars'},
      el('td', {colspan: columns.length}, bar(row.parts, row.name === 'External' ? row.of || row.bytes : whole, row.of || row.bytes))
    );
  return [
    el('h2', {}, 'RAM'),
    el(
      'div',
      {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'RAM'},
      el('table', {class: 'ram'}, el('thead', {}, line('th')), el('tbody', {}, ...rows.flatMap(row => [line('td', row, true), bars(row)])))
    ),
    el(
      'p',
      {class: 'note'},
      [
        `All bars have one scale, from 0 to ${commas(whole)} bytes${external ? '; that of the external RAM has its own' : ''}.`,
        device ? `The device has ${commas(device)}; what the firmware takes of them is not counted.` : ''
      ].join(' ')
    ),
    legend(rows.flatMap(row => row.parts.map(part => part.look)))
  ];
}

const legend = looks =>
  el(
    'ul',
    {class: 'legend'},
    ...Object.keys(KINDS)
      .filter(look => looks.includes(look))
      .map(look => el('li', {}, el('span', {class: 'swatch s-' + look}), KINDS[look]))
  );

function budgets(report) {
  const rows = list(report, 'budgets');
  return rows.length
    ? section(
        'Budgets',
        '',
        tableOf(
          [
            {name: 'figure', value: row => figureLabel(text(row, 'metric'))},
            bytesColumn('bytes', row => number(row, 'value')),
            bytesColumn('limit', row => number(row, 'limit')),
            {name: 'as given', value: row => text(row, 'given')},
            {name: 'status', value: row => text(row, 'status')}
          ],
          rows,
          {label: 'Budgets'}
        )
      )
    : null;
}

const figureLabel = key => page.figures.find(figure => figure.key === key)?.label || key;

// ---- a history ----

const SVG = 'http://www.w3.org/2000/svg';
function svg(tag, attributes, content) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (content !== undefined) made.textContent = content;
  return made;
}

const CHART_HEIGHT = 150,
  CHART_TOP = 14,
  CHART_BASE = 120;

// A figure over all builds that have it. names: what the axis says of each build.
function chart(figure, builds, names, fromZero) {
  const values = builds.map(build => number(build.report, 'memory', figure.key)),
    known = values.filter(value => value !== undefined);
  if (new Set(known).size < 2) return null;
  const most = Math.max(...known),
    lowest = fromZero ? 0 : Math.min(...known),
    span = most - lowest;
  const x = i => 3 + (94 * i) / (builds.length - 1),
    y = value => CHART_BASE - ((CHART_BASE - CHART_TOP) * (value - lowest)) / span;
  const drawn = svg('svg', {
    class: 'lines',
    width: '100%',
    height: CHART_HEIGHT,
    role: 'img',
    'aria-label': `${figure.label} of each build; the table has the figures`
  });
  drawn.append(svg('line', {class: 'axis', x1: '0%', x2: '100%', y1: CHART_BASE, y2: CHART_BASE}));
  let last = null;
  values.forEach((value, i) => {
    if (value === undefined) return;
    if (last) drawn.append(svg('line', {class: 'line', x1: x(last.i) + '%', y1: y(last.value), x2: x(i) + '%', y2: y(value)}));
    last = {i, value};
  });
  values.forEach((value, i) => {
    if (value === undefined) return;
    const dot = svg('circle', {cx: x(i) + '%', cy: y(value), r: builds.length > 60 ? 2 : 4, 'data-b': value});
    dot.append(svg('title', {}, `${names[i]}\n${commas(value)} bytes`));
    drawn.append(dot);
  });
  const ticks = Math.min(builds.length, 5);
  for (let tick = 0; tick < ticks; tick++) {
    const i = Math.round((tick * (builds.length - 1)) / (ticks - 1));
    drawn.append(
      svg('text', {x: x(i) + '%', y: CHART_HEIGHT - 8, class: tick === 0 ? '' : tick === ticks - 1 ? 'end' : 'middle'}, cut(names[i], 12))
    );
  }
  const scale = fromZero ? `axis from 0 to ${commas(most)}` : `axis from ${commas(lowest)}, not from 0, to ${commas(most)}`;
  return el(
    'figure',
    {},
    el('figcaption', {}, el('b', {}, figure.label), ` ${commas(known[0])} to ${commas(known[known.length - 1])} bytes; ${scale}`),
    drawn
  );
}

const labelsOf = build => Object.entries(member(build.report, 'labels') || {}).filter(([, value]) => typeof value === 'string');

// The axis has the label that tells most builds apart, or their times, or their files.
function historyOf(model) {
  const builds = model.builds;
  if (builds.length < 3) return null;
  const keys = [...new Set(builds.flatMap(build => labelsOf(build).map(([key]) => key)))];
  const ways = [
    ...keys.map(key => ({name: key, of: build => new Map(labelsOf(build)).get(key) ?? '-'})),
    ...(builds.every(build => text(build.report, 'run', 'started'))
      ? [{name: 'time', of: build => text(build.report, 'run', 'started').replace('T', ' ').replace('Z', '')}]
      : []),
    {name: 'report', of: buildName}
  ];
  const distinct = way => new Set(builds.map(way.of)).size;
  const best = ways.reduce((a, b) => (distinct(b) > distinct(a) ? b : a));
  const axis = el('select', {}, ...ways.map((way, i) => el('option', {value: i, selected: way === best}, way.name)));
  const zero = el('input', {type: 'checkbox', checked: true}),
    charts = el('div', {class: 'pair'});
  const main = page.figures.filter(figure => figure.main);
  const columns = [
    {name: 'report', value: buildName},
    ...ways.slice(0, -1).map(way => ({name: way.name, value: way.of})),
    ...main.map(figure => bytesColumn(figure.label, build => number(build.report, 'memory', figure.key)))
  ];
  const valuesOf = figure => new Set(builds.map(build => number(build.report, 'memory', figure.key)).filter(value => value !== undefined));
  const still = main.filter(figure => valuesOf(figure).size === 1);
  const draw = () =>
    charts.replaceChildren(...main.map(figure => chart(figure, builds, builds.map(ways[axis.value].of), zero.checked)).filter(Boolean));
  [axis, zero].forEach(input => input.addEventListener('change', draw));
  draw();
  const made = section(
    'History',
    `${builds.length} builds`,
    el('div', {class: 'tools'}, el('label', {}, 'Axis ', axis), el('label', {}, zero, ' from zero')),
    charts,
    still.length ? el('p', {class: 'note'}, `The same in all builds: ${still.map(figure => figure.label).join(', ')}.`) : null,
    el('details', {}, el('summary', {}, 'History as a table'), tableOf(columns, builds, {label: 'History'}))
  );
  made.className = 'across';
  return made;
}

// ---- time ----

function timeTable(profile, rows, name, caption) {
  const whole = sum(rows, row => row.time),
    most = Math.max(...rows.map(row => row.time), 1);
  const columns = [
    {name, value: row => row.name, wide: true},
    {name: profile.unit, right: true, value: row => row.time},
    {name: 'share', right: true, value: row => row.time, cell: row => share(row.time, whole)},
    {name: '', value: row => row.time, cell: row => bar([{name: row.name, look: 'code', bytes: row.time}], most, row.time)}
  ];
  return tableOf(columns, rows, {
    label: caption,
    kind: 'time',
    caption: `${caption}, in ${profile.unit}${profile.of ? ': ' + profile.of : ''}`
  });
}

function timeOf(measured, note) {
  const profiles = profilesOf(measured.document),
    runs = list(measured.document, 'runs'),
    inside = [];
  for (const profile of profiles) {
    if (profile.layers.length) inside.push(timeTable(profile, profile.layers, 'layer', 'Layers in the order of execution'));
    if (profile.functions.length) inside.push(timeTable(profile, profile.functions, 'function', 'Functions without what they call'));
  }
  const counted = (name, key) => ({name, right: true, value: run => number(run, key)});
  const fixed = isObject(member(measured.document, 'static')) ? [{mode: 'static', ...member(measured.document, 'static')}] : [];
  if (runs.length)
    inside.push(
      el(
        'details',
        {},
        el('summary', {}, `Runs (${commas(runs.length)})`),
        tableOf(
          [
            {name: 'mode', value: run => text(run, 'mode')},
            {name: 'addresses', value: run => text(run, 'addresses')},
            {name: 'instance', value: run => ['A', 'B'][number(run, 'instance')] || ''},
            counted('install', 'install_instructions'),
            counted('init', 'init_instructions'),
            counted('run', 'run_instructions'),
            counted('stack, bytes', 'stack_bytes'),
            {
              name: 'outputs',
              value: run => (member(run, 'identical') === true ? 'same' : member(run, 'identical') === false ? 'differ' : '')
            }
          ],
          [...fixed, ...runs],
          {label: 'Runs', caption: 'Runs, in instructions'}
        )
      )
    );
  const images = list(measured.document, 'images').map(image => ({
    name: text(image, 'name'),
    mode: text(image, 'mode'),
    install: number(image, 'install'),
    init: number(image, 'init'),
    run: Math.min(...[member(image, 'inferences')].flat().filter(value => typeof value === 'number')),
    stack: number(image, 'stack_bytes')
  }));
  if (images.length)
    inside.push(
      tableOf(
        [
          {name: 'image', value: image => image.name},
          {name: 'mode', value: image => image.mode},
          ...['install', 'init'].map(key => ({name: key, right: true, value: image => image[key]})),
          {name: 'run', right: true, value: image => (Number.isFinite(image.run) ? image.run : undefined)},
          bytesColumn('stack, bytes', image => image.stack)
        ],
        images,
        {
          label: 'Images',
          caption: `Images, in ${text(measured.document, 'unit') || 'instructions or cycles'}; of several inferences, the fastest`
        }
      )
    );
  const made = section(
    'Time',
    [lastPart(measured.path), ...imagesOf(measured.document).map(image => lastPart(text(image, 'image')))].filter(Boolean).join(', '),
    note ? el('p', {class: 'note'}, note) : null,
    ...inside
  );
  made.className = 'measured';
  return made;
}

// ---- what else the report says ----

function changes(model, build, before) {
  const rows = changesOf(before.report, build.report),
    shown = value => (value === undefined ? '-' : typeof value === 'number' ? commas(value) : value);
  const columns = [
    {name: 'name', wide: true, value: row => row.name},
    {name: 'part', value: row => row.part},
    {name: 'before', right: true, wide: true, value: row => row.before, cell: row => cut(shown(row.before))},
    {name: 'now', right: true, value: row => row.now, cell: row => cut(shown(row.now))},
    {name: 'change', right: true, value: row => row.grown, cell: row => (row.grown === undefined ? 'changed' : signed(row.grown))}
  ];
  return section(
    'Changes',
    'since ' + buildName(before),
    rows.length ? tableOf(columns, rows, {label: 'Changes', kind: 'changes', tall: true}) : el('p', {}, 'Nothing has changed.')
  );
}

const words = (name, key) => ({name, value: row => text(row, key), wide: true});

// Warnings first, then tables that are folded.
function rest(report) {
  const tensors = ['inputs', 'outputs'].flatMap(way => tensorsOf(report, way)),
    notes = list(report, 'diagnostics');
  const folded = (title, columns, rows) =>
    rows.length ? el('details', {}, el('summary', {}, `${title} (${commas(rows.length)})`), tableOf(columns, rows, {label: title})) : null;
  const fact = [
    {name: 'name', value: row => row[1], wide: true},
    {name: 'value', value: row => row[2], wide: true}
  ];
  return [
    tensors.length
      ? section(
          'Tensors',
          '',
          tableOf(
            [
              {name: 'name', value: row => row.name, wide: true},
              {name: 'kind', value: row => row.way},
              {name: 'type', value: row => row.type},
              {name: 'shape', value: row => row.shape},
              {name: 'scale', value: row => row.scale},
              bytesColumn('bytes', row => row.bytes)
            ],
            tensors,
            {label: 'Tensors'}
          )
        )
      : null,
    list(report, 'pools').length
      ? section(
          'Memory pools',
          '',
          tableOf(
            [
              words('name', 'name'),
              bytesColumn('bytes', row => number(row, 'size_bytes')),
              words('holds', 'data'),
              {name: 'address', value: row => (text(row, 'type') === 'RELOC' ? 'where the firmware puts it' : text(row, 'dst'))}
            ],
            list(report, 'pools'),
            {label: 'Memory pools', kind: 'pools'}
          )
        )
      : null,
    notes.length
      ? section(
          'Warnings and notes',
          '',
          tableOf(
            [
              words('id', 'id'),
              words('kind', 'severity'),
              {name: 'text', wide: true, value: row => [text(row, 'message'), text(row, 'hint')].filter(Boolean).join('\n')}
            ],
            notes,
            {label: 'Warnings and notes'}
          )
        )
      : null,
    section(
      'Build',
      '',
      folded('Tools and flags', fact, toolsOf(report)),
      folded('Inputs and their SHA-256', [words('name', 'path'), words('SHA-256', 'sha256')], list(report, 'inputs')),
      folded(
        'Members of archives',
        [
          words('member', 'member'),
          words('archive', 'archive'),
          words('asked for by', 'symbol'),
          bytesColumn('bytes', row => number(row, 'size_bytes'))
        ],
        list(report, 'archive_members')
      ),
      folded(
        'Imports from the firmware',
        [words('symbol', 'symbol'), bytesColumn('version', row => number(row, 'version'))],
        list(report, 'imports')
      ),
      folded(
        'Relocations',
        fact,
        factsOf(report).filter(row => row[0] === 'relocations')
      )
    )
  ];
}
