// What the pages show a curator: node curator_tour.mjs ADDRESS WIDTH USER PASSWORD OWN-JOB OTHER-JOB. Plans can be made, jobs of
// the curator's own harvests steered; buttons for all else are not there.
import {Person, tour} from "../../engine/tests/person.mjs";

const [address, width, user, password, own, other] = process.argv.slice(2);
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

await tour({
  "log in": async one => {
    await one.page.goto(address);
    await one.field("Name").fill(user);
    await one.field("Password").fill(password);
    await one.press("Log in");
    await one.page.getByRole("heading", {name: "Archive", level: 1}).waitFor();
    await has_none(one, "a link to users", one.page.getByRole("link", {name: "Users", exact: true}));
  },
  "see changes with their values": async one => {
    await one.page.getByText("changed: comments").first().click();
    await one.sees("a newspaper");
  },
  "plan": async one => {
    await goes_to(one, "Harvests");
    await one.form("New harvest").waitFor();
    await goes_to(one, "Schedules");
    await one.form("New schedule").waitFor();
  },
  "leave machines alone": async one => {
    await goes_to(one, "Templates");
    await has_none(one, "a form for templates", one.form("New template"));
    await goes_to(one, "Stores");
    await has_none(one, "a button", one.page.getByRole("button", {name: /^Check/}));
    await goes_to(one, "Traps, channels", "Traps and channels");
    await has_none(one, "a form for fields", one.form("Field"));
  },
  "steer own jobs alone": async one => {
    await goes_to(one, "Jobs");
    await one.page.getByRole("button", {name: `Withdraw job ${own}`}).waitFor();
    await has_none(one, "a button", one.page.getByRole("button", {name: `Withdraw job ${other}`}));
  },
}, person);
