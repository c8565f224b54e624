// What every counter and every key of the machine means; the text is the record's.
import { el } from "./dom.js";
import { grid, formats } from "./grid.js";

const text = { formatter: formats.text, headerFilter: "input" };

export function glossary_page(context) {
   const { run } = context;
   return el("article", { class: "wide" },
      el("h1", null, "Glossary: what every counter means"),
      grid([
         { title: "Counter", field: "name", width: 280, ...text },
         { title: "Unit", field: "class", width: 180, ...text },
         { title: "Measure", field: "measure", width: 110, ...text },
         { title: "Meaning", field: "meaning", width: 430, ...text },
         { title: "Counts for", field: "attribution", width: 430, ...text },
         { title: "Boxes", field: "boxes", width: 80, hozAlign: "right", sorter: "number" },
      ], run.counters, { open: () => {} }));
}

export function machine_page(context) {
   const { run } = context;
   const keys = run.configuration.map((k) => ({ ...k, name: k.section + "." + k.key,
      changed: String(k.value) === String(k.default_value) ? "" : "changed" }));
   return el("article", { class: "wide" },
      el("h1", null, "The machine: " + (run.run.config_path || "built in")),
      grid([
         { title: "Key", field: "name", width: 280, ...text },
         { title: "Value", field: "value", width: 120, ...text },
         { title: "Default", field: "default_value", width: 120, ...text },
         { title: "Changed", field: "changed", width: 110, ...text },
         { title: "Unit", field: "unit", width: 110, ...text },
         { title: "Meaning", field: "meaning", width: 520, ...text },
      ], keys, { open: () => {} }));
}
