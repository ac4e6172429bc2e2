// Every page, wide and narrow, light and dark: axe finds no violation, nothing is wider than the screen, no request goes
// elsewhere, and nothing is complained of in the browser's console. node tests/looks.mjs [FOLDER for screenshots]
import {createRequire} from "node:module";
import {mkdirSync, readFileSync} from "node:fs";
import {chromium} from "playwright-core";

import {start} from "./fake_engine.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.argv[2] ?? "";
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const tabs = ["", "frontier", "frontier?host=a.example", "settings", "sheets", "scope", "logs", "reports", "files", "checkpoints", "console"];
const pages = {
  engine: ["", "users", "account", "jobs/old-crawl", "jobs/old-crawl/settings", "jobs/house-style", ...tabs.map(tab => `jobs/news/${tab}`)],
  crawl: tabs.filter(tab => !/logs|files/.test(tab)),
};
// What is pressed on a page before it is looked at once more.
const presses = {
  "jobs/news/": page => page.getByRole("button", {name: "Terminate"}).click(),
  "jobs/news/frontier": async page => {
    await page.getByLabel("Expression").fill("page");
    await page.getByRole("form", {name: "URLs that wait"}).getByRole("button", {name: "Show"}).click();
    await page.getByRole("button", {name: "Count, to delete them"}).click();
    await page.getByText("42 URLs match").waitFor();
  },
  "jobs/news/settings": async page => {
    await page.getByLabel("Search all sections").fill("delay");
    await page.getByLabel("politeness.delay").fill("9s");
    await page.getByRole("button", {name: "See what would change"}).click();
    await page.getByText("What would change", {exact: true}).waitFor();
  },
  "jobs/old-crawl/settings": async page => {
    await page.getByRole("button", {name: "File (YAML)"}).click();
    await page.getByRole("button", {name: "Check", exact: true}).click();
    await page.getByText("A crawl can start with this.").waitFor();
  },
  "jobs/news/logs": async page => {
    await page.getByRole("button", {name: "Show"}).click();
    await page.getByText("lines so far").waitFor();
  },
  "jobs/news/reports": async page => {
    await page.getByRole("button", {name: "Make it"}).click();
    await page.getByText("2 rows").waitFor();
  },
  "jobs/news/scope": async page => {
    await page.getByLabel("URL").fill("https://a.example/");
    await page.getByRole("button", {name: "Explain"}).click();
    await page.getByText("It belongs to the crawl.").waitFor();
  },
};

const problems = [];
async function look(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(tags => axe.run(document, {runOnly: tags}), kTags);
  for (const one of found.violations) problems.push(`${name}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ")}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (overflow > 0) problems.push(`${name}: ${overflow} pixels wider than the screen`);
  if (shots) await page.screenshot({path: `${shots}/${name.replace(/[/?= ]+/g, "_")}.png`, fullPage: true});
}

if (shots) mkdirSync(shots, {recursive: true});
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"]});
for (const mode of ["engine", "crawl"]) {
  const {server, address} = await start(mode);
  for (const [width, scheme] of [[1280, "light"], [360, "dark"]]) {
    const context = await browser.newContext({viewport: {width, height: 800}, colorScheme: scheme, reducedMotion: "reduce"});
    const page = await context.newPage();
    page.on("request", request => { if (!request.url().startsWith(address) && !request.url().startsWith("data:")) problems.push(`asks elsewhere: ${request.url()}`); });
    page.on("console", message => { if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()} ${message.location().url}`); });
    page.on("pageerror", error => problems.push(`error: ${error.message}`));
    for (const at of pages[mode]) {
      await page.goto(`${address}/#/${at}`);
      await page.reload();
      await page.getByRole("heading", {level: 1}).waitFor();
      await page.waitForFunction(() => !document.body.innerText.includes("Asking for"));
      const name = `${mode} ${width} ${at || "start"}`;
      await look(page, name);
      if (mode === "engine" && presses[at]) {
        try {
          await presses[at](page);
          await look(page, `${name} pressed`);
        } catch (error) {
          problems.push(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
        }
      }
    }
    await context.close();
  }
  server.closeAllConnections();
  server.close();
}
await browser.close();
for (const problem of new Set(problems)) console.log(problem);
console.log(`${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
