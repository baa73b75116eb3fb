// The panel beside the picture: what is selected, what was changed, what it costs.

const panel = document.getElementById("what-if");
const timeline = { past: [], present: bestEdges, future: [] };
const isEdited = () => changedFamilies(timeline.present).length > 0;
/** The selected edge or variable; `adding` while the target of a new edge is chosen in the picture. */
let selection = {};

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const byId = (id) => document.getElementById(id);

function buildPanel() {
  panel.append(
    make("h3", {}, "What if?"),
    make("p", { id: "total" }),
    make("p", { id: "verdict" }),
    make("p", { id: "message", role: "alert" }),
    make("div", { id: "selection" }),
    make("div", { id: "changes" }),
    make("ul", { id: "remarks" }),
    make(
      "div",
      { class: "tools" },
      make("button", { type: "button", id: "undo", title: "Ctrl+Z", onclick: undo }, "Undo"),
      make("button", { type: "button", id: "redo", title: "Ctrl+Y", onclick: redo }, "Redo"),
      make("button", { type: "button", id: "reset", onclick: reset }, "Reset"),
      make("button", { type: "button", id: "copy", onclick: copy }, "Copy JSON")
    ),
    make("textarea", { id: "graph-json", readonly: true, rows: 3, "aria-label": "The graph as JSON", hidden: true }),
    make("p", { id: "announcement", class: "unseen", "aria-live": "polite" })
  );
  panel.hidden = false;
}

function button(id, label, note, action) {
  const cost = note && make("span", { class: "cost" }, note);
  return make("button", { type: "button", id, onclick: action }, label, cost);
}

/** What a next step would add to the code, in words. */
function costOfStep(edges) {
  if (newCycle(edges, timeline.present)) return "closes a cycle";
  const [before, after] = [excessOf(timeline.present), excessOf(edges)];
  return before === null || after === null ? "not scored" : change(after - before);
}

/** Takes a step, unless it closes a cycle. */
function step(edges, deed) {
  const cycle = newCycle(edges, timeline.present);
  say(cycle ? `Refused: ${deed} would close the cycle ${cycle}.` : "");
  if (cycle) return;
  timeline.past.push(timeline.present);
  timeline.future = [];
  timeline.present = edges;
  select({}, `${deed}.`);
}

function say(text) {
  byId("message").textContent = text;
}

function travel(from, to, deed) {
  if (from.length === 0) return;
  to.push(timeline.present);
  timeline.present = from.pop();
  say("");
  select({}, deed);
}

const undo = () => travel(timeline.past, timeline.future, "Undone.");
const redo = () => travel(timeline.future, timeline.past, "Redone.");
const remove = (edge) => step(withoutEdge(timeline.present, edge), `Removing ${edgeName(edge)}`);
const turn = (edge) => step(withReversed(timeline.present, edge), `Reversing ${edgeName(edge)}`);
const add = (edge) => step(withEdge(timeline.present, edge), `Adding ${edgeName(edge)}`);

function reset() {
  if (isEdited()) step(bestEdges, "Going back to the best graph");
}

function showGraph(edges, deed) {
  step(edges, deed);
  byId("graph").scrollIntoView({ behavior: "instant", block: "start" });
}

async function copy() {
  const text = JSON.stringify(timeline.present.map((edge) => edge.map((node) => report.names[node])));
  const box = byId("graph-json");
  box.hidden = false;
  box.value = text;
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (!copied) box.select();
  announce(copied ? "Copied." : "Press Ctrl+C to copy.");
  byId("copy").textContent = copied ? "Copied" : "Press Ctrl+C";
}

/** Selects an edge, a variable or nothing, and shows everything anew. */
function select(next, deed = "") {
  const wasInPanel = panel.contains(document.activeElement);
  selection = next;
  drawGraph(timeline.present, selection);
  svg.classList.toggle("adding", Boolean(selection.adding));
  showExcess(deed);
  byId("selection").replaceChildren(...selectionParts());
  showChanges();
  showRemarks();
  byId("undo").disabled = timeline.past.length === 0;
  byId("redo").disabled = timeline.future.length === 0;
  byId("reset").disabled = !isEdited();
  byId("copy").textContent = "Copy JSON";
  byId("graph-json").hidden = true;
  if (wasInPanel) keepFocus();
}

/** The focus must not get lost when what had it is gone or disabled. */
function keepFocus() {
  const focused = document.activeElement;
  if (panel.contains(focused) && !focused.disabled) return;
  const next = selection.node === undefined ? panel.querySelector(".tools button:enabled") : byId(`node-${selection.node}`);
  next.focus();
}

function announce(text) {
  byId("announcement").textContent = text;
}

function showExcess(deed) {
  const excess = excessOf(timeline.present);
  const output = byId("total");
  panel.classList.toggle("edited", isEdited());
  output.toggleAttribute("data-unknown", excess === null);
  output.dataset.nats = excess === null ? "" : excess;
  const text = excess === null ? "not scored" : `${change(excess)} nats`;
  output.textContent = isEdited() ? text : "";
  byId("verdict").textContent = verdict(excess);
  const outcome = isEdited() ? `Excess over the best graph: ${text}.` : "This is the best graph.";
  if (deed) announce(`${deed} ${outcome}`);
}

