// An engine for working on the pages: node tests/fake_engine.mjs [crawl]. It serves ../dist/engine and answers with
// documents that have something of everything, so that every part of every page is there to be looked at.
import {createServer} from "node:http";
import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const dist = process.env.CADDIS_WEB ?? join(dirname(fileURLToPath(import.meta.url)), "../../dist/engine");
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const usage = {successes: 1, responses: 2, bytes: 3000, novel_bytes: 3000, cost: 2};
const queue = (origin, state, more = {}) => ({
  queue: origin, queued: 1234, state, wait_seconds: 12.5, visiting_seconds: 0, failures: 0, last_fetch_seconds: 0.35, finished: 99, retries: 1, again: 0,
  knows_robots: true, usage, over_quota: "", retired: false, given_up: 0, ...more,
});
const checkpoint = (name, kept) => ({name, time: "2026-11-24T16:00:00Z", kept, documents: 1200, bytes: 54e6, queued: 4000, seen: 9000});
let state = "running";
let documents = 4711;
const status = () => ({
  state, waits_for: "", elapsed_seconds: 4000, documents: documents += 7, bytes: documents * 21000, failed: 17, excluded: 230, queued: 5120 - documents % 100, seen: 20412,
  visiting: 12, hosts: 120, hosts_aside: 3, late_median_seconds: 0.1, late_p99_seconds: 2, queued_retired: 0, queued_over_quota: 0, review_runs: false, review_asked: 0,
  review_left_out: 0, novel_bytes: 90e6, warc_bytes: 40e6, backlog_bytes: 1000, documents_per_second: 5 + Math.sin(documents), documents_per_second_average: 4.8,
  bytes_per_second: 150e3 + 40e3 * Math.sin(documents), bytes_per_second_average: 140e3, slow_because: "37 of 40 queues wait for the delay of their host.",
  limits: [{name: "max-documents", used: documents, limit: 10000, text: `${documents} of 10000 documents`}, {name: "max-time", used: 4000, limit: 86400, text: "1 h of 24 h"}],
  waits: [{state: "politeness", queues: 37, urls: 4000}, {state: "retry", queues: 3, urls: 12}],
  slowest: [queue("https://www.a-rather-long-name-of-a-host.example.org", "politeness"), queue("http://b.example:8080", "no connection", {failures: 4}), queue("http://c.example", "over quota", {over_quota: "successes"})],
  checkpoints: [checkpoint("20261124150000", false), checkpoint("before-the-holidays", true)],
  standing: [{lane: 1, url: "http://b.example/slow", step: "extract", seconds: 70, text: "Lane 1 has stood in the step extract of http://b.example/slow for 70 s."}],
});
const job = (name, more = {}) => ({
  name, is_profile: false, state: "READY", exit: "", status: "Ready", launch_count: 0, last_launch: "", actions: ["build", "launch", "copy", "delete"],
  documents: 0, bytes: 0, documents_per_second: 0, alerts: 0, ...more,
});
const launches = [
  {name: "20261120080000", started: "2026-11-20T08:00:00Z", ended: "2026-11-22T08:00:00Z", exit: "FINISHED", documents: 90000, bytes: 8e9},
  {name: "20261124170000", started: "2026-11-24T17:00:00Z", ended: "", exit: "", documents: 4711, bytes: 9e7},
];
const jobs = () => [
  job("house-style", {is_profile: true, actions: ["copy", "delete"]}),
  job("news", {state: state === "paused" ? "PAUSED" : "RUNNING", status: state === "paused" ? "Active: PAUSED" : "Active: RUNNING", launch_count: 2, last_launch: "20261124170000",
    actions: [state === "paused" ? "unpause" : "pause", "checkpoint", "terminate", "copy"], documents, bytes: 9e7, documents_per_second: 5.1, alerts: 1}),
  job("old-crawl", {state: "FINISHED", exit: "ABNORMAL", status: "Finished: ABNORMAL", launch_count: 1, last_launch: "20261120080000", actions: ["build", "launch", "resume", "teardown", "copy", "delete"]}),
];
const detail = name => ({
  ...(jobs().find(one => one.name === name) ?? job(name)), config_file: `/srv/jobs/${name}/crawl.yaml`, config_kind: "yaml", launches: name === "news" ? launches : [],
  log_tail: ["2026-11-24T17:00:00Z INFO job built", "2026-11-24T17:00:01Z INFO job launched: 20261124170000", "2026-11-24T17:00:02Z SEVERE the crawl did not begin: no memory"], checkpoints: [checkpoint("20261124150000", false)],
  problems: name === "old-crawl" ? ["crawl.contact is empty: site owners cannot reach you"] : [], crawl: name === "news" ? status() : null,
});
const setting = (name, value, doc, more = {}) => ({name, value, doc, live: true, per_site: false, per_host: false, origins: [{from: "default", value: "0", is_sheet: false, until: ""}], not_now: [], remarks: [], ...more});
const settings = {settings: [
  setting("crawl.contact", "https://example.org/", "A web page or mail address under which site owners reach you.", {live: false, origins: [{from: "default", value: "", is_sheet: false}, {from: "crawl", value: "https://example.org/", is_sheet: false}]}),
  setting("crawl.private", "false", "Only the owner may read the folder of the launch."),
  setting("scope.kind", "host", "What around the seeds belongs to the crawl."),
  setting("scope.exclude", "\\?print=1\n/calendar/", "URLs in which one of these RE2 expressions is found are not crawled.", {per_site: true, origins: [{from: "default", value: "", is_sheet: false}, {from: "calm", value: "x", is_sheet: true}]}),
  setting("politeness.delay", "5s", "How long a host rests after a visit.", {per_host: true, remarks: [{severity: "info", setting: "politeness.delay", text: "politeness.delay is longer than most."}]}),
]};
const kind = (name, type, more = {}) => ({name, type, unit: "", default: "", doc: "", live: true, per_site: false, per_host: false, secret: false, expert: false, range: "", choices: [], ...more});
const schema = {settings: [kind("crawl.contact", "text"), kind("crawl.private", "true or false", {default: "false"}), kind("scope.kind", "choice", {default: "host", choices: ["page", "host", "domain", "any"]}),
  kind("scope.exclude", "list of texts"), kind("politeness.delay", "duration", {default: "0s", range: "at least 0s"})]};
