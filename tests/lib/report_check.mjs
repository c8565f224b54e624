// report_check.mjs REPORT SUMS [compare|lacking|pictures|history|energy|reference]: what a reader
// does, in headless Chromium. SUMS: JSON of what run.sqlite says. compare: a report of two runs;
// lacking: of a record without columns and capture; pictures: of one with its capture; history: of
// one with --history; energy: of one with energies. Prints what fails, and times; status 1 if
// anything failed.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { open, show } from "./report_browser.mjs";

const [file, sums_file, what] = process.argv.slice(2);
const sums = JSON.parse(readFileSync(sums_file, "utf8"));
let failed = 0;

function expect(what, got, wanted) {
   if (JSON.stringify(got) !== JSON.stringify(wanted)) {
      console.log("FAILED: " + what + ": " + JSON.stringify(got) + ", not " +
         JSON.stringify(wanted));
      failed++;
   }
}

const text_of = (page, selector) => page.$eval(selector, (e) => e.textContent);
const column = (page, field) => page.evaluate((f) => document.querySelector(".grid-box").table
   .getData("active").map((r) => r[f]), field);
const sorted = (values, sign) => values.every((v, i) => !i || sign * (v - values[i - 1]) >= 0);
const head = (field) => '.tabulator-col[tabulator-field="' + field + '"]';

// The rows of the table of draws that was left, in their order.
async function ids_of(page) {
   await show(page, "draws");
   return column(page, "work");
}

async function totals(page) {
   const got = await page.evaluate(async () => {
      const { run } = window.attila;
      await run.load();
      await run.load_states();
      const states = run.work.flatMap((w) => run.state(w) || []);
      const sum = (list, value) => list.reduce((n, x) => n + value(x), 0);
      const moved = (kind, list) => sum(list, (x) => sum(run.clients(kind, x.index),
         (c) => c.read + c.written));
      const written = (kind, list) => Math.round(sum(list, (x) =>
         sum(run.overdraw(kind, x.index), (o) => o.written)));
      const counted = {};
      for (const w of run.work)
         for (const [c, value] of run.counts("work", w.index))
            counted[c.name] = (counted[c.name] || 0) + value;
      return { frames: run.frames.length, work: run.work.length,
         state_items: states.filter((i) => i.value !== null).length,
         steady: run.steady().map((f) => [f.frame, f.cycles]),
         state_changes: states.filter((i) => i.changed).length,
         pictures: Object.keys(run.pictures.of).length,
         draws: run.work.filter((w) => w.kind === "draw").length,
         cycles: run.total("cycles"), exclusive: sum(run.work, (w) => w.exclusive_cycles),
         work_written: written("work", run.work), frame_written: written("frame", run.frames),
         colour_fragments: sum(run.work.map((w) => run.fragments("work", w.index) || {}),
            (f) => (f.colour_input || 0) - (f.colour_uncovered || 0)),
         frame_bytes: moved("frame", run.frames), work_bytes: moved("work", run.work),
         busy: sum(run.frames, (f) => sum(run.units("frame", f.index), (u) => u.busy)), counted };
   });
   for (const name of Object.keys(sums).filter((n) => n !== "counted"))
      expect("sum of " + name, got[name], sums[name]);
   for (const name of new Set([...Object.keys(sums.counted), ...Object.keys(got.counted)]))
      expect("sum of " + name, got.counted[name], sums.counted[name]);
   expect("the summary speaks of steady frames", (await text_of(page, "main")).includes(
      sums.steady.length + " of the frames spent at most 5 %"),
   sums.steady.length > 0 && sums.steady.length < sums.frames);
   const cycles = sums.cycles.toLocaleString("en");
   if (!(await text_of(page, "main")).includes(cycles)) {
      console.log("FAILED: the summary does not say " + cycles);
      failed++;
   }
}

