// Graphs, the code lengths of their families, and what a change costs. Knows nothing of the page.

const report = JSON.parse(document.getElementById("report-data").textContent);
const bestEdges = report.best.map(({ from, to }) => [from, to]);
const variables = report.names.map((_, node) => node);

/** For every child a map from its parents, "0,3", to the code length and its spread. */
const familyLengths = (report.families || []).map(
  (families) => new Map(families.map(([length, spread, ...parents]) => [parents.join(), { length, spread }]))
);

const sameEdge = (a, b) => a[0] === b[0] && a[1] === b[1];
const hasEdge = (edges, edge) => edges.some((other) => sameEdge(other, edge));
const reversed = ([from, to]) => [to, from];
const edgeName = ([from, to]) => `${report.names[from]} → ${report.names[to]}`;

const withoutEdge = (edges, edge) => edges.filter((other) => !sameEdge(other, edge));
const withReversed = (edges, edge) => edges.map((other) => (sameEdge(other, edge) ? reversed(other) : other));
/** Adds an edge; if the opposite one is there, turns that one round. */
const withEdge = (edges, edge) =>
  hasEdge(edges, reversed(edge)) ? withReversed(edges, reversed(edge)) : [...edges, edge];

function parentsOf(edges, child) {
  const parents = edges.filter(([, to]) => to === child).map(([from]) => from);
  return parents.sort((a, b) => a - b);
}

function familyName(child, parents) {
  const given = parents.map((parent) => report.names[parent]).join(", ");
  return report.names[child] + (given && ` | ${given}`);
}

const lengthOf = (child, parents) => familyLengths[child]?.get(parents.join());

/** The nodes of a directed path, or nothing. */
function findPath(edges, from, to) {
  const cameFrom = new Map([[from, null]]);
  for (const node of cameFrom.keys()) {
    if (node === to) break;
    for (const [tail, next] of edges) if (tail === node && !cameFrom.has(next)) cameFrom.set(next, node);
  }
  if (!cameFrom.has(to)) return null;
  const path = [];
  for (let node = to; node !== null; node = cameFrom.get(node)) path.unshift(node);
  return path;
}

/** The cycle that a graph has and `before`, which has none, has not: as "A → B → A", or nothing. */
function newCycle(edges, before) {
  for (const [from, to] of edges.filter((edge) => !hasEdge(before, edge))) {
    const back = findPath(edges, to, from);
    if (back) return [from, ...back].map((node) => report.names[node]).join(" → ");
  }
  return null;
}

/** The families in which a graph differs from the best one; `change` is null where one of the two was not scored. */
function changedFamilies(edges) {
  const changed = [];
  for (const child of variables) {
    const [before, after] = [parentsOf(bestEdges, child), parentsOf(edges, child)];
    if (before.join() === after.join()) continue;
    const [old, now] = [lengthOf(child, before), lengthOf(child, after)];
    changed.push({ child, before, after, old, now, change: old && now ? now.length - old.length : null });
  }
  return changed;
}

/** Nats above the best graph, or null if a family was not scored. */
function excessOf(edges) {
  const changes = changedFamilies(edges).map(({ change }) => change);
  return changes.includes(null) ? null : changes.reduce((sum, change) => sum + change, 0);
}

/** The constraints of the run that a graph breaks, in words. */
function brokenRules(edges) {
  const { require, forbid, tiers, roots, leaves, maxParents } = report.knowledge;
  const tierOf = (node) => tiers.findIndex((tier) => tier.includes(node));
  const broken = require.filter((edge) => !hasEdge(edges, edge)).map((edge) => `${edgeName(edge)} is required`);
  for (const edge of edges) {
    const [from, to] = edge;
    if (hasEdge(forbid, edge)) broken.push(`${edgeName(edge)} is forbidden`);
    if (roots.includes(to)) broken.push(`${edgeName(edge)}: ${report.names[to]} is a root`);
    if (leaves.includes(from)) broken.push(`${edgeName(edge)}: ${report.names[from]} is a leaf`);
    if (tierOf(from) >= 0 && tierOf(to) >= 0 && tierOf(from) > tierOf(to))
      broken.push(`${edgeName(edge)} goes from a later tier to an earlier one`);
  }
  for (const child of variables) {
    const n = parentsOf(edges, child).length;
    if (maxParents !== null && n > maxParents)
      broken.push(`${report.names[child]} has ${n} parents, above the limit of ${maxParents}`);
  }
  return broken;
}

const asNats = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const asChange = new Intl.NumberFormat("en-GB", { ...asNats.resolvedOptions(), signDisplay: "always" });
const nats = (number) => asNats.format(number).replace("-", "−");
/** "+1,234.56"; what rounds to nothing is "±0.00". */
function change(number) {
  return Math.abs(number) < 0.005 ? "±0.00" : asChange.format(number).replace("-", "−");
}
