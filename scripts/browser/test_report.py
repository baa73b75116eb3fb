"""The report in a real browser: what it shows when it is changed is what `prequential score` says; and it stays harmless."""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from webdriver import Browser

TOP = pathlib.Path(__file__).resolve().parents[2]
STAR5 = ["data/star5.csv", "--estimator", "fourier", "--max-parents", "2"]
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a & b </title>"]
SHARED = {}


def prequential(*arguments):
    command = [os.environ["PREQUENTIAL"], *arguments]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr}")
    return done.stdout


def hostile_table():
    """Three columns with evil names: the second copies the first but for every fifth row, the third copies the second likewise."""
    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    lines = [",".join(map(quote, HOSTILE))]
    for row in range(400):
        first = (row * 7 // 3) % 2
        second = first ^ (row % 5 == 0)
        lines.append(f"x{first},y{second},z{second ^ (row % 7 == 0)}")
    return "\n".join(lines) + "\n"


def setUpModule():
    directory = tempfile.TemporaryDirectory(prefix="prequential-report-")
    unittest.addModuleCleanup(directory.cleanup)
    path = pathlib.Path(directory.name)
    (path / "hostile.csv").write_text(hostile_table())
    prequential("learn", *STAR5, "--out", str(path / "star5"), "--quiet")
    prequential("learn", *STAR5, "--forbid", "D->E", "--out", str(path / "forbid"), "--quiet")
    prequential("learn", "data/asia.csv", "--out", str(path / "asia"), "--quiet")
    prequential("learn", str(path / "hostile.csv"), "--out", str(path / "hostile"), "--quiet")
    browser = Browser(os.environ["CHROMIUM"], os.environ["CHROMEDRIVER"])
    unittest.addModuleCleanup(browser.close)
    SHARED.update(path=path, browser=browser)


class ReportTest(unittest.TestCase):
    """A page that is opened anew for every test."""

    report = "star5"

    def setUp(self):
        self.path, self.browser = SHARED["path"], SHARED["browser"]
        self.browser.log("browser"), self.browser.log("performance")
        self.browser.open((self.path / self.report / "report.html").as_uri())
        self.result = json.loads((self.path / self.report / "result.json").read_text())

    def tearDown(self):
        # A console entry is an error, a warning, or a violation of the page's policy: there should be none.
        self.assertEqual(self.browser.log("browser"), [])

    def node(self, name):
        names = [variable["name"] for variable in self.result["data"]["variables"]]
        return names.index(name)

    def edge_id(self, a, b):
        first, second = sorted((self.node(a), self.node(b)))
        return f"#edge-{first}-{second}"

    def select_edge(self, a, b):
        # An edge is thin and curved: its middle on the screen may be beside it.
        script = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        self.browser.run(script, self.edge_id(a, b))

    def add_edge(self, a, b):
        self.browser.click(f"#node-{self.node(a)}")
        self.browser.run("document.getElementById('target').value = arguments[0]", str(self.node(b)))
        self.browser.click("#add")

    def shown_excess(self):
        shown = self.browser.run("return document.getElementById('total').dataset.nats")
        return None if shown == "" else float(shown)

    def shown_edges(self):
        """The edges in the picture, read from what a reader of screens hears."""
        script = "return [...document.querySelectorAll('.picture .edge:not(.removed)')].map((group) => group.edge)"
        names = [variable["name"] for variable in self.result["data"]["variables"]]
        return sorted([names[a], names[b]] for a, b in self.browser.run(script))

    def best_edges(self):
        return sorted([edge["from"], edge["to"]] for edge in self.result["dag"]["edges"])

    def scored(self, edges):
        """What `prequential score` says of a graph."""
        graph = self.path / "edited.json"
        graph.write_text(json.dumps(edges))
        return json.loads(prequential("score", *STAR5, "--graph", str(graph), "--format", "json", "--quiet"))

    def check_against_score(self, edges):
        self.assertEqual(self.shown_edges(), sorted(edges))
        total = self.scored(edges)["code_length_nats"]
        self.assertAlmostEqual(self.result["dag"]["code_length_nats"] + self.shown_excess(), total, delta=1e-6)


class WhatIf(ReportTest):
    def test_the_page_shows_the_best_graph_and_fetches_nothing(self):
        self.assertEqual(self.best_edges(), [["A", "C"], ["B", "C"], ["C", "D"], ["C", "E"]])
        self.assertEqual(self.shown_edges(), self.best_edges())
        events = [json.loads(entry["message"])["message"] for entry in self.browser.log("performance")]
        sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        self.assertEqual(sent, [(self.path / "star5" / "report.html").as_uri()])

    def test_removing_an_edge_costs_what_score_says(self):
        self.select_edge("A", "C")
        self.browser.click("#remove")
        self.check_against_score([["B", "C"], ["C", "D"], ["C", "E"]])
        self.assertAlmostEqual(self.shown_excess(), self.result["dag"]["edges"][0]["removal_nats"], delta=1e-6)

    def test_reversing_an_edge_costs_what_score_says(self):
        self.select_edge("C", "D")
        self.browser.click("#reverse")
        # `C | A, B, D` has three parents.
        self.assertIsNone(self.shown_excess())
        self.browser.click("#undo")
        self.select_edge("A", "C")
        self.browser.click("#reverse")
        self.check_against_score([["C", "A"], ["B", "C"], ["C", "D"], ["C", "E"]])

    def test_adding_an_edge_costs_what_score_says(self):
        self.add_edge("A", "D")
        self.check_against_score([*self.best_edges(), ["A", "D"]])

    def test_several_changes_cost_what_score_says_family_by_family(self):
        self.add_edge("E", "D")
        self.select_edge("B", "C")
        self.browser.click("#remove")
        edges = [["A", "C"], ["C", "D"], ["C", "E"], ["E", "D"]]
        self.check_against_score(edges)
        after = {family["child"]: family["code_length_nats"] for family in self.scored(edges)["families"]}
        before = {family["child"]: family["code_length_nats"] for family in self.scored(self.best_edges())["families"]}
        script = "return [...document.querySelectorAll('#changes tr[data-child]')].map((row) => [Number(row.dataset.child), Number(row.lastChild.dataset.nats)])"
        shown = dict(self.browser.run(script))
        self.assertEqual(set(shown), {self.node("C"), self.node("D")})
        for name in ("C", "D"):
            self.assertAlmostEqual(shown[self.node(name)], after[name] - before[name], delta=1e-6)

    def test_a_drag_from_box_to_box_draws_an_edge(self):
        # The words come first, and a pointer reaches only what is on the screen.
        self.browser.run("document.querySelector('#graph svg').scrollIntoView({ block: 'center', behavior: 'instant' })")
        places = [self.middle(name) for name in "AD"]
        halfway = [sum(pair) / 2 for pair in zip(*places, strict=True)]
        self.browser.move_and_press(places[0], halfway, places[1])
        self.check_against_score([*self.best_edges(), ["A", "D"]])

    def middle(self, name):
        script = "const box = document.querySelector(arguments[0] + ' rect').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        return self.browser.run(script, f"#node-{self.node(name)}")

    def test_a_cycle_is_refused_and_named(self):
        self.add_edge("D", "A")
        self.assertEqual(self.browser.text("#message"), "Refused: Adding D → A would close the cycle D → A → C → D.")
        self.assertEqual(self.shown_edges(), self.best_edges())
        self.assertEqual(self.shown_excess(), 0.0)

    def test_a_family_that_was_not_scored_says_so(self):
        self.add_edge("A", "D")
        self.add_edge("B", "D")
        self.assertIsNone(self.shown_excess())
        self.assertEqual(self.browser.text("#total"), "not scored")
        remarks = self.browser.text("#remarks").split("\n")
        self.assertEqual(remarks, ["not scored: D | A, B, C", "breaks a constraint: D has 3 parents, above the limit of 2"])

    def test_undo_redo_and_reset(self):
        self.add_edge("A", "D")
        added = self.shown_excess()
        self.select_edge("C", "E")
        self.browser.click("#remove")
        both = self.shown_excess()
        self.browser.click("#undo")
        self.assertEqual(self.shown_excess(), added)
        self.browser.click("#redo")
        self.assertEqual(self.shown_excess(), both)
        self.browser.click("#reset")
        self.assertEqual((self.shown_edges(), self.shown_excess()), (self.best_edges(), 0.0))
        self.browser.click("#undo")
        self.assertEqual(self.shown_excess(), both)
        self.browser.click("#undo")
        self.browser.click("#undo")
        self.assertEqual((self.shown_edges(), self.shown_excess()), (self.best_edges(), 0.0))

    def test_the_copied_graph_is_one_that_score_reads(self):
        self.add_edge("A", "D")
        self.browser.click("#copy")
        copied = json.loads(self.browser.run("return document.getElementById('graph-json').value"))
        self.check_against_score(copied)

    def test_a_runner_up_is_shown_with_its_excess(self):
        self.browser.click("#ranking tr[data-rank='2'] button")
        ranked = self.result["ranking"][2]
        self.assertEqual(self.shown_edges(), sorted(ranked["edges"]))
        self.assertAlmostEqual(self.shown_excess(), ranked["excess_nats"], delta=1e-6)

    def test_everything_can_be_done_by_keyboard(self):
        self.tab_to("#" + f"node-{self.node('A')}")
        self.browser.press("a")
        self.tab_to("#" + f"node-{self.node('D')}")
        self.browser.press("Enter")
        self.assertEqual(self.shown_edges(), sorted([*self.best_edges(), ["A", "D"]]))
        self.tab_to(self.edge_id("A", "D"))
        self.browser.press("Delete")
        self.assertEqual(self.shown_edges(), self.best_edges())
        self.tab_to(self.edge_id("A", "C"))
        self.browser.press("r")
        self.assertEqual(self.focused(), self.edge_id("A", "C"))
        self.check_against_score([["C", "A"], ["B", "C"], ["C", "D"], ["C", "E"]])
        self.browser.press("z", held="Control")
        self.assertEqual(self.shown_edges(), self.best_edges())
        self.assertEqual(self.browser.run("return document.getElementById('announcement').textContent"), "Undone. This is the best graph.")
        self.browser.press("Enter")
        self.tab_to("#remove")
        self.browser.press("Enter")
        self.assertEqual((len(self.shown_edges()), self.focused()), (3, "#undo"))
        # Two more steps lie before this one; when all are undone, the button is of no use and hands on the focus.
        for n_edges, focused in [(4, "#undo"), (5, "#undo"), (4, "#redo")]:
            self.browser.press("Enter")
            self.assertEqual((len(self.shown_edges()), self.focused()), (n_edges, focused))

    def focused(self):
        return "#" + self.browser.run("return document.activeElement.id")

    def tab_to(self, target):
        for _ in range(60):
            if self.focused() == target:
                return
            self.browser.press("Tab")
        self.fail(f"no way to {target} by Tab")


class Looks(ReportTest):
    def background(self):
        return self.browser.run("return getComputedStyle(document.body).backgroundColor")

    def emulate(self, scheme, media=""):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.devtools("Emulation.setEmulatedMedia", media=media, features=features)

    def tearDown(self):
        self.browser.devtools("Emulation.setEmulatedMedia", media="", features=[])
        self.browser.devtools("Emulation.clearDeviceMetricsOverride")
        super().tearDown()

    def test_the_scheme_is_the_readers_and_paper_is_white(self):
        self.emulate("light")
        self.assertEqual(self.background(), "rgb(255, 255, 255)")
        self.emulate("dark")
        self.assertEqual(self.background(), "rgb(20, 24, 29)")
        self.emulate("dark", media="print")
        self.assertEqual(self.background(), "rgb(255, 255, 255)")

    def test_the_button_switches_the_scheme(self):
        self.emulate("light")
        self.browser.click("#theme")
        self.assertEqual(self.background(), "rgb(20, 24, 29)")
        self.browser.click("#theme")
        self.assertEqual(self.background(), "rgb(255, 255, 255)")

    def test_all_text_stands_out_from_its_background(self):
        self.add_edge("A", "D")
        self.add_edge("B", "D")
        self.browser.click(f"#node-{self.node('A')}")
        for scheme in ("light", "dark"):
            self.emulate(scheme)
            weak = self.browser.run(CONTRAST)
            self.assertEqual(weak, [], scheme)

    def test_a_narrow_screen_needs_no_sideways_scrolling(self):
        self.browser.devtools("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
        self.add_edge("A", "D")
        self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), 360)
        # The evidence is not hidden to the right either.
        hidden = "const box = document.querySelector('#evidence .scroll'); return box.scrollWidth - box.clientWidth"
        self.assertEqual(self.browser.run(hidden), 0)

    def test_what_is_for_experts_is_folded_away_but_on_paper(self):
        is_open = "return document.getElementById('experts').open"
        self.assertFalse(self.browser.run(is_open))
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertTrue(self.browser.run(is_open))

    def test_the_command_of_the_run_can_be_read_and_copied(self):
        text = self.browser.run("return document.getElementById('command').textContent")
        self.assertTrue(text.startswith("prequential learn data/star5.csv --estimator fourier"), text)
        self.assertEqual(self.browser.run("return document.querySelectorAll('.command button').length"), 1)