async function pages(page) {
   for (const name of ["summary", "draws", "timeline", "memory", "programs", "machine",
      "glossary", "tree"]) {
      await show(page, name);
      expect("tab of " + name, await text_of(page, '[aria-current="page"]'),
         name[0].toUpperCase() + name.slice(1));
      if ((await text_of(page, "main")).match(/undefined|NaN|\[object/)) {
         console.log("FAILED: page " + name + " shows what is no text");
         failed++;
      }
   }
   await show(page, "program/1");
   expect("code of a program", (await text_of(page, "main")).includes("END"), true);
   await show(page, "glossary");
   expect("counters in the glossary", (await column(page, "name")).length,
      await page.evaluate(() => window.attila.run.counters.length));
}

async function draws(page) {
   await show(page, "draws");
   expect("sorted at first", sorted(await column(page, "exclusive_cycles"), -1), true);
   await page.click(head("cycles") + " .tabulator-col-title");
   expect("sorted by a click", sorted(await column(page, "cycles"), -1), true);
   await page.click(head("cycles") + " .tabulator-col-title");
   expect("and the other way", sorted(await column(page, "cycles"), 1), true);
   await page.focus(head("bytes"));
   await page.keyboard.press("Enter");
   expect("sorted by Enter", sorted(await column(page, "bytes"), -1), true);
   await page.keyboard.press("Enter");
   expect("and the other way", sorted(await column(page, "bytes"), 1), true);
   await page.select(head("kind") + " select", "draw");
   await page.waitForFunction((n) => document.querySelector(".grid-box").table
      .getDataCount("active") === n, {}, sums.draws).catch(() => {});
   expect("rows of draws", (await column(page, "kind")).length, sums.draws);
   // The first row by keyboard: its page, the next one, and back.
   const first = (await column(page, "work"))[0];
   await page.waitForSelector(".tabulator-selected");
   await page.focus(".grid");
   await page.keyboard.press("Enter");
   await page.waitForSelector('main[data-page="work"]');
   expect("page opened by Enter", await page.evaluate(() => location.hash), "#work/" + first);
   await page.keyboard.press("]");
   await page.waitForFunction((h) => location.hash !== h, {}, "#work/" + first);
   await page.keyboard.press("Escape");
   await page.waitForSelector('main[data-page="draws"]');
   expect("rows of draws after coming back", (await column(page, "kind")).length, sums.draws);
   await page.keyboard.press("ArrowDown");
   await page.keyboard.press("Enter");
   await page.waitForSelector('main[data-page="work"]', { timeout: 2000 }).catch(() => {});
   const second = (await page.evaluate(() => location.hash)).slice(6);
   expect("the next row after coming back", second, String((await ids_of(page))[1]));
}

// The tutorial's way: a digit, Enter; ? says what keys there are.
async function keys(page) {
   await show(page, "summary");
   await page.keyboard.press("2");
   await page.waitForSelector('main[data-page="draws"] .grid-box[data-ready] .tabulator-selected');
   const first = (await column(page, "work"))[0];
   await page.keyboard.press("Enter");
   await page.waitForSelector('main[data-page="work"]');
   expect("opened by 2 and Enter", await page.evaluate(() => location.hash), "#work/" + first);
   await page.keyboard.press("?");
   expect("keys are said", await page.$eval("dialog", (d) => d.open &&
      /2page Draws[^]*Escape/.test(d.textContent)), true);
   await page.keyboard.press("Escape");
   expect("and no longer", await page.$eval("dialog", (d) => d.open), false);
   await page.keyboard.press("t");
   await page.waitForSelector('main[data-page="tree"]');
}

const roots = (page) => page.evaluate(() => {
   const leaves = (r) => (r._children ? r._children.flatMap(leaves) : [r]);
   return document.querySelector(".grid-box").table.getData().map((r) => ({ ...r,
      _children: null, leaves: leaves(r).length, parts: r._children.reduce((n, c) =>
         n + c.cycles, 0) }));
});

// Whatever the groups, the tree adds up to the record.
async function tree(page) {
   await show(page, "tree");
   for (const by of ["debug group", "program", "target", "kind", "frame"]) {
      await page.select("main select", by);
      await page.waitForSelector(".grid-box[data-ready] .tabulator-row");
      const [all] = await roots(page);
      expect("tree by " + by, [all.cycles, all.parts, all.work, all.leaves, all.share],
         [sums.exclusive, sums.exclusive, sums.work, sums.work, 1]);
   }
   await page.focus(".grid");
   await page.keyboard.press("ArrowLeft");
   expect("one row when closed", (await page.$$(".tabulator-row")).length, 1);
   await page.keyboard.press("ArrowRight");
   expect("more when open", (await page.$$(".tabulator-row")).length > 1, true);
}

// Map and curves show the same cycles.
async function timeline(page) {
   await show(page, "timeline");
   if (!await page.$("canvas.timeline"))
      return;
   await page.waitForSelector(".u-over");
   const box = await (await page.$("canvas.timeline")).boundingBox();
   await page.mouse.move(box.x + 20, box.y + 45);
   expect("a name of a unit is explained", /^CP, CommandProcessor: ./.test(
      await page.$eval("section .count", (p) => p.textContent)), true);
   await page.evaluate(() => document.querySelector("canvas.timeline").focus());
   const pixels = () => page.$eval(".chart canvas", (c) => c.toDataURL());
   const whole = await pixels();
   await page.keyboard.press("+");
   await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
   expect("curves zoom with the map", (await pixels()) !== whole, true);
   await page.keyboard.press("0");
   await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
   expect("and back", (await pixels()) === whole, true);
   // Lines that a legend names can be told apart by their marks.
   const alike = await page.$$eval(".u-legend", (all) => all.map((legend) => {
      const marks = [...legend.querySelectorAll(".u-series:not(:first-child) .u-marker")].map((m) =>
         m.style.background);
      return marks.length - new Set(marks).size;
   }));
   expect("marks of legends that are alike", [alike.length >= 3, ...alike], [true,
      ...alike.map(() => 0)]);
}

// A draw counts once for a surface, however many of its slots have it.
async function surfaces(page) {
   const rows = async () => {
      await show(page, "memory");
      return page.$$eval("section", (all) => [...all.find((s) =>
         s.querySelector("h2").textContent === "Surfaces").querySelectorAll("tbody tr")].map((r) =>
         [0, 5, 6].map((i) => r.children[i].textContent).join(" ")).sort());
   };
   const slots = (more) => page.evaluate((add) => {
      for (const list of window.attila.run.bindings.values())
         list[add ? "push" : "pop"](add && { ...list[0], slot: "texture31" });
   }, more);
   const once = await rows();
   await slots(true);
   await show(page, "summary");
   expect("surfaces in two slots of a draw", await rows(), once);
   await slots(false);
}

// The page of a draw marks what differs from the draw before, and shows only that if it should.
async function states(page) {
   const { work, changed } = await page.evaluate(async () => {
      const { run } = window.attila;
      await run.load_states();
      const of = run.work.map((w) => [w.work, run.state(w)]).filter(([, s]) => s).map(
         ([work, s]) => [work, s.filter((i) => i.changed).length]);
      const [id, n] = of.reduce((a, b) => (b[1] > a[1] ? b : a));
      return { work: id, changed: n };
   });
   await show(page, "work/" + work);
   await page.waitForSelector(".state h3");
   expect("marks of what differs", (await page.$$(".state mark")).length, changed);
   if (!changed)
      return;
   const visible = () => page.$$eval(".state .facts div", (all) => all.filter((d) =>
      d.offsetHeight).map((d) => Boolean(d.querySelector("mark"))));
   expect("all of the state", (await visible()).includes(false), true);
   await page.click(".state input");
   expect("only what differs", (await visible()).includes(false), false);
   await page.click(".state input");
}

// Every piece of work and every frame has a page; its sentence says what the record says.
async function every(page) {
   const bad = await page.evaluate(async () => {
      const { run } = window.attila, wrong = [];
      const shown = () => new Promise((done) => { setTimeout(done, 0); });
      const list = run.work.filter((w, i) => run.work.length < 300 || i % 100 === 0);
      for (const w of list) {
         location.hash = "#work/" + w.work;
         await shown();
         const main = document.getElementById("main").textContent;
         const f = run.fragments("work", w.index);
         if (f && f.colour_input < f.colour_uncovered)
            wrong.push(w.work);
         const failed = main.match(/([\d,]+) failed the depth/);
         if (failed && failed[1] !==
            (f.tested - f.passed - f.uncovered_tested).toLocaleString("en"))
            wrong.push(w.work);
         if (/undefined|NaN|\[object/.test(main) || !main.includes(
            w.exclusive_cycles.toLocaleString("en")) || (w.limiter && !main.includes(w.limiter)))
            wrong.push(w.work);
      }
      return wrong;
   });
   expect("pages of work that are wrong", bad, []);
}

// Pictures made from the capture: of the costliest draws, of textures, of maps; costs of code.
async function made(page) {
   const { draws, costliest, of_frame, frame, maps, alu, program,
      code } = await page.evaluate(() => {
      const { run } = window.attila;
      const by_cost = run.work.filter((w) => w.kind === "draw").sort((a, b) =>
         b.exclusive_cycles - a.exclusive_cycles);
      const mapped = run.frames.reduce((a, f) => (f.cycles > a.cycles ? f : a)).frame;
      const [frame, maps] = Object.entries(run.made.maps)[0] || [null, []];
      return { draws: Object.keys(run.made.draws).length, costliest: by_cost[0].work, frame,
         of_frame: by_cost.find((w) => w.frame === mapped).work,
         maps: maps.length, alu: [...run.costs.values()].flat().reduce((n, i) =>
            n + i.alu_cycles, 0),
         program: by_cost[0].fragment_program,
         code: run.programs.get(by_cost[0].fragment_program).instructions };
   });
   const figures = (where) => page.$$eval(where + " figure img", (all) => all.map((i) => {
      i.loading = "eager";
      return i.decode().then(() => i.naturalWidth > 0, () => false);
   }).length);
   const broken = async () => page.evaluate(async () => {
      const bad = [];
      for (const i of document.querySelectorAll("figure img"))
         await i.decode().catch(() => bad.push(i.alt));
      return bad;
   });
   expect("draws with pictures", draws, Math.min(24, sums.draws));
   await show(page, "work/" + costliest);
   const { written, surfaces, cover } = await page.evaluate((work) => ({
      written: window.attila.run.overdraw("work", window.attila.run.work_at.get(work).index)[0]
         .written, ...window.attila.run.made.draws[work] }), costliest);
   expect("fragments that passed, of the picture and the record", cover.passed, written);
   const said = await text_of(page, "main"), n = (value) => value.toLocaleString("en");
   for (const text of [n(cover.fragments) + " fragments came to " + n(cover.covered) + " of",
      n(written) + " of them passed", n(surfaces[0].changed) + " pixels have another value"])
      expect("what the draw did: " + text, said.includes(text), true);
   expect("pictures of a draw", Object.keys(surfaces[0].pictures), ["before", "after", "diff",
      "coverage", "overdraw", "wireframe"]);
   const wrong = [];
   for (const work of await page.evaluate(() => Object.keys(window.attila.run.made.draws))) {
      await show(page, "work/" + work);
      wrong.push(...(await text_of(page, "main")).match(
         /(?<![\d.,])1 (fragments|pixels|vertices|triangles|cycles|instructions|draws)\b/g) || []);
   }
   expect("one of a thing has no plural", wrong, []);
   await show(page, "work/" + costliest);
   // Depth beside a colour buffer has pictures, or one value.
   for (const s of surfaces.slice(1))
      expect("pictures of " + s.slot, Object.keys(s.pictures), s.min === s.max ? []
         : ["after", "diff"]);
   expect("before, after, changed, textures, maps", (await figures("main")) >= 6, true);
   expect("pictures of a draw that do not load", await broken(), []);
   const { single, from } = await page.evaluate(() => ({
      single: window.attila.run.made.draw_maps, from: window.attila.run.made.maps_from }));
   // A run that recorded maps says of which draws, if any; else they are made for the report.
   if (from !== "run")
      expect("the costliest draw of the frame has maps of its own", String(of_frame) in single,
         true);
   const [one, own] = String(of_frame) in single ? [of_frame, single[of_frame]]
      : Object.entries(single)[0] || [null, null];
   if (own) {
      await show(page, "work/" + one);
      expect("all but the map of draws, as numbers", (await page.$$eval("section", (all) =>
         [...all.find((s) => s.querySelector("h2")?.textContent === "Maps of this draw")
            .querySelectorAll("tbody tr")].map((r) =>
            r.children[2].textContent.replaceAll(",", "")))),
         own.filter((m) => m.map !== "draw").map((m) =>
            m.map === "latency" ? "–" : String(m.sum)));
   }
   await page.click("figure .zoom");
   expect("large by a click", await page.$eval("figure .zoom", (b) =>
      b.classList.contains("large")), true);
   await show(page, "frame/" + frame);
   expect("maps of the costliest frame", await figures("main"), maps);
   expect("a map at least", maps >= 7, true);
   expect("maps that do not load", await broken(), []);
   await show(page, "program/" + program);
   expect("instructions with costs",
      (await page.$$("table.code:not(.source) tbody tr")).length, code);
   // However long a line is, its costs stay in the window.
   const wide = await page.$$eval("table.code", (all) => all.map((t) => {
      const code = t.querySelector("tbody code");
      code.textContent = "x + ".repeat(400);
      return t.parentElement.scrollWidth - t.parentElement.clientWidth;
   }));
   expect("costs beside long lines", [wide.length > 0, Math.max(...wide)], [true, 0]);
   expect("cycles of the ALUs by instruction", alu, sums.counted["ALUBusyCycles_ShF-FS"]);
}

// The mesh of a draw turns by keys and pointer, and its pictures say what a pixel of them is.
async function mesh(page) {
   const { work, corners, vertices } = await page.evaluate(async () => {
      const { run } = window.attila;
      await run.load_meshes();
      const id = run.made.meshes.works[0], m = run.meshes[id];
      return { work: id, corners: m.primitives.length / m.corners, vertices: m.out.length / 4 };
   });
   await show(page, "work/" + work);
   await page.waitForSelector("canvas.mesh");
   const n = (value) => value.toLocaleString("en");
   const said = await page.$eval("canvas.mesh + p", (p) => p.textContent);
   expect("sizes of the mesh", said.startsWith(n(vertices) + " shaded vertices, " + n(corners)),
      true);
   const drawn = async () => {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() =>
         requestAnimationFrame(done))));
      return page.$eval("canvas.mesh", (c) => c.toDataURL());
   };
   const first = await drawn();
   await page.focus("canvas.mesh");
   const seen = [first];
   for (const key of ["ArrowRight", "ArrowDown", "+"]) {
      await page.keyboard.press(key);
      seen.push(await drawn());
   }
   expect("each key shows another mesh", new Set(seen).size, 4);
   await page.keyboard.press("0");
   expect("0 shows it as at first", (await drawn()) === first, true);
   const box = await (await page.$("canvas.mesh")).boundingBox();
   await page.mouse.move(box.x + 90, box.y + 90);
   await page.mouse.down();
   await page.mouse.move(box.x + 150, box.y + 110);
   await page.mouse.up();
   expect("dragging turns it", (await drawn()) !== first, true);
   await page.click(".legend input[type=radio]");
   expect("before the program", (await drawn()) !== first && (await page.$eval("canvas.mesh + p",
      (p) => p.textContent)).includes("components of i"), true);
}