const waiting = url => ({url, via: "https://a.example/", hops: "LL", seed: "https://a.example/", queue: "https://a.example", where: "queue", precedence: "normal", attempt: 1, ahead: 12});
const host = name => ({host: name, known: true, in_memory: true, addresses: ["192.0.2.1"], knows_address: true, blocked: false, retired: false, delay_seconds: 3, sheets: ["calm"], group: name, dns_failures: 0,
  aside: false, given_up: 0, wait_seconds: 2, last_fetch_seconds: 0.2, finished: 20, usage, in_inbox: 0, visiting: "", visiting_seconds: 0, queues: [queue(`https://${name}`, "politeness")]});
const sheets = {sheets: [{name: "calm", sites: ["a.example", "b.example"], urls: [], times: ["Mo-Fr 08:00-18:00"], when: "", settings: [{name: "politeness.delay", value: "20s"}]}]};

const control = {
  "GET /status": () => status(),
  "GET /queues": query => query.get("all") ? {queues: [queue("https://a.example", "ready")], marker: query.get("marker") ? "" : "m1"} : status().slowest,
  "GET /urls": query => ({urls: [waiting(`https://a.example/page/${query.get("marker") || 1}?with=a-long-query&that=does-not-end&so=it-has-to-break`)], marker: query.get("marker") ? "" : "2"}),
  "GET /url": query => ({url: query.get("url"), seen: true, visiting: false, visiting_seconds: 0, waits: [waiting(query.get("url"))], sheets: ["calm"], host: host("a.example")}),
  "POST /urls": () => ({given: 1, added: 1, over_budget: 0}),
  "POST /urls/delete": query => query.get("dry") ? {would_delete: 42, marker: ""} : {deleted: 42, marker: ""},
  "GET /visits": () => ({running: 2, visits: [{url: "https://a.example/video.mp4", pipeline: "url", step: "fetch", step_seconds: 31, seconds: 32, lane: 0}, {url: "https://b.example/robots.txt", pipeline: "robots", step: "fetch", step_seconds: 1, seconds: 1.2, lane: 1}]}),
  "GET /feeds": () => ({sites: [{name: "news.example", source: "settings", state: "waiting", active: true, wait_seconds: 5400, round: 12, last_poll: "2026-11-24T12:00:00Z",
    next_poll: "2026-11-24T13:30:00Z", in_progress: 0, items: 240, implied: 12, derived: 600, captured: 860, failed: 2, cut_rounds: 0, feeds: [
      {url: "https://news.example/rss", title: "News", form: "RSS 2.0", newest: "2026-11-24T11:58:00Z", last_fetch: "2026-11-24T12:00:00Z", last_found: "2026-11-24T12:00:00Z",
        not_before: "", items: 240, fetches: 12, unchanged: 3, failures: 0, trouble: "", implied_pages: ["https://news.example/"]},
      {url: "https://news.example/sport", title: "", form: "", newest: "", last_fetch: "2026-11-24T12:00:00Z", last_found: "", not_before: "2026-11-24T18:00:00Z", items: 0, fetches: 4,
        unchanged: 0, failures: 4, trouble: "it is answered with the status 404", implied_pages: []}]}]}),
  "GET /reports": () => ({reports: [{name: "hosts-report", title: "Hosts"}, {name: "mimetype-report", title: "Media types"}]}),
  "GET /settings": () => settings,
  "POST /settings": query => ({applied: !query.get("dry"), changes: [{name: "politeness.delay", before: "5s", after: "9s"}], remarks: []}),
  "GET /sheets": () => sheets,
  "GET /scope": query => ({url: query.get("url"), accepted: true, rule: "host", detail: "", explanation: "The host is that of a seed.", sheets: ["calm"], rules: [{rule: "accept seeds", name: "scope.kind", verdict: "accept", reason: "host of a seed"}, {rule: "reject hops > 20", name: "scope.max-hops", verdict: "-", reason: ""}]}),
  "POST /console": () => ({output: "running\n", incomplete: false}),
  "POST /checkpoint": () => checkpoint("now", true),
  "POST /pause": () => { state = "paused"; return status(); },
  "POST /resume": () => { state = "running"; return status(); },
  "POST /stop": () => status(),
};
function answer_control(method, path, query) {
  if (path.startsWith("/hosts/")) return host(decodeURIComponent(path.slice(7)));
  if (path.startsWith("/reports/")) return {report: "hosts-report", title: "Hosts", columns: ["host", "urls"], rows: [{host: "a.example", urls: 12}, {host: "b.example", urls: 1}]};
  return control[`${method} ${path}`]?.(query);
}
const profile = {profile: "broad", lines: ["-politeness.delay=0s", "+politeness.delay=5s"]};
const folder = path => path.startsWith("logs") ? [{name: "crawl.log", is_folder: false, bytes: 12345}] : path.startsWith("reports") ? [{name: "hosts-report.txt", is_folder: false, bytes: 99}]
  : [{name: "logs", is_folder: true, bytes: 0}, {name: "reports", is_folder: true, bytes: 0}, {name: "crawl.yaml", is_folder: false, bytes: 300}];
