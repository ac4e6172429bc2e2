#include "caddis/control/status_page.h"

namespace caddis::control {

namespace {

constexpr std::string_view kStatusPage = R"html(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Caddis crawl</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.3rem; } #state { font-weight: normal; color: #666; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .8rem; }
dt { color: #666; font-size: .85rem; } dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
#standing { color: #a00; } table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #ddd; }
button { margin-right: .5rem; }
</style>
<h1>Caddis crawl <span id="state"></span></h1>
<p><button data-verb="pause">Pause</button><button data-verb="resume">Resume</button><button data-verb="stop">Stop</button></p>
<form id="ask" hidden><p>The crawl printed a token when it began, and keeps it in <code>state/control.token</code> of its folder:
<input name="token" size="64" autocomplete="off"> <button>Show</button></form>
<dl id="figures"></dl>
<p id="limits"></p>
<ul id="standing"></ul>
<h2>Slowest queues</h2>
<table><thead><tr><th>Queue<th>Queued<th>State<th>Waits (s)<th>Last fetch (s)</thead><tbody id="slowest"></tbody></table>
<script>
"use strict";
let token = new URLSearchParams(location.search).get("token");
if (token) { sessionStorage.setItem("token", token); history.replaceState(null, "", "/"); }
else token = sessionStorage.getItem("token") || "";
const ask = (path, method) => fetch(path, {method, headers: {Authorization: "Bearer " + token}});
const form = document.getElementById("ask");
form.onsubmit = event => { event.preventDefault(); token = form.elements.token.value.trim(); sessionStorage.setItem("token", token); refresh(); };
const text = (tag, value) => { const e = document.createElement(tag); e.textContent = value; return e; };
function show(s) {
  document.getElementById("state").textContent = s.state + (s.waits_for ? ": " + s.waits_for : "");
  const figures = [["Documents", s.documents], ["per second", s.documents_per_second.toFixed(1)],
    ["average", s.documents_per_second_average.toFixed(1)], ["MB", (s.bytes / 1e6).toFixed(1)],
    ["MB/s", (s.bytes_per_second / 1e6).toFixed(2)], ["Queued", s.queued], ["Visiting", s.visiting], ["Failed", s.failed],
    ["Excluded", s.excluded], ["Hosts", s.hosts], ["Set aside", s.hosts_aside], ["Elapsed (s)", Math.round(s.elapsed_seconds)]];
  const list = document.getElementById("figures");
  list.replaceChildren(...figures.map(([name, value]) => { const d = document.createElement("div"); d.append(text("dt", name), text("dd", value)); return d; }));
  document.getElementById("limits").textContent = s.limits.map(limit => limit.text).join(", ");
  document.getElementById("standing").replaceChildren(...s.standing.map(lane => text("li", lane.text)));
  document.getElementById("slowest").replaceChildren(...s.slowest.map(q => { const r = document.createElement("tr");
    r.append(text("td", q.queue), text("td", q.queued), text("td", q.state), text("td", q.wait_seconds.toFixed(1)), text("td", q.last_fetch_seconds.toFixed(2))); return r; }));
}
async function refresh() {
  try {
    const answer = await ask("/status", "GET");
    form.hidden = answer.status !== 401;
    if (answer.ok) show(await answer.json());
    else document.getElementById("state").textContent = form.hidden ? (await answer.json()).error : "needs its token";
  }
  catch { document.getElementById("state").textContent = "has ended, or cannot be reached"; }
}
for (const b of document.querySelectorAll("button[data-verb]")) b.onclick = () => ask("/" + b.dataset.verb, "POST").then(refresh);
refresh(); setInterval(refresh, 1000);
</script>
</html>
)html";

}  // namespace

http::ServerResponse status_page() {
  http::ServerResponse page;
  page.headers.emplace_back("Content-Type", "text/html; charset=utf-8");
  page.headers.emplace_back("Content-Security-Policy",
                            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
                            "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  page.body = kStatusPage;
  return page;
}

}  // namespace caddis::control
