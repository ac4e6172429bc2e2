// What an operator does with a crawl that runs, on its pages: the same for an engine's job and for a crawl by itself.

// `host` has hundreds of URLs that wait.
export function crawl_steps(host) {
  return {
    "find out about a host": async person => {
      await person.goes_to("Frontier");
      await person.field("Host", person.form("Find a host")).fill(host);
      await person.press("Show", person.form("Find a host"));
      await person.sees("Politeness group");
    },
    "give a host orders": async person => {
      const orders = person.form("Delay and budget");
      await person.field("Delay between visits").fill("2s");
      await person.field("Budget of URLs").fill("5000");
      await person.press("Give these orders", orders);
      await person.sees("The orders are in force.");
      await person.press("Retire");
      await person.press("Take up again");
      await person.press("Block");
      await person.press("Block", person.page.getByRole("dialog"));
      await person.press("Unblock");
      await person.button("Block").waitFor();
    },
    "find URLs that wait, and delete some": async person => {
      const form = person.form("URLs that wait");
      const urls = [1, 2, 3, 4, 5].map(number => `http://${host}:1/to-delete/${number}`).join("\n");
      await person.field("URLs", person.form("Add URLs")).fill(urls);
      await person.press("Add", person.form("Add URLs"));
      await person.sees("5 of 5 URLs added");
      await person.field("Host", form).fill(host);
      await person.field("Expression", form).fill("to-delete/[1-3]$");
      await person.press("Show", form);
      await person.sees("3 URLs");
      await person.press("Count, to delete them");
      await person.sees("3 URLs match.");
      await person.press("Delete them");
      await person.sees("3 URLs deleted.");
      await person.sees("No URL waits that matches.");
    },
    "name a site of feeds, and take it away": async person => {
      await person.goes_to("Feeds");
      await person.sees("No site is polled.");
      await person.field("Name").fill("news");
      await person.field("Wait").fill("1h30m");
      await person.field("Feeds").fill(`http://${host}:1/rss http://${host}:1/`);
      await person.press("Poll it");
      await person.sees("The site is polled.");
      await person.sees(`http://${host}:1/rss`);
      await person.press("Remove news");
      await person.press("Remove", person.page.getByRole("dialog"));
      await person.sees("news is polled no more.");
      await person.sees("ended");
    },
    "explain the scope": async person => {
      await person.goes_to("Scope");
      await person.field("URL").fill("http://elsewhere.example/");
      await person.press("Explain");
      await person.sees("It does not belong to the crawl.");
    },
    "change what is live": async person => {
      await person.goes_to("Settings");
      await person.field("Search all sections").fill("limits.max-documents");
      await person.field("limits.max-documents").fill("123456");
      await person.press("See what would change");
      await person.sees("What would change");
      await person.press("Change the running crawl");
      await person.sees("The settings are in force, and kept.");
      await person.sees("set for the crawl");
    },
    "make a sheet": async person => {
      await person.goes_to("Sheets");
      await person.field("Sheet").fill("gentle");
      await person.field("Sites of a new sheet").fill(host);
      await person.field("Settings").fill("politeness.delay=3s");
      await person.press("See what would change");
      await person.press("Change the running crawl");
      await person.page.getByText("gentle", {exact: false}).first().waitFor();
      await person.field("URL or host").fill(host);
      await person.press("Tell");
      await person.sees(`For ${host}: gentle`);
    },
    "read a report": async person => {
      await person.goes_to("Reports");
      await person.field("Report", person.form("Report")).selectOption("hosts-report");
      await person.press("Make it");
      await person.sees(/rows?/);
    },
    "run a script": async person => {
      await person.goes_to("Console");
      await person.field("Script in Lua").fill("6 * 7");
      await person.press("Run");
      await person.sees("42");
    },
    "take a checkpoint": async person => {
      await person.goes_to("Checkpoints");
      await person.field("Name").fill("by-hand");
      await person.press("Take it");
      await person.sees("The checkpoint is on disk.");
      await person.page.getByRole("rowheader", {name: "by-hand"}).waitFor();
    },
  };
}