// What the history of a page says of a pixel is what attila-sim picture --pixel prints.
async function pixel(page) {
   const { work, at, history } = await page.evaluate(async () => {
      const { run } = window.attila;
      const id = Object.keys(run.made.draws)[0], w = run.work_at.get(Number(id));
      const has = run.made.histories.includes(w.frame), found = [80, 60];
      return { work: id, at: found, history: has };
   });
   await show(page, "work/" + work);
   await page.$$eval(".pick img", (all) => Promise.all(all.map((i) => i.decode())));
   await page.$eval(".pick", (b) => b.scrollIntoView({ block: "center" }));
   const image = await page.$eval(".pick img", (i) => {
      const r = i.getBoundingClientRect();
      return { x: r.left + i.clientLeft, y: r.top + i.clientTop, width: i.clientWidth,
         height: i.clientHeight };
   });
   const { width, height } = await page.evaluate((id) =>
      window.attila.run.made.draws[id].surfaces[0], work);
   await page.mouse.click(image.x + (at[0] + 0.5) * image.width / width,
      image.y + (at[1] + 0.5) * image.height / height);
   const head = (x, y) => page.waitForFunction((text) =>
      document.querySelector(".pixel h3")?.textContent.startsWith(text), { timeout: 60000 },
   "Pixel " + x + ", " + y + " ").then(() => true, () => false);
   expect("a click chooses a pixel", await head(...at), true);
   expect("the command", (await text_of(page, ".pixel code")).endsWith(" --pixel " + at), true);
   await page.focus(".pick");
   await page.keyboard.press("ArrowRight");
   expect("an arrow chooses the next", await head(at[0] + 1, at[1]), true);
   expect("marks on all pictures", await page.$$eval(".pick .mark", (all) => all.length >= 6 &&
      all.every((m) => !m.hidden)), true);
   expect("a history", history, Boolean(sums.pixel)); // fate and depth of each fragment
   if (!sums.pixel)
      return;
   const rows = await page.$$eval(".pixel table", (all) => [...all[all.length - 1].querySelectorAll(
      "tbody tr")].map((r) => [r.children[1].textContent.split(" ").slice(0, 2).join(" "),
      Number(r.children[2].textContent)]));
   expect("fragments of pixel 81, 60", rows, sums.pixel);
}

