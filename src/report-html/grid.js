// Tables of any length (Tabulator: only the rows in sight are elements), for mouse and keyboard:
// headers take Enter or blank to sort, rows take arrows, Page Up and Down, Home, End and Enter.
import { TabulatorFull as Tabulator } from "tabulator-tables";
import { el, limiter_mark, number, percent } from "./dom.js";

export const formats = {
   number: (cell) => number(cell.getValue()),
   percent: (cell) => percent(cell.getValue()),
   limiter: (cell) => limiter_mark(cell.getValue()),
   // A second limiter that is not there is nothing to be told.
   next: (cell) => (cell.getValue() ? limiter_mark(cell.getValue()) : ""),
   text: (cell) => document.createTextNode(cell.getValue() ?? ""),
};

const PAGE = 20; // rows that Page Up and Down go

function sort_by_key(grid, column) {
   const head = column.getElement();
   head.tabIndex = 0;
   head.addEventListener("keydown", (event) => {
      if (event.target !== head || (event.key !== "Enter" && event.key !== " "))
         return;
      event.preventDefault();
      const sorted = grid.getSorters().find((s) => s.field === column.getField());
      const first = column.getDefinition().headerSortStartingDir || "asc";
      const dir = sorted ? (sorted.dir === "asc" ? "desc" : "asc") : first;
      grid.setSort(column.getField(), dir);
   });
}

// The first row is chosen from the beginning: Enter opens it.
function move_by_key(grid, holder, open) {
   let at = 0;
   const go = (to) => {
      const rows = grid.getRows("display");
      if (!rows.length)
         return;
      at = Math.max(0, Math.min(rows.length - 1, to));
      grid.deselectRow();
      grid.selectRow(rows[at]);
      grid.scrollToRow(rows[at], "nearest", false).catch(() => {});
   };
   const of_tree = (row) => grid.options.dataTree &&
      grid.getRows("display")[row]?.getData()._children;
   const begin = () => { at = 0; requestAnimationFrame(() => go(0)); };
   grid.on("dataSorted", begin);
   grid.on("dataFiltered", begin);
   begin();
   const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE,
      Home: -Infinity, End: Infinity };
   holder.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, .tabulator-col"))
         return;
      if (event.key in steps)
         go(steps[event.key] === Infinity ? grid.getRows("display").length - 1
            : at + steps[event.key]);
      else if (event.key === "Enter" && grid.getRows("display")[at])
         open(grid.getRows("display")[at].getData());
      else if (event.key === "ArrowRight" && of_tree(at))
         grid.getRows("display")[at].treeExpand();
      else if (event.key === "ArrowLeft" && of_tree(at))
         grid.getRows("display")[at].treeCollapse();
      else
         return;
      event.preventDefault();
   });
}

// What Tabulator leaves without a name or a role.
function name_parts(grid, holder) {
   for (const column of grid.getColumns()) {
      const name = "only rows whose " + column.getDefinition().title + " is";
      column.getElement().querySelectorAll("input, select").forEach((field) =>
         field.setAttribute("aria-label", name));
   }
   holder.querySelector(".tabulator-tableholder").setAttribute("role", "rowgroup");
   holder.querySelector(".tabulator-table").setAttribute("role", "none");
}

// An element that is taken out of the page and put back has lost where it was scrolled to.
function keep_place(box) {
   let place = 0;
   const holder = () => box.querySelector(".tabulator-tableholder");
   box.addEventListener("leave", () => { place = holder() ? holder().scrollTop : 0; });
   box.addEventListener("enter", () => {
      if (!box.dataset.ready)
         return;
      box.table.redraw();
      holder().scrollTop = place;
      box.querySelector(".grid").focus({ preventScroll: true });
   });
}

// columns: of Tabulator; rows: objects; open(row): what a click or Enter does; sort: [{column,
// dir}]; filters: [{field, value}] that the headers begin with. Returns an element.
export function grid(columns, rows, { open, sort, filters, ready, tree }) {
   const holder = el("div", { class: "grid", tabindex: "0",
      "aria-label": "table; arrows move, Enter opens" });
   const count = el("p", { class: "count", "aria-live": "polite" });
   const box = el("div", { class: "grid-box" }, count, holder);
   keep_place(box);
   // Tabulator measures its element: it must be in the page.
   requestAnimationFrame(() => {
      const table = new Tabulator(holder, {
         data: rows, columns, index: "key", height: "calc(100vh - 15rem)", layout: "fitDataFill",
         renderVerticalBuffer: 300, selectableRows: true, selectableRowsPersistence: false,
         initialSort: sort, initialHeaderFilter: filters, columnDefaults: { resizable: "header" },
         placeholder: "No row passes the filters.",
         ...(tree ? { dataTree: true, dataTreeStartExpanded: tree, dataTreeFilter: false } : {}),
      });
      table.on("rowClick", (event, row) => open(row.getData()));
      table.on("tableBuilt", () => {
         table.getColumns().forEach((c) => sort_by_key(table, c));
         move_by_key(table, holder, open);
         name_parts(table, holder);
         // A key that led here goes on here.
         if (!document.activeElement || document.activeElement === document.body)
            holder.focus({ preventScroll: true });
         if (ready)
            ready(table);
         box.dataset.ready = "yes";
      });
      table.on("dataFiltered", (f, shown) => {
         count.textContent = tree ? "" : number(shown.length) + " of " + number(rows.length) +
            " rows";
      });
      box.table = table; // for tests
   });
   return box;
}
