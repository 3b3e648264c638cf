// Figures as SVG: curves, points, axes; each has a title and a description that screen readers read.
const NS = "http://www.w3.org/2000/svg";
const HEIGHT = 340, LEFT = 74, RIGHT = 16, TOP = 16, BOTTOM = 50;

function make(name, attributes = {}, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

export function short(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(size === 0 ? 0 : 1).replace("+", "").replace(".0e", "e");
  return String(+value.toPrecision(3));
}

function nice(low, high, many) {
  const rough = (high - low) / many || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough);
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) ticks.push(+at.toPrecision(12));
  return ticks;
}

function decades(low, high) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), step = Math.max(1, Math.ceil((last - first) / 7));
  const ticks = [];
  for (let at = first; at <= last; at += step) ticks.push(at);
  return ticks;
}

// curves: [{name, points: [[x, y], …]}]; points: [{name, x, y}]; log: whether the y axis is logarithmic.
export function figure({ title, description, x, y, curves, points = [], log = false }) {
  const all = [...curves.flatMap((curve) => curve.points), ...points.map((point) => [point.x, point.y])]
    .filter(([, value]) => Number.isFinite(value) && (!log || value > 0));
  const WIDTH = Math.max(300, Math.min(620, innerWidth - 40)); // so that letters keep their size on a phone
  const root = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "figure", role: "img", "aria-label": `${title}. ${description}` });
  root.append(make("title", {}, title), make("desc", {}, description));
  if (!all.length) return root;
  const xs = all.map(([value]) => value), ys = all.map(([, value]) => value);
  let [left, right] = [Math.min(...xs), Math.max(...xs)], [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (left === right) [left, right] = [left - 1, right + 1];
  let ticks;
  if (log) {
    ticks = decades(low, high);
    [low, high] = [Math.min(ticks[0], Math.log10(low)), Math.max(ticks.at(-1), Math.log10(high))];
    if (low === high) [low, high] = [low - 1, high + 1];
  } else {
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    [low, high] = [low - room, high + room];
    ticks = nice(low, high, 5);
  }
  const atX = (value) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
  const atY = (value) => HEIGHT - BOTTOM - (((log ? Math.log10(value) : value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  for (const tick of ticks) {
    const height = log ? atY(10 ** tick) : atY(tick);
    root.append(make("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: height, y2: height, class: "grid" }));
    const label = make("text", { x: LEFT - 8, y: height + 4, "text-anchor": "end" }, log ? "10" : short(tick));
    if (log) label.append(make("tspan", { dy: -6, "font-size": 10 }, String(tick)));
    root.append(label);
  }
  for (const tick of nice(left, right, 6)) root.append(make("text", { x: atX(tick), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" }, short(tick)));
  root.append(make("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM, class: "axis" }));
  root.append(make("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, x));
  root.append(make("text", { x: 14, y: (HEIGHT - BOTTOM + TOP) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(HEIGHT - BOTTOM + TOP) / 2})` }, y));
  const falls = curves.some(({ points: [first, ...others] }) => others.length && first[1] > others.at(-1)[1]); // names stand where the curves are low
  curves.forEach((curve, position) => {
    const shown = curve.points.filter(([, value]) => Number.isFinite(value) && (!log || value > 0)).sort((one, two) => one[0] - two[0]);
    root.append(make("polyline", { points: shown.map(([at, value]) => `${atX(at).toFixed(1)},${atY(value).toFixed(1)}`).join(" "), class: `curve curve-${position}` }));
    if (curves.length > 1 && shown.length) root.append(make("text", { x: falls ? WIDTH - RIGHT - 6 : LEFT + 14, y: TOP + 16 + 18 * position, "text-anchor": falls ? "end" : "start", class: `name name-${position}` }, curve.name));
  });
  for (const point of points) {
    if (log && !(point.y > 0)) continue;
    const [across, down] = [atX(point.x), atY(point.y)], rightwards = across < (LEFT + WIDTH) / 2;
    root.append(make("circle", { cx: across, cy: down, r: 5.5, class: "point" }));
    root.append(make("text", { x: across + (rightwards ? 10 : -10), y: Math.max(down - 8, TOP + 10), "text-anchor": rightwards ? "start" : "end", class: "pointed" }, point.name));
  }
  return root;
}

// The same numbers as a table, folded.
export function table(heads, rows) {
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent: "The numbers of the figure" }));
  const made = document.createElement("table"), head = made.createTHead().insertRow(), body = made.createTBody();
  for (const text of heads) head.append(Object.assign(document.createElement("th"), { textContent: text, scope: "col" }));
  for (const cells of rows) { const row = body.insertRow(); for (const cell of cells) row.insertCell().textContent = cell; }
  details.append(made);
  return details;
}