// Area and energy: the frames' energy over their time, the area of attila-sim, and both as rates.
async function energy(page) {
   await show(page, "energy");
   const rows = await page.$$eval("table tbody tr", (all) => Object.fromEntries(all.map((r) =>
      [r.children[0].textContent, r.children[1].textContent])));
   const { frames, seconds, joules, mm2, units } = await page.evaluate(() => {
      const { run } = window.attila;
      return { frames: run.frames.length, seconds: run.total("simulated_ms") * 1e-3,
         joules: run.frames.reduce((n, f) => n + run.energy("frame", f.index).reduce((m, e) =>
            m + e.total_fj, 0), 0) * 1e-15, mm2: run.area.mm2,
         units: run.area.units.reduce((n, u) => n + u[3], 0) };
   });
   const is = (what, value) => expect(what, rows[what], value.toPrecision(4));
   is("performance", frames / seconds);
   is("area", mm2);
   is("performance by area", frames / seconds / mm2);
   is("power", joules / seconds);
   is("performance by power", frames / joules);
   is("power by area", joules / seconds / mm2);
   expect("units add up to the area", Math.abs(units - mm2) < 0.01, true);
   expect("watts of a GPU", joules / seconds > 1 && joules / seconds < 300, true);
}

// No capture: said, with the reason, where pictures would be.
async function no_pictures(page) {
   const draw = await page.evaluate(() => window.attila.run.work.find((w) =>
      w.kind === "draw").work);
   await show(page, "work/" + draw);
   const text = await text_of(page, "main");
   expect("why there are no pictures", /no picture of this draw.*there is no capture/.test(text),
      true);
   expect("why there are no maps", /no maps of this frame.*there is no capture/.test(text), true);
}