function answer_engine(method, path, query) {
  switch (`${method} ${path}`) {
    case "GET /api/me": return {name: "ada", role: "admin"};
    case "GET /api/engine": return {version: "0.1.0", jobs_dir: "/srv/jobs", started: "2026-11-24T08:00:00Z", processors: 8, memory: {total: 16e9, available: 9e9}, disk: {total: 1e12, free: 3e10}, max_running: 4, running: 1, allowance: {memory: 8e9, processors: 0, bandwidth: 5e6, disk: 0}};
    case "GET /api/jobs": return {jobs: jobs()};
    case "POST /api/jobs": return detail("new");
    case "GET /api/profiles": return {profiles: [{name: "broad", summary: "The web around many seeds: many hosts, a little of each.", is_job: false}, {name: "house-style", summary: "", is_job: true}]};
    case "GET /api/schema": return schema;
    case "GET /api/users": return {users: [{name: "ada", role: "admin", tokens: 1}, {name: "grace", role: "operator", tokens: 0}]};
    case "GET /api/tokens": return {tokens: [{id: "a1", user: "ada", purpose: "cron", role: "operator", expires: "2027-01-01T00:00:00Z"}]};
  }
  const [, name, rest = ""] = /^\/api\/jobs\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (!name) return undefined;
  if (rest.startsWith("/control/")) return answer_control(method, rest.slice(8), query);
  if (rest === "/config") return method === "GET" ? "# of the house\npoliteness:\n  delay: 5s  # they asked for it\n" : {ok: true, errors: [], remarks: []};
  if (rest === "/config/check") return {ok: true, errors: [], remarks: [{severity: "info", setting: "politeness.delay", text: "politeness.delay is longer than most."}]};
  if (rest === "/config/diff") return profile;
  if (rest === "/settings") return settings;
  const [, , part, inner = ""] = /^\/launches\/([^/]+)\/(files|logs)\/(.*)$/.exec(rest) ?? [];
  if (part === "logs" && inner.startsWith("progress")) return {lines: Array.from({length: 90}, (_, at) => `${new Date(Date.now() - 20e3 * (at + 1)).toISOString()}  20000  ${5000 - at}  ${9000 - at}  ${(4 + Math.sin(at / 5)).toFixed(2)}(4.00)  ${90 + at}(100)  ${20 - Math.floor(at / 9)}  3`), next: null};
  if (part === "logs") return {lines: ["2026-11-24T17:00:02.123Z   200       5120 https://a.example/ - - text/html #001 20261124170002+123 sha1:AAAA - -", "2026-11-24T17:00:03.001Z   404        512 https://a.example/missing L https://a.example/ text/html #001 - - -"], next: query.get("from") ? null : 77};
  if (part === "files") return inner === "" || inner.endsWith("/") ? {files: folder(inner)} : "report: one\n";
  if (method === "POST" && rest === "/pause") state = "paused";
  if (method === "POST" && rest === "/unpause") state = "running";
  return detail(name);
}

export function start(mode) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://x");
    const path = decodeURIComponent(url.pathname);
    if (path === "/") {
      response.writeHead(200, {"Content-Type": "text/html", "Content-Security-Policy": policy});
      return response.end(readFileSync(join(dist, "index.html"), "utf8").replace('data-mode="engine"', `data-mode="${mode}"`));
    }
    if (path.startsWith("/assets/")) {
      response.writeHead(200, {"Content-Type": path.endsWith("js") ? "text/javascript" : "text/css"});
      return response.end(readFileSync(join(dist, path.slice(8))));
    }
    if (path === "/api/events") {
      response.writeHead(200, {"Content-Type": "text/event-stream"});
      return response.write(`event: job\ndata: ${JSON.stringify(jobs()[1])}\n\n`);
    }
    const answer = mode === "engine" ? answer_engine(request.method, path, url.searchParams) : answer_control(request.method, path, url.searchParams);
    response.writeHead(answer === undefined ? 404 : 200, {"Content-Type": "application/json"});
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {error: `there is no ${request.method} ${path}`}));
  });
  return new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve({server, address: `http://127.0.0.1:${server.address().port}`})));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await start(process.argv[2] ?? "engine")).address);
