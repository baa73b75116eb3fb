// Brings the page to life.

function onPicked(target) {
  const group = target.closest(".edge, .node");
  if (!group || !layer.contains(group)) return;
  if (group.edge) select({ edge: group.edge });
  else if (selection.adding && group.node !== selection.node) add([selection.node, group.node]);
  else select({ node: group.node });
}

function onKey(event) {
  const group = event.target.closest(".edge, .node");
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  const isPresent = group.edge && group.kind !== "removed";
  if (key === "enter" || key === " ") onPicked(group);
  else if (isPresent && (key === "delete" || key === "backspace")) remove(group.edge);
  else if (isPresent && key === "r") turn(group.edge);
  else if (key === "a" && group.node !== undefined) startAdding(group.node);
  else return;
  event.preventDefault();
}

function onShortcut(event) {
  const key = event.key.toLowerCase();
  const isTyping = event.target.closest?.("input, textarea, select");
  if (key === "escape") {
    say("");
    select(selection.adding ? { node: selection.node } : {});
  } else if ((event.ctrlKey || event.metaKey) && !isTyping && (key === "z" || key === "y")) {
    if (key === "y" || event.shiftKey) redo();
    else undo();
    event.preventDefault();
  }
}

/** Every runner-up can be looked at in the picture. */
function addRankingButtons() {
  for (const row of document.querySelectorAll("#ranking tr[data-rank]")) {
    const edges = report.ranking[Number(row.dataset.rank)];
    const name = `Showing graph no. ${Number(row.dataset.rank) + 1}`;
    const show = make("button", { type: "button", class: "small", "aria-label": name, onclick: () => showGraph(edges, name) }, "Show");
    row.append(make("td", { class: "show" }, show));
  }
  document.querySelector("#ranking thead tr")?.append(make("th", { class: "show", "aria-label": "Show in the picture" }));
}

/** On narrow screens every cell stands under its row's name, and says itself what it is. */
function labelCells() {
  for (const table of document.querySelectorAll("#evidence table, #data table")) {
    const labels = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
    for (const row of table.querySelectorAll("tbody tr")) [...row.cells].forEach((cell, i) => (cell.dataset.label = labels[i]));
    table.classList.add("labelled");
  }
}

function addThemeButton() {
  const root = document.documentElement;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => (isDark() ? "Light theme" : "Dark theme");
  const toggle = make("button", { type: "button", id: "theme", class: "small" }, label());
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    toggle.textContent = label();
  });
  byId("top").prepend(toggle);
}

addThemeButton();
addCopyButton();
labelCells();
listenToEdges();
window.addEventListener("beforeprint", () => (byId("experts").open = true));
if (report.families) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "The graph; its edges and variables can be selected");
  svg.classList.add("live");
  svg.querySelector(":scope > title")?.remove();
  layer.addEventListener("click", (event) => onPicked(event.target));
  layer.addEventListener("keydown", onKey);
  document.addEventListener("keydown", onShortcut);
  listenToDrags(add);
  buildPanel();
  addRankingButtons();
  select({});
}