async function theme(page) {
   const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
   const light = await ground();
   await page.click(".theme");
   expect("another background in dark", (await ground()) !== light, true);
   await page.click(".theme");
   expect("and back", await ground(), light);
}

async function times(page) {
   await show(page, "summary");
   const t = await page.evaluate(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const since = async (f) => { const t0 = performance.now(); await f(); await frame();
         return Math.round(performance.now() - t0); };
      const result = {};
      result.open_table = await since(async () => {
         location.hash = "#draws";
         while (!document.querySelector(".grid-box[data-ready]"))
            await frame();
      });
      const { table } = document.querySelector(".grid-box");
      result.sort = await since(() => table.setSort("cycles", "asc"));
      result.filter = await since(() => table.setHeaderFilterValue("kind", "draw"));
      const holder = document.querySelector(".tabulator-tableholder");
      result.worst_frame_scrolling = 0;
      for (let i = 1; i <= 60; i++)
         result.worst_frame_scrolling = Math.max(result.worst_frame_scrolling,
            await since(() => { holder.scrollTop = i * holder.scrollHeight / 60; }));
      result.rows = table.getDataCount("active");
      result.row_elements = document.querySelectorAll(".tabulator-row").length;
      return result;
   });
   console.log("milliseconds: " + JSON.stringify(t));
   expect("only rows in sight are elements", t.row_elements < 200, true);
}

