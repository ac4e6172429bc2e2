// A curator's day: node harvest_tour.mjs ADDRESS WIDTH DOMAIN SEED. A domain, a schedule, a selective harvest, its job, its
// result, and where to browse it.
import {Person, tour} from "../../engine/tests/person.mjs";

const [address, width, domain, seed] = process.argv.slice(2);
const person = await Person.at(address, {width: Number(width), scheme: Number(width) < 500 ? "dark" : "light"});
person.allowed.push(/Failed to load resource.*(400|404|409)/);

const goes_to = async (one, part, heading) => {
  await one.page.getByRole("navigation", {name: "Archive"}).getByRole("link", {name: part, exact: true}).click();
  await one.page.getByRole("heading", {name: heading ?? part, level: 1}).waitFor();
  await one.page.waitForFunction(() => !document.body.innerText.includes("Asking for"));
};

await tour({
  "see the archive": async one => {
    await one.page.goto(address);
    await one.page.getByRole("heading", {name: "Archive", level: 1}).waitFor();
    await one.page.getByRole("rowheader", {name: "local", exact: true}).waitFor();
  },
  "create domains": async one => {
    await goes_to(one, "Domains");
    const form = one.form("New domains");
    await one.field("Names", form).fill(`${domain}\nnot a domain\nother-${width}.example`);
    await one.press("Create", form);
    await one.sees("2 domains created; 0 were there; 1 line wrong.");
    await one.page.getByRole("rowheader", {name: "2", exact: true}).waitFor();
  },
  "find a domain": async one => {
    await one.field("Part of the name").fill(domain.slice(0, 4));
    await one.page.getByRole("link", {name: domain, exact: true}).click();
    await one.page.getByRole("heading", {name: domain, level: 1}).waitFor();
    await one.sees("Nothing was harvested yet.");
  },
  "give it seeds and limits": async one => {
    const form = one.form("The domain");
    await one.field("Seeds", form).fill(`# the front page\n${seed}`);
    await one.field("Most objects", form).fill("100");
    await one.field("Comments", form).fill("a newspaper");
    await one.press("Save", form);
    await one.sees("The domain was saved.");
    await one.page.reload();
    await one.page.getByRole("heading", {name: domain, level: 1}).waitFor();
    if (await one.field("Most objects", form).inputValue() !== "100") throw new Error("the limit was not saved");
  },
  "be told what is wrong": async one => {
    const form = one.form("The domain");
    await one.field("Crawler traps", form).fill("(");
    await one.press("Save", form);
    await one.page.getByRole("alert").filter({hasText: "crawler traps"}).first().waitFor();
    await one.page.reload();
    await one.page.getByRole("heading", {name: domain, level: 1}).waitFor();
  },
  "make a field": async one => {
    await goes_to(one, "Traps, channels", "Traps and channels");
    const form = one.form("Field");
    await one.field("Name", form).fill(`language ${width}`);
    await one.field("Kind", form).selectOption("choice");
    await one.field("Choices", form).fill("da\nde");
    await one.press("Save", form);
    await one.page.getByRole("rowheader", {name: `language ${width}`, exact: true}).waitFor();
  },
  "give it credentials and a language": async one => {
    await goes_to(one, "Domains");
    await one.field("Part of the name").fill(domain);
    await one.page.getByRole("link", {name: domain, exact: true}).click();
    const form = one.form("The domain");
    await one.press("Add credentials", form);
    await one.field("User name", form).fill("archive");
    await one.field("Password", form).fill("secret");
    await one.field("Realm", form).fill("subscribers");
    await one.field(`language ${width}`, form).selectOption("da");
    await one.press("Save", form);
    await one.sees("The domain was saved.");
    await one.page.reload();
    await one.sees("Empty: it stays as it is.");
    if (await one.field(`language ${width}`, form).inputValue() !== "da") throw new Error("the field was not saved");
    // What is renamed stays what it was.
    await one.field("Name of the credentials", form).fill("subscription");
    await form.getByRole("group", {name: "List of seeds defaultseeds", exact: true}).getByLabel("Name").fill("front page");
    await one.press("Save", form);
    await one.sees("The domain was saved.");
    await one.page.reload();
    await one.sees("Empty: it stays as it is.");
    if (!await form.getByRole("checkbox", {name: "front page"}).isChecked()) throw new Error("the configuration has lost its seeds");
    // They are of no use for a server that asks for none.
    await one.press("Remove subscription", form);
    await one.press("Save", form);
    await one.sees("The domain was saved.");
  },
  "call a domain an alias": async one => {
    await goes_to(one, "Domains");
    await one.field("Part of the name").fill(`other-${width}`);
    await one.page.getByRole("link", {name: `other-${width}.example`, exact: true}).click();
    await one.page.getByRole("heading", {name: `other-${width}.example`, level: 1}).waitFor();
    const form = one.form("The domain");
    await one.field("Alias of", form).fill(domain);
    await one.press("Save", form);
    await one.sees("The domain was saved.");
    await goes_to(one, "Domains");
    await one.page.getByRole("link", {name: "Domains with the pages of others"}).click();
    await one.press(`Confirm other-${width}.example`);
    await one.sees(`other-${width}.example is confirmed.`);
  },
  "resubmit jobs that have failed": async one => {
    await goes_to(one, "Jobs");
    await one.field("State").selectOption("FAILED");
    await one.field("Harvest").fill("nothing is called so");
    await one.field("Harvest").press("Tab");
    await one.sees("No job has failed.");
    await one.field("Harvest").fill(`broken ${width}`);
    await one.field("Harvest").press("Tab");
    await one.page.getByText("The harvest: a person says so").first().waitFor();
    await one.press("Choose all");
    await one.press("Resubmit 2 jobs");
    await one.sees("They were resubmitted.");
    await one.sees("No job has failed.");
    await one.field("Harvest").fill("");
    await one.field("Harvest").press("Tab");
  },
  "withdraw jobs that wait": async one => {
    await goes_to(one, "Harvests");
    await one.page.getByRole("link", {name: `broken ${width}`, exact: true}).click();
    await one.press("Withdraw the jobs that wait");
    await one.press("Withdraw", one.page.getByRole("dialog"));
    await one.sees("2 jobs withdrawn.");
    await one.page.getByRole("button", {name: /^Take job \d+ up again$/}).first().click();
    await one.page.getByRole("button", {name: /^Resubmit job \d+$/}).first().waitFor();
  },
  "steer a job that runs": async one => {
    await goes_to(one, "Jobs");
    await one.field("State").selectOption("STARTED");
    await one.page.getByRole("row").filter({hasText: "endless"}).getByRole("rowheader").getByRole("link").click();
    await one.page.getByRole("heading", {name: /^Job \d+$/, level: 1}).waitFor();
    await one.page.getByRole("rowheader", {name: /^http:\/\/www\.endless\.example/}).first().waitFor();
    const limits = one.form("Limits");
    await one.field("Most objects of a domain", limits).fill(String(90_000 + Number(width)));
    await one.press("Change the limits", limits);
    await one.sees("The crawl is told within seconds.");
    const logs = one.form("Search its logs");
    await one.field("Expression", logs).fill("/0|robots");
    await one.press("Search", logs);
    await one.page.getByRole("group", {name: "Lines"}).waitFor();
  },
  "change the frontier of a job that runs": async one => {
    const waiting = one.form("URLs that wait");
    await one.field("Expression", waiting).fill("endless.example");
    await one.press("Show", waiting);
    await one.page.getByRole("rowheader", {name: /endless\.example.*\/\d+$/}).first().waitFor();
    await one.field("Expression", waiting).fill("nothing-has-this");
    await one.press("Show", waiting);
    await one.sees("No URL waits that matches.");
    await one.press("Count, to delete them");
    await one.sees("0 URLs match.");
    await one.press("Keep them");
    const script = one.form("Script");
    await one.field("Script in Lua", script).fill("print(20 + 3)");
    await one.press("Run", script);
    await one.page.getByRole("group", {name: "Output"}).filter({hasText: "23"}).waitFor();
  },
  "see how it went": async one => {
    // A sample a minute is kept.
    await one.page.getByRole("heading", {name: "How it went"}).waitFor({timeout: 150_000});
    await one.page.getByText(/^Documents a second:/).first().waitFor();
  },
  "make a schedule": async one => {
    await goes_to(one, "Schedules");
    const form = one.form("New schedule");
    await one.field("Name", form).fill(`twice a week ${width}`);
    await one.field("Unit", form).selectOption("hour");
    await one.field("So many times", form).fill("2");
    await one.press("Create", form);
    await one.sees("every hour (UTC), 2 times");
    await one.press(`Change twice a week ${width}`);
    await one.field("Comments", one.form("The schedule")).fill("for papers");
    await one.press("Save", one.form("The schedule"));
    await one.sees("for papers");
  },
  "make a harvest": async one => {
    await goes_to(one, "Harvests");
    const form = one.form("New harvest");
    await one.field("Name", form).fill(`papers ${width}`);
    await one.page.getByRole("option", {name: `twice a week ${width}: every hour (UTC), 2 times`}).waitFor({state: "attached"});
    await one.field("Schedule", form).selectOption(`twice a week ${width}`);
    await one.press("Create", form);
    await one.page.getByRole("heading", {name: `papers ${width}`, level: 1}).waitFor();
    const domains = one.form("Add domains");
    await one.field("Domains", domains).fill(domain);
    await one.press("Add domains", domains);
    await one.sees("1 configuration added; 0 domains created.");
  },
  "run it": async one => {
    await one.press("Activate");
    await one.page.locator(".state").filter({hasText: /^active$/}).first().waitFor();
    await one.page.locator(".state").filter({hasText: /^done$/}).first().waitFor({timeout: 180_000});
  },
  "run it once more": async one => {
    await one.press("Run now");
    await one.sees("It runs once more, at once.");
    await one.page.locator(".state").filter({hasText: /^done$/}).nth(1).waitFor({timeout: 180_000});
  },
  "see its result": async one => {
    await one.page.getByRole("cell", {name: "completed", exact: true}).first().waitFor();
    await one.page.getByRole("table", {name: "Runs"}).getByRole("rowheader", {name: "1", exact: true}).waitFor();
    await one.field("Stopped").selectOption("size-limit");
    await one.sees("Nothing stopped for that.");
    await one.field("Stopped").selectOption("completed");
    await one.page.locator("table").first().getByRole("rowheader").first().getByRole("link").click();
    await one.page.getByRole("heading", {name: /^Job \d+$/, level: 1}).waitFor();
    for (const name of ["Its domains", "Results"]) await one.page.getByRole("table", {name}).getByRole("rowheader", {name: domain, exact: true}).waitFor();
    await one.page.getByRole("link", {name: "Browse the archive"}).waitFor();
  },
  "browse what it has harvested": async one => {
    await one.press("Show this job alone");
    const place = await one.page.getByRole("link", {name: "Pages of this job"}).getAttribute("href");
    const other = await one.page.context().newPage();
    await other.goto(place);
    await other.getByRole("heading", {name: /^Job \d+: /}).first().waitFor();
    await other.goto(`${place}2/${seed}`);
    await other.frameLocator("iframe").first().getByText("next").waitFor();
    if (one.shots) await other.screenshot({path: `${one.shots}/${width}_capture.png`});
    await other.goto(await one.page.getByRole("link", {name: "what they ask for and do not get"}).getAttribute("href"));
    await other.getByRole("heading", {level: 1}).first().waitFor();
    if (one.shots) await other.screenshot({path: `${one.shots}/${width}_missed.png`});
    await other.close();
  },
  "see what it has missed": async one => {
    await one.page.getByRole("rowheader", {name: /\/gone\.png$/}).waitFor();
    await one.press("Make them seeds");
    await one.sees("1 URL became seeds");
    const logs = one.form("Search its logs");
    await one.field("Expression", logs).fill("gone");
    await one.press("Search", logs);
    await one.page.getByRole("group", {name: "Lines"}).filter({hasText: "gone.png"}).waitFor();
    await one.page.getByText("Reports and logs as text").click();
    await one.press("Show crawl-report.txt");
    await one.page.getByRole("group", {name: "crawl-report.txt"}).waitFor();
  },
  "judge it": async one => {
    const form = one.form("Verdict");
    await one.field("Note", form).fill("looks complete");
    await one.press("Keep the verdict", form);
    await one.sees("It was accepted: looks complete.");
  },
  "base a snapshot on another": async one => {
    const planned = async (name, more) => (await fetch(`${address}api/harvests${name}`, more)).json();
    const create = name => planned("", {method: "POST", body: JSON.stringify({name, kind: "snapshot"})});
    await create(`2025 ${width}`);
    await goes_to(one, "Harvests");
    const form = one.form("New harvest");
    await one.field("Name", form).fill(`2025 step 2 ${width}`);
    await one.field("Kind", form).selectOption("snapshot");
    await one.field("Goes on with", form).selectOption(`2025 ${width}`);
    // Somebody else plans, too.
    await create(`2026 ${width}`);
    await one.page.getByRole("link", {name: `2026 ${width}`, exact: true}).waitFor();
    await one.press("Create", form);
    await one.page.getByRole("heading", {name: `2025 step 2 ${width}`, level: 1}).waitFor();
    const saved = async () => (await planned(`/2025%20step%202%20${width}`)).based_on;
    if (await saved() !== `2025 ${width}`) throw new Error("what it goes on with was forgotten");
    // Without the list of harvests, too.
    const lists = /\/api\/harvests$/;
    await one.page.route(lists, route => route.fulfill({status: 404, body: ""}));
    await one.page.reload();
    await one.field("Comments", one.form("The harvest")).fill("large domains");
    await one.press("Save", one.form("The harvest"));
    await one.sees("The harvest was saved.");
    await one.page.unroute(lists);
    if (await saved() !== `2025 ${width}`) throw new Error("what it goes on with was forgotten with a comment");
  },
  "look at templates": async one => {
    await goes_to(one, "Templates");
    await one.page.getByRole("link", {name: "default", exact: true}).click();
    await one.page.getByRole("heading", {name: "default", level: 1}).waitFor();
  },
  "look at traps and channels": async one => {
    await goes_to(one, "Traps, channels", "Traps and channels");
    const form = one.form("List of traps");
    await one.field("Name", form).fill(`calendars ${width}`);
    await one.field("Expressions", form).fill(".*calendar.*");
    await one.press("Save", form);
    await one.sees("The list was saved.");
    await one.press("Change FOCUSED");
    const channel = one.form("The channel");
    await one.sees("It is the default.");
    await one.field("Comments", channel).fill(`papers at ${width}`);
    await one.press("Save FOCUSED", channel);
    await one.page.getByRole("cell", {name: `papers at ${width}`, exact: true}).waitFor();
  },
  "look at stores": async one => {
    await goes_to(one, "Stores");
    await one.page.getByRole("rowheader", {name: "archive", exact: true}).waitFor();
    await one.press("Check archive");
    await one.sees("will be looked at");
  },
}, person);
