// Curves: chains of cubic pieces, as lists of points [x, y]. The head of an arrow covers the end of a curve.

const HEAD = 10;
const BOX_CLEARANCE = 9;
const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Cuts one cubic piece at t (de Casteljau). */
function splitPiece([a, b, c, d], t) {
  const [ab, bc, cd] = [mix(a, b, t), mix(b, c, t), mix(c, d, t)];
  const [abc, bcd] = [mix(ab, bc, t), mix(bc, cd, t)];
  const middle = mix(abc, bcd, t);
  return [[a, ab, abc, middle], [middle, bcd, cd, d]];
}

/** The line without what the head covers, and the three corners of the head. */
function arrowOf(curve, width) {
  const start = curve.slice(0, -4);
  const piece = curve.slice(-4);
  const tip = curve[curve.length - 1];
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const t = (low + high) / 2;
    if (distance(splitPiece(piece, t)[0][3], tip) > HEAD) low = t;
    else high = t;
  }
  const shaft = [...start, ...splitPiece(piece, low)[0]];
  const base = shaft[shaft.length - 1];
  const half = (3.2 + 0.6 * width) / (distance(base, tip) || 1);
  const [along, across] = [(tip[0] - base[0]) * half, (tip[1] - base[1]) * half];
  return { shaft, head: [[base[0] - across, base[1] + along], tip, [base[0] + across, base[1] - along]] };
}

const pathOf = (curve) =>
  curve.map(([x, y], i) => (i === 0 ? "M" : i % 3 === 1 ? "C" : " ") + `${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const outlineOf = (points) => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L") + "Z";

function samplesOf(curve) {
  const samples = [];
  for (let i = 0; i + 3 < curve.length; i += 3)
    for (let t = 0; t <= 1; t += 0.05) samples.push(splitPiece(curve.slice(i, i + 4), t)[0][3]);
  return samples;
}

const inBox = ([x, y], [cx, cy, width, height], margin) =>
  Math.abs(x - cx) < width / 2 + margin && Math.abs(y - cy) < height / 2 + margin;

/** Where the line from the middle of a box towards a point leaves the box. */
function borderPoint([cx, cy, width, height], [x, y]) {
  const [dx, dy] = [x - cx, y - cy];
  const scale = Math.min(width / 2 / (Math.abs(dx) || 1e-9), height / 2 / (Math.abs(dy) || 1e-9));
  return [cx + dx * scale, cy + dy * scale];
}

/** A bow from box to box, `bend` to the side of the straight line. */
function bow(from, to, bend) {
  const length = distance(from, to) || 1;
  const normal = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  const aside = (t) => {
    const [x, y] = mix(from, to, t);
    return [x + normal[0] * bend, y + normal[1] * bend];
  };
  const [first, second] = [aside(0.25), aside(0.75)];
  return [borderPoint(from, first), first, second, borderPoint(to, second)];
}

/** How ugly a curve is: through boxes, out of the picture, along other curves, bent. */
function uglinessOf(curve, ends, others, bend) {
  const [[left, top], [right, bottom]] = report.frame;
  let ugliness = Math.abs(bend) / 20;
  for (const point of samplesOf(curve)) {
    const hit = report.boxes.some((box, node) => !ends.includes(node) && inBox(point, box, BOX_CLEARANCE));
    const out = point[0] < left || point[0] > right || point[1] < top || point[1] > bottom;
    const near = others.some((other) => distance(point, other) < 7);
    ugliness += (hit ? 20 : 0) + (out ? 20 : 0) + (near ? 1 : 0);
  }
  return ugliness;
}

/** A curve for an edge that the layout did not foresee: the least ugly of several bows. */
function newCurve([from, to], otherCurves) {
  const others = otherCurves.flatMap(samplesOf);
  const bends = [0];
  for (let bend = 16; bend <= 400; bend *= 1.35) bends.push(bend, -bend);
  const bows = bends.map((bend) => {
    const curve = bow(report.boxes[from], report.boxes[to], bend);
    return { curve, ugliness: uglinessOf(curve, [from, to], others, bend) };
  });
  return bows.reduce((best, next) => (next.ugliness < best.ugliness ? next : best)).curve;
}

/** The curves of the best graph's edges, as the layout made them. */
const laidOut = report.best.map(({ from, to, curve }) => {
  const points = [];
  for (let i = 0; i < curve.length; i += 2) points.push([curve[i], curve[i + 1]]);
  return { edge: [from, to], curve: points };
});

/** A curve for every edge; those of the best graph keep their places, turned round if reversed. */
function curvesOf(edges) {
  const curves = edges.map((edge) => {
    const same = laidOut.find((known) => sameEdge(known.edge, edge));
    const opposite = laidOut.find((known) => sameEdge(known.edge, reversed(edge)));
    return same ? same.curve : opposite ? [...opposite.curve].reverse() : null;
  });
  edges.forEach((edge, i) => {
    if (!curves[i]) curves[i] = newCurve(edge, curves.filter(Boolean));
  });
  return curves;
}