// Processor time of the page's process: of nobody else who is at work here. Printed, not judged.
async function speed(page) {
   const cdp = await page.browser().target().createCDPSession();
   const cpu = async () => (await cdp.send("SystemInfo.getProcessInfo")).processInfo
      .filter((p) => p.type === "renderer").reduce((n, p) => n + p.cpuTime, 0);
   for (const [hash, ready] of [["", "body[data-ready]"], ["#draws", ".grid-box[data-ready]"]]) {
      await page.goto("about:blank");
      const before = await cpu();
      await page.goto(pathToFileURL(file).href + hash, { timeout: 300000 });
      await page.waitForSelector(ready, { timeout: 300000 });
      console.log("page " + (hash || "first") + ": " + ((await cpu()) - before).toFixed(2) +
         " s of CPU");
   }
}

async function two_runs(page) {
   expect("first page", await page.$eval("main", (m) => m.dataset.page), "compare");
   await page.waitForSelector(".grid-box[data-ready]");
   const sum = (values) => values.reduce((n, v) => n + v, 0);
   const cycles = await page.evaluate(() => window.attila.runs.map((r) => r.total("cycles")));
   const differences = await column(page, "difference");
   expect("sum of differences", sum(differences), cycles[1] - cycles[0]);
   expect("largest difference first", sorted(differences.map(Math.abs), -1), true);
   await show(page, "tree");
   const [all] = await roots(page);
   expect("the tree's differences", [all.cycles, all.other_cycles, all.difference, all.leaves],
      [...cycles, cycles[1] - cycles[0], differences.length]);
   const of_run = (value) => page.evaluate((v) => window.attila.runs.map((r) =>
      r.work.reduce((n, w) => n + (w[v] || 0), 0)), value);
   for (const value of ["bytes", "fragments"])
      expect("the tree's " + value, [all[value], all["other_" + value]], await of_run(value));
   expect("the tree's work", [all.work, all.other_work],
      await page.evaluate(() => window.attila.runs.map((r) => r.work.length)));
   expect("all of A and of B", [all.share, all.other_share], [1, 1]);
   expect("a limiter of A and one of B", await page.evaluate(() => {
      const [row] = document.querySelector(".grid-box").table.getData();
      const most = (r) => [...Map.groupBy(r.work, (w) => w.limiter)].map(([l, all]) => [l,
         all.reduce((n, w) => n + w.exclusive_cycles, 0)]).sort((x, y) => y[1] - x[1])[0][0];
      return [row.limiter, row.other_limiter].every((l, i) => l === most(window.attila.runs[i]));
   }), true);
   await show(page, "compare");
   await page.focus(".grid");
   await page.keyboard.press("ArrowDown");
   await page.keyboard.press("Enter");
   await page.waitForSelector('main[data-page="pair"]');
}

