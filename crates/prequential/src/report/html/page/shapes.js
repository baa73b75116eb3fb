// Shapes of edges where the reader looks: beside the pointer, and in the panel.

const peek = make("div", { id: "peek", hidden: true, "aria-hidden": "true" });

/** A copy of an edge's chart; null if it has none. */
function shapeOf([from, to]) {
  const copy = byId(`shape-${from}-${to}`)?.cloneNode(true) ?? null;
  copy?.removeAttribute("id");
  return copy;
}

/** Near the pointer, but inside the window. */
function placePeek(event) {
  const { offsetWidth: width, offsetHeight: height } = peek;
  const x = Math.min(event.clientX + 16, window.innerWidth - width - 8);
  const below = event.clientY + 16;
  const y = below + height < window.innerHeight ? below : event.clientY - height - 12;
  peek.style.left = `${Math.max(8, x)}px`;
  peek.style.top = `${Math.max(8, y)}px`;
}

function listenToEdges() {
  document.body.append(peek);
  // Without the panel, the edges are those that came with the page.
  if (!report.families) {
    layer.querySelectorAll(".edge").forEach((group, i) => (group.edge = [report.best[i].from, report.best[i].to]));
  }
  const show = (event) => {
    const edge = event.target.closest(".edge")?.edge;
    const shape = edge && shapeOf(edge);
    peek.hidden = !shape;
    if (!shape) return;
    peek.replaceChildren(shape);
    placePeek(event);
  };
  layer.addEventListener("pointerover", (event) => event.pointerType === "mouse" && show(event));
  layer.addEventListener("pointermove", (event) => peek.hidden || placePeek(event));
  layer.addEventListener("pointerout", () => (peek.hidden = true));
  if (!report.families) layer.addEventListener("click", show);
}

function addCopyButton() {
  const command = byId("command");
  if (!command) return;
  const button = make("button", { type: "button", class: "small" }, "Copy");
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard?.writeText(command.textContent).then(() => true, () => false);
    if (!copied) window.getSelection().selectAllChildren(command);
    button.textContent = copied ? "Copied" : "Press Ctrl+C";
  });
  command.before(button);
}