# Texts whose contrast is below that of WCAG AA; what is disabled is exempt.
CONTRAST = """
const channels = (color) => color.match(/[\\d.]+/g).map(Number);
const luminance = (color) => {
  const [r, g, b] = channels(color).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const backdrop = (element) => {
  const color = getComputedStyle(element).backgroundColor;
  return channels(color)[3] === 0 ? backdrop(element.parentElement) : color;
};
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const texts = [...document.querySelectorAll("body *")].filter((element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) &&
  !["SCRIPT", "title", "desc", "STYLE"].includes(element.tagName) && !element.closest(":disabled") && element.getClientRects().length);
return texts.map((element) => {
  const style = getComputedStyle(element);
  const color = element.tagName === "text" ? style.fill : style.color;
  const box = element.closest(".node")?.querySelector("rect");
  const behind = box ? getComputedStyle(box).fill : backdrop(element);
  return [element.textContent.slice(0, 40), ratio(luminance(color), luminance(behind))];
}).filter(([, contrast]) => contrast < 4.5);
"""


class Picture(ReportTest):
    """A picture with longer names."""

    report = "asia"

    def rectangles(self, selector):
        script = """return [...document.querySelectorAll(arguments[0])].map((shape) => shape.getBoundingClientRect())
            .map(({left, right, top, bottom}) => [left, right, top, bottom])"""
        return self.browser.run(script, selector)

    def test_no_boxes_overlap(self):
        boxes = self.rectangles(".picture rect")
        self.assertEqual(len(boxes), 8)
        for a, b in itertools.combinations(boxes, 2):
            self.assertTrue(a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2], (a, b))

    def test_names_fit_into_their_boxes(self):
        for box, text in zip(self.rectangles(".picture rect"), self.rectangles(".picture text"), strict=True):
            self.assertTrue(box[0] < text[0] and text[1] < box[1] and box[2] < text[2] and text[3] < box[3], (box, text))

    def test_a_new_edge_runs_through_no_other_box(self):
        self.add_edge("asia", "dysp")
        self.assertIn(["asia", "dysp"], self.shown_edges())
        script = """const line = document.querySelector(".added .line"), places = [];
            for (let share = 0; share <= 1; share += 0.01) places.push(line.getPointAtLength(share * line.getTotalLength()));
            const boxes = [...document.querySelectorAll(".picture .node")].filter((group) => !arguments[0].includes(group.node));
            return boxes.map((group) => group.querySelector("rect").getBBox()).flatMap(({x, y, width, height}) =>
                places.filter((at) => x < at.x && at.x < x + width && y < at.y && at.y < y + height)).length"""
        self.assertEqual(self.browser.run(script, [self.node("asia"), self.node("dysp")]), 0)