// Frame 0 is the reference's but for a block that is darker, frame 1 is the same.
async function reference(page) {
   await show(page, "reference");
   expect("worst frame first", await column(page, "frame"), [0, 1]);
   expect("differing pixels", await column(page, "pixels"), [sums.differing, 0]);
   expect("renderer", await text_of(page, "h1"), "Beside Test driver");
   await page.waitForSelector(".u-over");
   await page.focus(".grid");
   await page.keyboard.press("Enter");
   await page.waitForSelector('main[data-page="beside"] .pair');
   const images = await page.$$eval(".pair img", (all) => all.map((i) => i.naturalWidth));
   expect("pictures", images, [sums.width, sums.width, sums.width]);
   const cut = () => page.$eval(".stack", (e) => e.style.getPropertyValue("--cut"));
   expect("slider in the middle", await cut(), "50%");
   await page.focus(".pair input");
   await page.keyboard.press("End");
   expect("slider at the end", await cut(), "100%");
   const second = () => page.$eval(".stack img + img", (e) => getComputedStyle(e).visibility);
   await page.click(".pair button");
   expect("blinking begins with ours", [await second(), await text_of(page, ".pair output")],
      ["hidden", "Attila"]);
   await page.waitForFunction(() =>
      document.querySelector(".pair output").textContent === "Test driver");
   expect("then the other's", await second(), "visible");
   await page.click(".pair button");
   expect("no longer", await text_of(page, ".pair output"), "");
   await page.keyboard.press("]");
   await page.waitForFunction(() => document.querySelector("h1").textContent.startsWith("Frame 1"));
   expect("an equal frame", await text_of(page, ".why"), "No pixel differs.");
   await page.keyboard.press("Escape");
   await page.waitForSelector('main[data-page="reference"]');
}

const { page, errors, close } = await open(file);
const checks = { compare: [two_runs], lacking: [pages, every, no_pictures],
   energy: [pages, every, energy], reference: [pages, reference],
   history: [mesh, pixel],
   pictures: [totals, pages, keys, draws, tree, timeline, surfaces, states, every, made, mesh,
      pixel, theme, times] }[what] ||
   [totals, pages, keys, draws, tree, timeline, surfaces, states, every, theme, times,
    speed];
for (const check of checks)
   await check(page).catch((e) => { failed++; console.log("FAILED: " + check.name + ": " + e); });
expect("errors of the console", errors, []);
await close();
process.exit(failed ? 1 : 0);
