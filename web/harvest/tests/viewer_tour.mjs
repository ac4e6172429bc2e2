// What the pages show a viewer: node viewer_tour.mjs ADDRESS WIDTH USER PASSWORD JUDGED-JOB OTHER-JOB. All of domains, harvests
// and jobs but secrets, and nothing to change them with.
import {Person, tour} from "../../engine/tests/person.mjs";

const [address, width, user, password, judged, other] = process.argv.slice(2);
const person = await Person.at(address, {width: Number(width)});
person.allowed.push(/Failed to load resource.*401/);

const goes_to = async (one, part, heading) => {
  await one.page.getByRole("navigation", {name: "Archive"}).getByRole("link", {name: part, exact: true}).click();
  await one.page.getByRole("heading", {name: heading ?? part, level: 1}).waitFor();
  await one.page.waitForFunction(() => !document.body.innerText.includes("Asking for"));
};
const has_none = async (one, what, locator) => {
  if (await locator.count() > 0) throw new Error(`there is ${what}`);
};
const row_of = (one, name) => one.page.getByRole("row").filter({has: one.page.getByRole("rowheader", {name, exact: true})});

await tour({
  "log in": async one => {
    await one.page.goto(address);
    await one.field("Name").fill(user);
    await one.field("Password").fill(password);
    await one.press("Log in");
    await one.page.getByRole("heading", {name: "Archive", level: 1}).waitFor();
  },
  "look at a domain": async one => {
    await goes_to(one, "Domains");
    await one.page.getByRole("link", {name: "a.example", exact: true}).click();
    for (const text of ["a newspaper", "http://a.example/start", ".*calendar.*", "subscribers", "max-hops: 3", "language", "Danish"]) await one.sees(text);
    await row_of(one, "defaultconfig for snapshots").getByText("4,321").waitFor();
    await has_none(one, "a form", one.form("The domain"));
    await has_none(one, "a password", one.page.getByText("very secret"));
  },
  "look at a harvest": async one => {
    await goes_to(one, "Harvests");
    await one.page.getByRole("link", {name: "news", exact: true}).click();
    for (const text of ["weekly: every week", "for researchers", "the front pages", ".*login.*", "600 seconds", "Why domains stopped"]) await one.sees(text);
    await row_of(one, "0").first().waitFor();
    await has_none(one, "a form", one.form("The harvest"));
  },
  "find jobs that nobody has looked at": async one => {
    await goes_to(one, "Jobs");
    await row_of(one, judged).getByText("accepted").waitFor();
    await row_of(one, other).getByText("not yet looked at").waitFor();
  },
  "look at a job": async one => {
    await one.page.getByRole("link", {name: judged, exact: true}).click();
    await one.sees("It was accepted: good enough.");
    await row_of(one, "a.example").first().getByText("4,321").first().waitFor();
    await has_none(one, "a form", one.form("Verdict"));
  },
}, person);