class Shapes(ReportTest):
    def charts(self, inside):
        return self.browser.run("return document.querySelectorAll(arguments[0] + ' .shape-chart').length", inside)

    def test_every_edge_has_a_chart(self):
        self.assertEqual(self.charts("#shapes"), len(self.best_edges()))
        drawn = "return [...document.querySelectorAll('.shape-chart')].every((chart) => chart.querySelector('.curve, .bar'))"
        self.assertTrue(self.browser.run(drawn))

    def test_an_edge_shows_its_shape_when_it_is_tapped(self):
        self.assertEqual(self.charts("#selection"), 0)
        self.select_edge("A", "C")
        self.assertEqual(self.charts("#selection"), 1)

    def test_an_edge_shows_its_shape_under_the_pointer(self):
        script = """
        const options = { bubbles: true, pointerType: "mouse", clientX: 100, clientY: 100 };
        document.querySelector(arguments[0]).dispatchEvent(new PointerEvent(arguments[1], options));
        return !document.getElementById("peek").hidden;
        """
        self.assertTrue(self.browser.run(script, self.edge_id("A", "C"), "pointerover"))
        self.assertEqual(self.charts("#peek"), 1)
        self.assertFalse(self.browser.run(script, self.edge_id("A", "C"), "pointerout"))


