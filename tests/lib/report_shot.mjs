// report_shot.mjs REPORT HASH PNG [light|dark] [WIDTH HEIGHT] [SECTION]: a picture of a page of a
// report, from the heading SECTION on.
import { open, show } from "./report_browser.mjs";

const [file, hash, png, scheme = "light", width = 1400, height = 900,
   section] = process.argv.slice(2);
const { page, errors, close } = await open(file, { scheme, width: +width, height: +height });
await show(page, hash);
await new Promise((done) => { setTimeout(done, 300); }); // charts draw a frame later
if (section)
   await page.evaluate((name) => [...document.querySelectorAll("h2")].find((h) =>
      h.textContent === name).scrollIntoView(), section);
await page.screenshot({ path: png });
await close();
if (errors.length) {
   console.error(errors.join("\n"));
   process.exit(1);
}
