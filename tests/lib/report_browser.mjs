// Opens a report in headless Chromium for report_check.mjs and report_shot.mjs. ATTILA_REPORT_DIR
// has puppeteer-core (scripts/lib/report_bundle.sh --tests), CHROMIUM names the browser.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.ATTILA_REPORT_DIR + "/node_modules/");
const puppeteer = require("puppeteer-core");

// ready: it is a report, and says when it is there. Returns {page, errors, close}: errors grows
// with what the console and the network complain about.
export async function open(file, { width = 1400, height = 900, scheme = "light",
   ready = true } = {}) {
   const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
      env: { ...process.env, HOME: process.env.WORK || process.env.HOME } });
   const page = await browser.newPage();
   const errors = [];
   page.on("console", (m) => {
      if (["error", "warn"].includes(m.type()))
         errors.push(m.type() + ": " + m.text());
   });
   page.on("pageerror", (e) => errors.push("exception: " + (e.stack || e)));
   page.on("request", (r) => {
      if (!/^(file|data|blob):/.test(r.url()))
         errors.push("network: " + r.url());
   });
   await page.setViewport({ width, height });
   await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
   // Times are generous: a machine may have other work.
   await page.goto(pathToFileURL(file).href, { timeout: 300000 });
   if (ready)
      await page.waitForSelector("body[data-ready]", { timeout: 300000 });
   return { page, errors, close: () => browser.close() };
}

// Shows the page that the address names and waits until it and its table are there.
export async function show(page, hash) {
   const name = hash.split("/")[0];
   await page.evaluate((h) => { location.hash = h; }, "#" + hash);
   await page.waitForSelector('main[data-page="' + name + '"]');
   await page.evaluate(() => new Promise((done) => requestAnimationFrame(() =>
      requestAnimationFrame(done))));
   if (await page.$(".grid-box"))
      await page.waitForSelector(".grid-box[data-ready]", { timeout: 60000 });
}
