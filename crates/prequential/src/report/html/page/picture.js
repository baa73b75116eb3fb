// The picture of the graph that the reader changes. It reports what is pointed at; it decides nothing.

const svg = document.querySelector(".prequential-graph");
const layer = svg.querySelector(".picture");

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(svg.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const bestEdge = (edge) => report.best.find(({ from, to }) => sameEdge([from, to], edge));
/** An edge that is turned round stays as thick as it was. */
const lineWidth = (edge) => (bestEdge(edge) || bestEdge(reversed(edge)))?.width ?? 1.6;

/** Signs in a small circle: what was done to an edge must not be told by colour alone. */
const SIGNS = { added: "M-3.5 0H3.5M0 -3.5V3.5", removed: "M-3 -3L3 3M-3 3L3 -3", turned: "M-4 -2H3L1 -4M4 2H-3L-1 4" };
const DEEDS = { added: "added", removed: "removed", turned: "reversed", kept: "" };

function drawSign(path, kind) {
  const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
  const circle = draw("circle", { r: 8 });
  return draw("g", { class: "sign", transform: `translate(${x} ${y})` }, circle, draw("path", { d: SIGNS[kind] }));
}

/** The same for an edge in both directions, so that the focus survives a reversal. */
const edgeId = ([a, b]) => `edge-${Math.min(a, b)}-${Math.max(a, b)}`;

function drawEdge(edge, curve, kind, isSelected) {
  const { shaft, head } = arrowOf(curve, lineWidth(edge));
  const isOpen = bestEdge(edge)?.isOpen && kind === "kept";
  const d = pathOf(isOpen ? curve : shaft);
  const title = draw("title", {});
  title.textContent = [edgeName(edge), DEEDS[kind]].filter(Boolean).join(", ");
  const line = draw("path", { class: "line", d, "stroke-width": kind === "removed" ? 1.4 : lineWidth(edge) });
  const classes = ["edge", kind, isSelected && "selected", isOpen && "reversible"];
  const group = draw(
    "g",
    {
      class: classes.filter(Boolean).join(" "), id: edgeId(edge), tabindex: 0, role: "button",
      "aria-label": `Edge ${title.textContent}`, "aria-pressed": isSelected,
    },
    title, draw("path", { class: "hit", d }), line, draw("path", { class: "head", d: outlineOf(head) })
  );
  layer.append(group);
  if (kind !== "kept") group.append(drawSign(line, kind));
  group.edge = edge;
  group.kind = kind;
}

function drawNode(node, isSelected) {
  const [x, y, width, height] = report.boxes[node];
  const title = draw("title", {});
  title.textContent = report.names[node];
  const label = draw("text", { x, y: y + 4.5 });
  label.textContent = report.labels[node];
  const frame = draw("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 7 });
  const group = draw(
    "g",
    {
      class: isSelected ? "node selected" : "node", id: `node-${node}`, tabindex: 0, role: "button",
      "aria-label": `Variable ${report.names[node]}`, "aria-pressed": isSelected,
    },
    title, frame, label
  );
  group.node = node;
  layer.append(group);
}

const kindOf = (edge) => (hasEdge(bestEdges, edge) ? "kept" : hasEdge(bestEdges, reversed(edge)) ? "turned" : "added");

/** Draws a graph, what was taken from the best one as a dotted trace; keeps the focus where it was. */
function drawGraph(edges, selection) {
  const focused = layer.contains(document.activeElement) ? document.activeElement.id : null;
  layer.replaceChildren();
  const gone = bestEdges.filter((edge) => !hasEdge(edges, edge) && !hasEdge(edges, reversed(edge)));
  const all = [...edges, ...gone];
  const curves = curvesOf(all);
  const isSelected = (edge) => Boolean(selection.edge) && sameEdge(selection.edge, edge);
  all.forEach((edge, i) => drawEdge(edge, curves[i], i < edges.length ? kindOf(edge) : "removed", isSelected(edge)));
  variables.forEach((node) => drawNode(node, selection.node === node));
  if (focused) (document.getElementById(focused) || layer.querySelector(".node")).focus();
}

/** A place on the screen in the picture's own units. */
function toPicture(event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
  return [x, y];
}

const nodeUnder = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".node")?.node;

/** A drag from one box to another draws an edge; a press without moving is a click. */
function listenToDrags(onDrawn) {
  let drag = null;
  layer.addEventListener("pointerdown", (event) => {
    const group = event.target.closest(".node");
    if (group && event.button === 0) drag = { from: group.node, start: [event.clientX, event.clientY], line: null };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const hasMoved = distance(drag.start, [event.clientX, event.clientY]) > 6;
    if (!drag.line && hasMoved) {
      drag.line = draw("path", { class: "drawn" });
      layer.append(drag.line);
    }
    if (drag.line) {
      const [to, from] = [toPicture(event), report.boxes[drag.from]];
      drag.line.setAttribute("d", `M${borderPoint(from, to).join(" ")}L${to.join(" ")}`);
    }
  });
  const end = (event) => {
    const [{ line, from } = {}, to] = [drag || {}, nodeUnder(event)];
    drag = null;
    line?.remove();
    if (line && event.type === "pointerup" && to !== undefined && to !== from) onDrawn([from, to]);
  };
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
