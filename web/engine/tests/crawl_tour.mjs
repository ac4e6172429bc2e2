// A person at the page of `caddis crawl --listen`: node crawl_tour.mjs ADDRESS WIDTH HOST. The crawl is paused.
import {Person, tour} from "./person.mjs";
import {crawl_steps} from "./crawl_steps.mjs";

const [address, width, host] = process.argv.slice(2);
const person = await Person.at(address, {width: Number(width), scheme: Number(width) < 500 ? "dark" : "light"});
// A token that is wrong or missing is answered 401, and the end of a crawl cuts its connections.
person.allowed.push(/401/, /Failed to load resource/);
await tour({
  "ask for the token": async one => {
    await one.page.goto(new URL("/", address).href);
    await one.sees("This crawl asks for its token");
    await one.field("Token").fill("0".repeat(64));
    await one.press("Show");
    await one.sees("This is not the token of the crawl.");
  },
  "open the printed page": async one => {
    await one.page.goto(address);
    await one.button("Go on").waitFor();
    if (one.page.url().includes("token")) throw new Error("the token stays in the address");
  },
  "let it go on": async one => {
    await one.press("Go on");
    await one.button("Pause").waitFor();
    await one.page.waitForFunction(() => [...document.querySelectorAll(".figures div")].some(each => /^Documents\n/.test(each.innerText) && !/\n0$/.test(each.innerText)), undefined, {polling: 500});
  },
  ...crawl_steps(host),
  "stop it": async one => {
    await one.press("Stop");
    await one.page.getByRole("dialog").waitFor();
    await one.press("Stop", one.page.getByRole("dialog"));
    await one.sees("The crawl has ended, or cannot be reached.");
  },
}, person);
