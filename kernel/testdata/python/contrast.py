"""Finds text that can hardly be read on its paper."""

# WCAG 2: the relative luminance of a colour, and the ratio of those of text and
# paper, which has to be 4.5 at least. Paper is what the elements around a text
# paint, one through the other; opacity makes ink thinner. A picture that the
# page shows as an image of its own has no text here.
FAINT = """(root => {
const colour = c => { const n = c.match(/-?[\\d.]+(e-?\\d+)?/g); if (!n) return [0, 0, 0, 0];
  const k = c.startsWith('color(srgb') ? 255 : 1; return [n[0] * k, n[1] * k, n[2] * k, n[3] === undefined ? 1 : +n[3]] };
const over = (a, b) => { const k = a[3] + b[3] * (1 - a[3]); return k ? [0, 1, 2].map(i => (a[i] * a[3] + b[i] * b[3] * (1 - a[3])) / k).concat(k) : [0, 0, 0, 0] };
const luminance = c => { const f = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2] };
const paper = e => { let c = [0, 0, 0, 0]; for (; e && c[3] < 0.99; e = e.parentElement) c = over(c, colour(getComputedStyle(e).backgroundColor)); return over(c, [255, 255, 255, 1]) };
const found = new Map();
for (const node of document.querySelectorAll(root)) {
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let t; t = texts.nextNode();) {
    const e = t.parentElement;
    if (!t.textContent.trim() || e.closest('title, script, style') || !e.getClientRects().length || !e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    const style = getComputedStyle(e), svg = e.closest('svg'), ink = colour(svg ? style.fill : style.color);
    let alpha = ink[3] * (svg ? style.fillOpacity : 1);
    for (let p = e; p; p = p.parentElement) alpha *= getComputedStyle(p).opacity;
    const under = paper(svg || e), a = luminance(over([ink[0], ink[1], ink[2], alpha], under)), b = luminance(under);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.set(ink.map(Math.round) + ' on ' + under.slice(0, 3).map(Math.round), 'contrast ' + ratio.toFixed(2) + ': ' + t.textContent.trim().slice(0, 40));
  }
}
return [...found].map(([colours, text]) => text + ' (' + colours + ')') })"""


def faint(page, selector):
    """A line for each pair of colours in what the selector finds that is too alike."""
    return page.js("%s(%r)" % (FAINT, selector))
