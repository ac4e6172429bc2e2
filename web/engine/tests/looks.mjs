// Every page, wide and narrow, light and dark: axe finds no violation, nothing is wider than the screen, no request goes
// elsewhere, and nothing is complained of in the browser's console. node tests/looks.mjs [FOLDER for screenshots]
import {Person} from "./person.mjs";
import {start} from "./fake_engine.mjs";

const tabs = ["", "frontier", "frontier?host=a.example", "feeds", "settings", "sheets", "scope", "logs", "reports", "files", "checkpoints", "console"];
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
  "jobs/old-crawl": page => page.getByText("The launch ended in disorder: the crawl did not begin: no memory").waitFor(),
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

for (const [mode, width] of [["engine", 1280], ["engine", 360], ["crawl", 360]]) {
  const {server, address} = await start(mode);
  const person = await Person.at(address, {width, scheme: width < 500 ? "dark" : "light", shots: process.argv[2]});
  const {page} = person;
  for (const at of pages[mode]) {
    await page.goto(`${address}/#/${at}`);
    await page.reload();
    await page.getByRole("heading", {level: 1}).waitFor();
    await page.waitForFunction(() => !document.body.innerText.includes("Asking for"));
    await person.look(`${mode} ${at || "start"}`);
    if (mode !== "engine" || !presses[at]) continue;
    await presses[at](page);
    await person.look(`${mode} ${at} pressed`);
  }
  await person.leave();
  server.closeAllConnections();
  server.close();
}
