// The table of all draws and other work.
import { el, legend, times } from "./dom.js";
import { grid, formats } from "./grid.js";

const numeric = { formatter: formats.number, hozAlign: "right", headerSortStartingDir: "desc",
   sorter: "number" };
const share = { ...numeric, formatter: formats.percent };
const text = { formatter: formats.text, headerFilter: "input" };

// One of the values that the column has, or all. A plain select: any keyboard and reader knows it.
function choice(values) {
   const all = [...new Set(values)].filter(Boolean).sort();
   return {
      headerFilter: (cell, rendered, success) => {
         const select = el("select", { "aria-label": "only" }, el("option", { value: "" }, "all"),
            all.map((v) => el("option", { value: v }, v)));
         select.addEventListener("change", () => success(select.value));
         return select;
      },
      headerFilterFunc: "=", headerFilterEmptyCheck: (value) => !value,
   };
}

// ">1000", "<20", "5": what is typed above a column of numbers
export function number_filter(wanted, value) {
   const m = /^\s*([<>]?)=?\s*([0-9.]+)\s*$/.exec(wanted);
   if (!m)
      return true;
   if (value === null)
      return false;
   return m[1] === ">" ? value >= Number(m[2]) : m[1] === "<" ? value <= Number(m[2])
      : value === Number(m[2]);
}
export const numbers = { ...numeric, headerFilter: "input", headerFilterFunc: number_filter,
   headerFilterPlaceholder: ">" };

export function draws_page(context, frame) {
   const { run } = context;
   const columns = [
      { title: "Frame", field: "frame", width: 95, ...numbers, headerSortStartingDir: "asc",
         headerFilterPlaceholder: "" },
      { title: "No.", field: "number", width: 75, ...numeric, headerSortStartingDir: "asc" },
      { title: "Kind", field: "kind", width: 90, ...text, ...choice(run.work.map((w) => w.kind)) },
      { title: "Draw", field: "draw", width: 80, ...numeric, headerSortStartingDir: "asc" },
      { title: "Own cycles", field: "exclusive_cycles", width: 130, ...numbers },
      { title: "Of frame", field: "share", width: 115, ...share },
      { title: "Limiter", field: "limiter", width: 170, formatter: formats.limiter,
         ...choice(run.work.map((w) => w.limiter)) },
      { title: "Share", field: "limiter_share", width: 90, ...share },
      { title: "Next", field: "limiter2", width: 170, formatter: formats.next },
      { title: "Cycles", field: "cycles", width: 100, ...numbers },
      { title: "Label", field: "label", width: 160, ...text },
      { title: "Fragment program", field: "program_name", width: 175, ...text },
      { title: "Instr.", field: "instructions", width: 85, ...numeric },
      { title: "Vertices or bytes", field: "count", width: 170, ...numeric },
      { title: "Fragments", field: "fragments", width: 120, ...numeric },
      { title: "Overdraw", field: "overdraw", width: 120, ...numbers,
         formatter: (cell) => times(cell.getValue()) },
      { title: "Memory bytes", field: "bytes", width: 150, ...numbers },
      { title: "Primitive", field: "primitive", width: 120, ...text },
   ];
   return el("article", { class: "wide" },
      el("h1", null, "Draws and other work"),
      legend(run.work.map((w) => w.limiter)),
      grid(columns, run.work, {
         open: (w) => { location.hash = "#work/" + w.work; },
         sort: frame === undefined ? [{ column: "exclusive_cycles", dir: "desc" }] : [],
         filters: frame === undefined ? [] : [{ field: "frame", value: frame }],
      }));
}