function verdict(excess) {
  if (!isEdited()) return "This is the best graph. Change it to see what the data say against it.";
  if (excess === null) return "A family of this graph was not scored, so its code length is not known.";
  const total = `over the best graph; ${nats(report.codeLength + excess)} nats in all.`;
  if (excess >= 0) return total;
  if (brokenRules(timeline.present).length > 0) return `${total} It is shorter because it breaks a constraint.`;
  return `${total} It is shorter: ${report.proven ? "a tie, up to rounding." : "the search missed it."}`;
}

function selectionParts() {
  if (selection.adding) return addingParts();
  if (selection.edge) return edgeParts(selection.edge);
  if (selection.node !== undefined) return nodeParts(selection.node);
  const hints = [
    "Click an edge to remove or reverse it.",
    "Drag from one variable to another to draw an edge.",
    "By keyboard: Tab to an edge, then Delete or R; Tab to a variable, then A.",
  ];
  return [make("ul", { class: "hints" }, ...hints.map((hint) => make("li", {}, hint)))];
}

/** What the data say of an edge of the best graph. */
function evidenceOf(edge) {
  const known = bestEdge(edge);
  const facts = [
    known?.probability,
    known?.reversal != null && `the best graph that reverses it costs ${nats(known.reversal)} nats more`,
  ].filter(Boolean);
  return facts.length === 0 ? null : make("p", { class: "quiet" }, `${facts.join("; ")}.`);
}

function edgeParts(edge) {
  const title = make("div", {}, make("h4", {}, edgeName(edge)), evidenceOf(edge), shapeOf(edge));
  if (!hasEdge(timeline.present, edge)) {
    return [title, button("restore", "Put back", costOfStep(withEdge(timeline.present, edge)), () => add(edge))];
  }
  const removing = withoutEdge(timeline.present, edge);
  const turning = withReversed(timeline.present, edge);
  return [
    title,
    button("remove", "Remove", costOfStep(removing), () => remove(edge)),
    button("reverse", "Reverse", costOfStep(turning), () => turn(edge)),
  ];
}

function nodeParts(node) {
  const parents = parentsOf(timeline.present, node);
  const family = lengthOf(node, parents);
  const targets = variables.filter((other) => other !== node && !hasEdge(timeline.present, [node, other]));
  const option = (target) => {
    const cost = costOfStep(withEdge(timeline.present, [node, target]));
    return make("option", { value: target }, `${report.names[target]} (${cost})`);
  };
  const label = `Add an edge from ${report.names[node]} to`;
  const list = make("select", { id: "target", "aria-label": label }, ...targets.map(option));
  const length = family ? `${nats(family.length)} nats` : "not scored";
  return [
    make("h4", {}, report.names[node]),
    make("p", { class: "quiet" }, `${familyName(node, parents)}: ${length}`),
    ...(targets.length === 0 ? [] : [
      make("label", { for: "target" }, "Add an edge to"),
      make("div", { class: "row" }, list, button("add", "Add", null, () => add([node, Number(list.value)]))),
      button("choose", "Choose in the picture", "A", () => startAdding(node)),
    ]),
  ];
}

function startAdding(node) {
  select({ node, adding: true });
  announce(`Choose the variable that ${report.names[node]} points to.`);
}

function addingParts() {
  const text = "Click the variable it points to, or Tab to it and press Enter.";
  return [
    make("h4", {}, `${report.names[selection.node]} → …`),
    make("p", { class: "quiet" }, text),
    button("cancel", "Cancel", "Esc", () => select({ node: selection.node })),
  ];
}

function showChanges() {
  const changed = changedFamilies(timeline.present);
  const withSpread = (known) => (known && known.spread ? ` ± ${nats(known.spread)}` : "");
  const lengthText = (known) => (known ? ` ${nats(known.length)}${withSpread(known)}` : "");
  const family = (child, parents, known) =>
    make("span", { class: "family" }, familyName(child, parents), make("span", { class: "quiet" }, lengthText(known)));
  const row = ({ child, before, after, old, now, change: cost }) =>
    make(
      "tr",
      { "data-child": child },
      make("td", {}, make("s", {}, family(child, before, old)), family(child, after, now)),
      make("td", { class: "number", "data-nats": cost ?? "" }, cost === null ? "not scored" : change(cost))
    );
  const head = make("tr", {}, make("th", { scope: "col" }, "family"), make("th", { scope: "col", class: "number" }, "change, nats"));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...changed.map(row)));
  byId("changes").replaceChildren(...(changed.length === 0 ? [] : [table]));
}

function showRemarks() {
  const unscored = changedFamilies(timeline.present).filter(({ now }) => !now);
  const why = report.familiesLeftOut > 0 ? "not scored, or not in this page" : "not scored";
  const remarks = unscored.map(({ child, after }) => `${why}: ${familyName(child, after)}`);
  const rules = isEdited() ? brokenRules(timeline.present).map((rule) => `breaks a constraint: ${rule}`) : [];
  byId("remarks").replaceChildren(...[...remarks, ...rules].map((remark) => make("li", {}, remark)));
}
