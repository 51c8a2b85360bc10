'use strict';
// Everything that comes from the plan is set as text, never as markup.
let rows = [];
const panel = document.getElementById('panel');
const form = document.getElementById('filter');

function node(tag, text, parent) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.append(e);
  return e;
}

function block(title, text) {
  if (!text || !text.length) return;
  node('h4', title, panel);
  node('pre', Array.isArray(text) ? text.join('\n') : text, panel);
}

function show(row) {
  if (!row) return;
  panel.replaceChildren();
  const close = node('button', 'close', panel);
  close.onclick = hide;
  node('h3', row.test, panel);
  const pill = node('span', row.outcome.replace('_', ' '), panel);
  pill.className = 'pill outcome-' + row.outcome;
  if (row.reason) node('p', row.reason, panel);
  const table = node('table', undefined, panel);
  for (const c of row.choices || []) {
    const tr = node('tr', undefined, table);
    node('th', c.axis, tr);
    node('td', c.label || c.key, tr);
  }
  block('runs', row.witness);
  block('detail', row.detail);
  block('output', row.output);
  block('trace', row.trace);
  block('replay', row.replay);
  panel.hidden = false;
  if (row.leaf_id) history.replaceState(null, '', '#leaf=' + row.leaf_id);
}

function hide() {
  panel.hidden = true;
  history.replaceState(null, '', location.pathname);
}

function filter() {
  const text = form.querySelector('[type=search]').value.toLowerCase();
  const on = new Set([...form.querySelectorAll(':checked')].map(e => e.value));
  for (const tr of document.querySelectorAll('tr[data-row]')) {
    const hay = (tr.closest('section').querySelector('h2').textContent + ' ' + tr.textContent).toLowerCase();
    tr.hidden = !on.has(tr.dataset.outcome) || !text.split(/\s+/).every(word => hay.includes(word));
  }
  const missing = document.getElementById('missing');
  for (const tr of document.querySelectorAll('tr[data-covered]')) {
    const hay = tr.textContent.toLowerCase();
    tr.hidden = missing.checked && tr.dataset.covered === 'yes' || !text.split(/\s+/).every(word => hay.includes(word));
  }
}

document.addEventListener('click', e => {
  const at = e.target.closest('[data-row]');
  if (at) show(rows[at.dataset.row]);
});
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') hide();
  const tr = e.target.closest && e.target.closest('tr[data-row]');
  if (tr && e.key === 'Enter') show(rows[tr.dataset.row]);
});
form.addEventListener('input', filter);
form.addEventListener('submit', e => e.preventDefault());

// A click on a heading sorts its table.
for (const th of document.querySelectorAll('.leaves th, .sites th')) {
  th.onclick = () => {
    const body = th.closest('table').tBodies[0], k = th.cellIndex;
    [...body.rows].sort((a, b) => a.cells[k].textContent.localeCompare(b.cells[k].textContent, undefined, {numeric: true})).forEach(r => body.append(r));
  };
}

// What the panel shows is packed; the tables are there before it is unpacked.
async function unpack() {
  const packed = Uint8Array.from(atob(document.getElementById('rows').textContent), c => c.charCodeAt(0));
  const text = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  rows = JSON.parse(await text);
  const linked = /#leaf=([a-z2-7]+)/.exec(location.hash);
  if (linked) show(rows.find(r => r.leaf_id && r.leaf_id.startsWith(linked[1])));
  document.documentElement.dataset.ready = 'yes';
}
unpack();
