// The reason of an abnormal end, found in the end of job.log.
import assert from "node:assert/strict";
import {buildSync} from "esbuild";

const source = new URL("../src/job_log.ts", import.meta.url).pathname;
const {outputFiles} = buildSync({entryPoints: [source], bundle: true, format: "esm", write: false});
const {last_error} = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

const lines = [
  "2026-11-24T17:00:00Z SEVERE an older one",
  "2026-11-24T17:00:01Z INFO launched 20261124170000",
  "2026-11-24T17:00:02Z SEVERE the crawl did not begin: caddis crawl: no memory",
  "2026-11-24T17:00:02Z SEVERE try again",
  "2026-11-24T17:00:03Z INFO SEVERE is a word here",
];
assert.equal(last_error(lines), "the crawl did not begin: caddis crawl: no memory\ntry again");
assert.equal(last_error(["2026-11-24T17:00:00Z INFO built"]), "");
assert.equal(last_error([]), "");