class Knowledge(ReportTest):
    report = "forbid"

    def test_a_broken_constraint_is_pointed_out(self):
        self.add_edge("D", "E")
        self.assertIn("breaks a constraint: D → E is forbidden", self.browser.text("#remarks"))


class HostileNames(ReportTest):
    report = "hostile"

    def test_names_stay_text(self):
        self.assertEqual(len(self.result["dag"]["edges"]), 2)
        for _ in range(2):
            # With everything open that shows names; an alert would make the next command fail.
            self.browser.click("#node-0")
            self.browser.click("#copy")
            places = ["script", "img", "head title, .picture title"]
            counted = self.browser.run("return arguments[0].map((place) => document.querySelectorAll(place).length)", places)
            names = self.browser.run("return [...document.querySelectorAll('.picture .node title')].map((title) => title.textContent)")
            self.assertEqual(names, HOSTILE)
            # A title for the page, and one for every box and every edge of the picture, removed or not.
            self.assertEqual(counted, [2, 0, 1 + len(HOSTILE) + 2])
            self.browser.run("document.querySelector('.picture .edge').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
            self.browser.click("#remove")

    def test_the_pictures_and_graph_files_keep_them_as_text(self):
        self.browser.open((self.path / "hostile" / "graph.svg").as_uri())
        names = self.browser.run("return [...document.querySelectorAll('.node title')].map((title) => title.textContent)")
        self.assertEqual(names, HOSTILE)
        self.assertEqual(self.browser.run("return document.querySelectorAll('script, img').length"), 0)
        files = [str(self.path / "hostile" / name) for name in ("graph.dot", "result.json")]
        self.assertTrue(json.loads(prequential("compare", *files, "--format", "json"))["exact"])
