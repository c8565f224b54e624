// page_check.mjs FILE [HASH...]: each page of a report (HASH), or a page of another kind (none), in
// headless Chromium at three widths, light and dark: axe-core's rules hold, nothing is wider than
// the window, no text is cut off by its box, the console says nothing. Prints what fails; status 1
// if anything did. Not here: what pages say (report_check.mjs).
import { readFileSync } from "node:fs";
import { open, show } from "./report_browser.mjs";

const [file, ...hashes] = process.argv.slice(2);
const WIDTHS = [420, 1024, 1400];
const axe = readFileSync(process.env.ATTILA_REPORT_DIR + "/node_modules/axe-core/axe.min.js",
   "utf8");
// What does not fit: of the window the page itself, of a page elements that stand out of it though
// nothing around them scrolls.
const overflow = () => {
   const width = document.documentElement.clientWidth, found = [];
   if (document.documentElement.scrollWidth > width)
      for (const e of document.body.querySelectorAll("*")) {
         const r = e.getBoundingClientRect();
         let scrolls = e.parentElement;
         while (scrolls && getComputedStyle(scrolls).overflowX === "visible")
            scrolls = scrolls.parentElement;
         if (r.right > width + 1 && r.width && !scrolls)
            found.push(e.tagName + "." + e.className + " " + Math.round(r.right));
      }
   return document.documentElement.scrollWidth > width
      ? ["page " + document.documentElement.scrollWidth, ...found.slice(0, 4)] : [];
};
const rules = async () => (await window.axe.run(document, { resultTypes: ["violations"] }))
   .violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") +
      (v.id.includes("contrast") ? " " + (n.any[0]?.message || "") : "")).join("; "));

let failed = 0;
const said = new Map(); // what fails: where
for (const scheme of ["light", "dark"]) {
   const { page, errors, close } = await open(file, { scheme, ready: hashes.length > 0 });
   await page.evaluate(axe);
   for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      for (const hash of hashes.length ? hashes : [""]) {
         if (hash)
            await show(page, hash);
         await new Promise((done) => { setTimeout(done, 100); }); // charts draw a frame later
         const where = scheme + " " + width + " #" + hash;
         for (const what of [...await page.evaluate(overflow), ...await page.evaluate(rules)])
            said.set(what, [...(said.get(what) || []), where]);
      }
   }
   errors.forEach((e) => said.set("console: " + e, [scheme]));
   await close();
}
for (const [what, where] of said) {
   failed = 1;
   console.log("FAILED: " + what + " (" + where.slice(0, 3).join(", ") + (where.length > 3
      ? " and " + (where.length - 3) + " more" : "") + ")");
}
process.exit(failed);
