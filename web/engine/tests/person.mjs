// What the tours share: a browser that does what people do, and complaints about what they would not put up with.
import {createRequire} from "node:module";
import {mkdirSync, readFileSync} from "node:fs";
import {chromium} from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const kPatience = 60_000;

export class Person {
  static async at(address, {width = 1280, scheme = "light", shots = process.env.CADDIS_SHOTS ?? ""} = {}) {
    const self = new Person();
    self.origin = new URL(address).origin;
    self.shots = shots;
    self.prefix = `${width}`;
    self.problems = [];
    self.allowed = [];
    if (shots) mkdirSync(shots, {recursive: true});
    self.browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"]});
    const context = await self.browser.newContext({viewport: {width, height: 800}, colorScheme: scheme, reducedMotion: "reduce", acceptDownloads: true});
    context.setDefaultTimeout(kPatience);
    const page = self.page = await context.newPage();
    page.on("request", request => { if (!request.url().startsWith(self.origin) && !request.url().startsWith("data:")) self.problems.push(`asks elsewhere: ${request.url()}`); });
    page.on("console", message => {
      const text = `${message.text()} ${message.location().url}`;
      if (["error", "warning"].includes(message.type()) && !self.allowed.some(pattern => pattern.test(text))) self.problems.push(`console: ${text}`);
    });
    page.on("pageerror", error => self.problems.push(`error: ${error.message}`));
    return self;
  }

  // As axe and a narrow screen see the page that is shown.
  async look(name) {
    const {page} = this;
    await page.evaluate(axe);
    const found = await page.evaluate(tags => axe.run(document, {runOnly: tags}), kTags);
    for (const one of found.violations) this.problems.push(`${name}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ")}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) this.problems.push(`${name}: ${overflow} pixels wider than the screen`);
    if (this.shots) await page.screenshot({path: `${this.shots}/${this.prefix}_${name.replace(/[^a-z0-9-]+/gi, "_")}.png`, fullPage: true});
  }

  button(name, within = this.page) { return within.getByRole("button", {name, exact: true}); }
  form(name) { return this.page.getByRole("form", {name, exact: true}); }
  field(label, within = this.page) { return within.getByLabel(label, {exact: true}).and(this.page.locator("input, select, textarea")); }
  async press(name, within = this.page) { await this.button(name, within).click(); }
  async sees(text, within = this.page) { await within.getByText(text).first().waitFor(); }
  async goes_to(tab) {
    await this.page.getByRole("navigation", {name: /^Pages of/}).getByRole("link", {name: tab, exact: true}).click();
    await this.page.waitForFunction(() => !document.body.innerText.includes("Asking for"));
  }

  // Ends with what there was to complain of.
  async leave() {
    await this.browser.close();
    for (const problem of new Set(this.problems)) console.log(problem);
    if (this.problems.length > 0) process.exit(1);
  }
}

export async function tour(steps, person) {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(person);
      await person.look(name);
    } catch (error) {
      if (person.shots) await person.page.screenshot({path: `${person.shots}/${person.prefix}_failed.png`, fullPage: true}).catch(() => {});
      console.log(`${name}: ${error.stack}\n${(await person.page.locator("body").innerText().catch(() => "")).slice(0, 3000)}`);
      process.exit(1);
    }
  }
  await person.leave();
}
