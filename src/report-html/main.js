// The page: reads the data, shows what the address after # names. Each page has the same key in
// every report; the others are in KEYS.
import "tabulator-tables/dist/css/tabulator_simple.css";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./pair.css";
import { el } from "./dom.js";
import { read_data, Run } from "./data.js";
import { summary_page, frame_page } from "./summary.js";
import { draws_page } from "./draws.js";
import { work_page } from "./panel.js";
import { timeline_page } from "./timeline.js";
import { memory_page } from "./memory.js";
import { energy_page } from "./energy.js";
import { programs_page, program_page } from "./programs.js";
import { glossary_page, machine_page } from "./glossary.js";
import { tree_page } from "./tree.js";
import { compare_page, pair_page } from "./compare.js";
import { reference_page, beside_page } from "./reference.js";
import { passes_page, pass_page } from "./passes.js";

// [page, name, key]
const TABS = [["summary", "Summary", "1"], ["draws", "Draws", "2"], ["timeline", "Timeline", "3"],
   ["memory", "Memory", "4"], ["energy", "Energy", "5"], ["programs", "Programs", "6"],
   ["machine", "Machine", "7"], ["glossary", "Glossary", "8"], ["tree", "Tree", "t"]];
const COMPARE = ["compare", "Compare", "c"], REFERENCE = ["reference", "Reference", "9"],
   PASSES = ["passes", "Passes", "p"];
const KEYS = [["arrows, Page Up, Page Down, Home, End", "choose a row of a table"],
   ["Enter", "opens the row; on a column's head: sorts"], ["[ ]", "the one before, the next one"],
   ["Escape", "back to the table"], ["→ ←", "in the tree: opens and closes a group"],
   ["+ - ← → 0", "in the timeline: zoom, move, show all; in a mesh: zoom, turn, as at first"],
   ["arrows", "on a picture of a draw: choose a pixel"], ["?", "this list"]];
const PAGES = { summary: summary_page, frame: frame_page, draws: draws_page, work: work_page,
   timeline: timeline_page, memory: memory_page, energy: energy_page, machine: machine_page,
   glossary: glossary_page, tree: tree_page,
   programs: programs_page, program: program_page, compare: compare_page, pair: pair_page,
   reference: reference_page, beside: beside_page, passes: passes_page, pass: pass_page };
// Pages with a table stay as they were left: sorted, filtered, at the same row.
const KEPT = ["draws", "tree", "compare", "programs", "glossary", "machine", "reference"];
// Pages that belong to a tab of another name.
const UNDER = { frame: "summary", work: "draws", pair: "compare", program: "programs",
   beside: "reference", pass: "passes" };

// Light, dark, or what the system wants. A file may not store: then it holds until it is closed.
function theme_switch() {
   const button = el("button", { type: "button", class: "theme" });
   const system = matchMedia("(prefers-color-scheme: dark)");
   let chosen = null;
   const show = () => {
      const theme = chosen || (system.matches ? "dark" : "light");
      document.documentElement.dataset.theme = theme;
      button.textContent = theme === "dark" ? "☀ light" : "☾ dark";
      dispatchEvent(new Event("hashchange"));
   };
   button.addEventListener("click", () => {
      chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      show();
   });
   system.addEventListener("change", show);
   return [button, show];
}

function run_switch(context, again) {
   if (context.runs.length < 2)
      return null;
   const select = el("select", { "aria-label": "run" }, context.runs.map((r, i) =>
      el("option", { value: i }, "AB"[i] + ": " + r.name)));
   select.addEventListener("change", () => {
      context.run = context.runs[select.value];
      again();
   });
   return el("label", null, "pages of ", select);
}

// The element of a page; that of a kept one is made once for each run.
function page_of(context, kept, name, argument) {
   if (!KEPT.includes(name))
      return PAGES[name](context, argument);
   const key = [context.runs.indexOf(context.run), name, argument].join("/");
   if (!kept.has(key))
      kept.set(key, PAGES[name](context, argument));
   return kept.get(key);
}

// Of what this file contains of others.
function licences() {
   const notices = document.getElementById("notices");
   notices.hidden = false;
   notices.tabIndex = 0;
   return el("details", null, el("summary", null, "Licences of the libraries in this page"),
      notices);
}

// What the keys do; Escape or the button closes it.
function help(tabs) {
   const dialog = el("dialog", { "aria-label": "keys", class: "help" },
      el("h2", null, "Keys"),
      el("dl", { class: "facts" }, [...tabs.map(([, name, key]) => [key, "page " + name]), ...KEYS]
         .map(([key, what]) => el("div", null, el("dt", null, key), el("dd", null, what)))),
      licences(), el("form", { method: "dialog" }, el("button", null, "close")));
   return dialog;
}

function keys(tabs, dialog) {
   addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || dialog.open ||
         event.target.matches("input, select, textarea"))
         return;
      if (event.key === "?") {
         dialog.showModal();
         return;
      }
      const tab = tabs.find(([, , key]) => key === event.key);
      const link = document.querySelector('[data-key="' + CSS.escape(event.key) + '"][href]');
      if (tab) {
         document.activeElement?.blur(); // the page's table takes the keys that follow
         location.hash = "#" + tab[0];
      } else if (link) {
         link.click();
      }
   });
}

async function start() {
   const app = document.getElementById("app");
   const data = await read_data(document.getElementById("data"));
   const later = {}; // what is read when a page shows it, of all runs, once
   const runs = data.runs.map((r, i) => new Run(r, async (name) => {
      later[name] ??= read_data(document.getElementById(name));
      return (await later[name])[i];
   }));
   const context = { runs, run: runs[0], pairs: data.pairs };
   const tabs = [...(data.pairs ? [COMPARE] : []), ...TABS,
      ...(runs.some((r) => r.passes.length) ? [PASSES] : []),
      ...(runs[0].reference ? [REFERENCE] : [])];
   const main = el("main", { id: "main", tabindex: "-1" });
   const links = tabs.map(([id, name, key]) => el("a", { href: "#" + id, title: "key " + key },
      name));
   const kept = new Map();
   const show = () => {
      const [page, argument] = location.hash.slice(1).split("/");
      const name = page in PAGES && tabs.some(([id]) => id === (UNDER[page] || page))
         ? page : tabs[0][0];
      links.forEach((a) => a.setAttribute("aria-current",
         a.hash === "#" + (UNDER[name] || name) ? "page" : "false"));
      main.querySelector(".grid-box")?.dispatchEvent(new Event("leave"));
      main.replaceChildren(page_of(context, kept, name, argument));
      main.querySelector(".grid-box")?.dispatchEvent(new Event("enter"));
      main.dataset.page = name;
      scrollTo(0, 0);
   };
   const [theme, show_theme] = theme_switch(), dialog = help(tabs);
   app.replaceChildren(el("header", null, el("strong", null, "Attila"),
      el("nav", { "aria-label": "pages" }, links), run_switch(context, show),
      el("button", { type: "button", title: "key ?", onclick: () => dialog.showModal() }, "? keys"),
      theme), main, dialog);
   addEventListener("hashchange", show);
   keys(tabs, dialog);
   window.attila = context; // for the console, and for tests
   show_theme();
   document.body.dataset.ready = "yes";
}

start().catch((error) => {
   document.getElementById("app").textContent = "This report cannot be shown: " + error;
   throw error;
});
