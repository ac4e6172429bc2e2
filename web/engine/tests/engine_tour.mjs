// A person at the pages of an engine: node engine_tour.mjs ADDRESS WIDTH HOST SEEDS [NAME PASSWORD]. It makes a job, does
// with it what there is to do, and deletes it.
import {Person, tour} from "./person.mjs";
import {crawl_steps} from "./crawl_steps.mjs";

const [address, width, host, seeds, user, password] = process.argv.slice(2);
const person = await Person.at(address, {width: Number(width), scheme: Number(width) < 500 ? "dark" : "light"});
const job = `news-${width}`;
// Strangers are answered 401, a job that is deleted 404.
person.allowed.push(/Failed to load resource.*(401|404|409)/);

const has_state = (one, state) => one.page.locator("main .page-head .state").filter({hasText: new RegExp(`^${state}$`)}).waitFor();
const log_in = {
  "log in": async one => {
    await one.page.goto(address);
    await one.field("Name").fill(user);
    await one.field("Password").fill("not the password");
    await one.press("Log in");
    await one.page.getByRole("alert").filter({hasText: /./}).first().waitFor();
    await one.field("Password").fill(password);
    await one.press("Log in");
    await one.page.getByRole("heading", {name: "Jobs", level: 1}).waitFor();
  },
  "add a user": async one => {
    await one.page.getByRole("link", {name: "Users"}).click();
    const form = one.form("New user");
    await one.field("Name", form).fill(`grace-${width}`);
    await one.field("Role", form).selectOption("operator");
    await one.field("Password", form).fill("a-long-password-for-grace");
    await one.press("Add", form);
    await one.sees(`grace-${width} may log in.`);
    await one.press(`Remove grace-${width}`);
    await one.press("Remove", one.page.getByRole("dialog"));
    await one.sees("The user is removed.");
  },
  "make a token": async one => {
    await one.page.getByRole("link", {name: user, exact: true}).click();
    const form = one.form("New token");
    await one.field("What it is for", form).fill("a script");
    await one.press("Make a token", form);
    await one.sees("The token, shown this once:");
  },
};

await tour({
  ...(user ? log_in : {}),
  "see the engine": async one => {
    await one.page.goto(`${address}#/`);
    await one.sees("Disk free");
    await one.field("Begin from").waitFor();
  },
  "create a job from a profile": async one => {
    const form = one.form("New job");
    await one.field("Name", form).fill(job);
    await one.page.waitForFunction(() => document.querySelectorAll("option[value='profile:one-site']").length > 0);
    await one.field("Begin from", form).selectOption("profile:one-site");
    await one.field("Seeds", form).fill(seeds);
    await one.press("Create", form);
    await one.page.getByRole("heading", {name: job, level: 1}).waitFor();
    await has_state(one, "unbuilt");
  },
  "be told what is wrong": async one => {
    await one.goes_to("Settings");
    await one.press("File (YAML)");
    const text = one.page.getByRole("textbox");
    const before = await text.inputValue();
    await text.fill(`${before}\npoliteness: {delay: never}\n`);
    await one.press("Check");
    await one.page.locator(".error").first().waitFor();
    await one.press("Forget the edits");
  },
  "edit settings in forms": async one => {
    await one.press("Form");
    await one.field("Search all sections").fill("crawl.contact");
    await one.field("crawl.contact").fill("https://crawler.example/");
    await one.field("Search all sections").fill("politeness.delay");
    await one.field("politeness.delay").fill("500ms");
    await one.press("Check and save");
    await one.sees("The settings are saved.");
  },
  "read the difference from the profile": async one => {
    await one.press("Difference from the profile");
    await one.sees("crawler.example");
  },
  "build": async one => {
    await one.goes_to("Overview");
    await one.press("Build");
    await has_state(one, "ready");
  },
  "launch": async one => {
    await one.press("Launch");
    await has_state(one, "running");
    await one.page.waitForFunction(() => [...document.querySelectorAll(".figures div")].some(each => /^Documents\n/.test(each.innerText) && !/\n0$/.test(each.innerText)), undefined, {polling: 500});
  },
  ...crawl_steps(host),
  "pause and go on": async one => {
    await one.goes_to("Overview");
    await one.press("Pause");
    await has_state(one, "paus(ed|ing)");
    await one.press("Go on");
    await has_state(one, "running");
  },
  "search a log": async one => {
    await one.goes_to("Logs");
    await one.field("Log").selectOption("crawl.log");
    await one.field("Expression").fill("robots");
    await one.press("Show");
    await one.sees(/[1-9][0-9]* lines?/);
  },
  "terminate": async one => {
    await one.press("Terminate");
    await one.press("Terminate", one.page.getByRole("dialog"));
    await has_state(one, "aborted");
  },
  "read a report of the launch": async one => {
    await one.goes_to("Reports");
    await one.field("Report").selectOption("crawl-report.txt");
    await one.press("Show");
    await one.sees(/Finished/);
  },
  "browse files": async one => {
    await one.goes_to("Files");
    await one.page.getByRole("link", {name: "logs/", exact: true}).click();
    const [download] = await Promise.all([one.page.waitForEvent("download"), one.page.getByRole("link", {name: "crawl.log", exact: true}).click()]);
    if (download.suggestedFilename() !== "crawl.log") throw new Error(`downloads ${download.suggestedFilename()}`);
  },
  "resume": async one => {
    await one.goes_to("Overview");
    await one.press("Resume");
    await has_state(one, "running");
    await one.press("Terminate");
    await one.press("Terminate", one.page.getByRole("dialog"));
    await has_state(one, "aborted");
  },
  "copy": async one => {
    await one.press("Copy");
    const dialog = one.page.getByRole("dialog");
    await one.field("Name of the copy", dialog).fill(`${job}-copy`);
    await one.press("Copy", dialog);
    await one.page.getByRole("heading", {name: `${job}-copy`, level: 1}).waitFor();
  },
  "delete": async one => {
    await one.press("Delete");
    await one.press("Delete for good", one.page.getByRole("dialog"));
    await one.sees(`${job}-copy is deleted.`);
    await one.page.getByRole("link", {name: job, exact: true}).click();
    await one.press("Delete");
    const dialog = one.page.getByRole("dialog");
    await dialog.getByRole("checkbox").check();
    await one.press("Delete for good", dialog);
    await one.sees(`${job} is deleted.`);
    await one.page.getByRole("heading", {name: "Jobs", level: 1}).waitFor();
    await one.page.getByRole("link", {name: job, exact: true}).waitFor({state: "detached"});
  },
  ...(user ? {"log out": async one => { await one.press("Log out"); await one.page.getByRole("heading", {name: "Log in", level: 1}).waitFor(); }} : {}),
}, person);
