"""Two small sites for features of scripts, served live on loopback, and the same responses as a WARC file of an earlier year."""

import gzip
import http.server
import json
import subprocess
import threading
import uuid

import harness
import png
from replay_features import FEATURES

CAPTURED = "2021-05-06T07:08:09Z"
STAMP = "20210506070809"
POSTS = ["q=one", "q=two"]

# What each page of features begins with. The features run one after the other once the page is there.
HARNESS = """
window.features = []; window.results = {};
function feature(name, run) { features.push([name, run]); }
function inFrame(path, act, look) {
  return new Promise((done) => {
    const frame = document.createElement('iframe');
    let loads = 0;
    const place = (w) => w.location.pathname + w.location.search;
    // Where it gets to, once that is another page.
    const arrive = (times) => {
      const w = frame.contentWindow;
      if (times > 0 && (place(w) === path || w.document.readyState !== 'complete')) return setTimeout(() => arrive(times - 1), 50);
      done(place(w) + w.document.title);
    };
    frame.onload = () => {
      if (++loads > 1 && !look) return;
      const finish = () => {
        if (!look) return arrive(60);
        setTimeout(() => { try { done(look(frame.contentWindow)); } catch (e) { done('failed: ' + e.message); } }, 150);
      };
      try { act(frame.contentWindow, finish); } catch (e) { done('threw ' + e.name); }
    };
    frame.src = path;
    document.body.append(frame);
  });
}
function talk(path, origin, message) {
  return new Promise((done) => {
    const frame = document.createElement('iframe');
    const timer = setTimeout(() => done('silence'), 2500);
    const listen = (e) => { if (e.source !== frame.contentWindow) return; removeEventListener('message', listen); clearTimeout(timer); done([e.data, e.origin]); };
    addEventListener('message', listen);
    frame.onload = () => frame.contentWindow.postMessage(message, origin);
    frame.src = path;
    document.body.append(frame);
  });
}
function worker(url, message, options) {
  return new Promise((done) => {
    const w = new Worker(url, options);
    w.onmessage = (e) => { done(e.data); w.terminate(); };
    w.onerror = (e) => { e.preventDefault && e.preventDefault(); done('error: ' + e.message); };
    w.postMessage(message);
  });
}
function told(value) { try { const text = JSON.stringify(value); return text === undefined ? String(value) : text; } catch (e) { return 'untold'; } }
addEventListener('load', async () => {
  for (const [name, run] of features) {
    let result;
    try { result = told(await Promise.race([run(), new Promise((done) => setTimeout(() => done('too late'), 15000))])); } catch (e) { result = 'threw ' + e.name + ': ' + e.message; }
    window.results[name] = result;
  }
  window.finished = true;
});
"""

HEAD = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Features</title>
<link rel="stylesheet" href="/style.css"><script>__harness__</script>
<script type="importmap">{"imports": {"named": "/mod/a.js", "pre/": "/mod/", "far": "__other__/mod.js"}}</script>
<script src="/lib.js"></script>
<script type="module">import {name} from './mod/a.js'; window.inlineModule = [name, import.meta.url]</script>
<script type="module">import {name} from '__site__/mod/a.js'; window.inlineAbsolute = name</script>
<script type="module">import {name} from '__other__/mod.js'; window.inlineOther = name</script>
<script>window.topThis = this === window && this.location.host; var declaredVar = 1; let declaredLet = 2; function declaredFunction() { return 3; }</script>
</head><body>
<a id="link" href="/dir/linked?a=b#c">linked</a><a href="/linked">l</a><a id="fragment" href="#there">f</a>
<button id="button" onclick="window.clicked2 = [location.host, this.id, event.type]">b</button>
<img id="image" src="/img.png"><p id="styled">s</p><p id="imported">i</p>
<p id="styled2"></p><p id="styled3"></p><p id="styled4"></p><p id="styled5"></p>
<a id="told1" class="told" href="__other__/x">t</a><a id="told2" class="told" href="/rel">t</a><a id="told3" class="told" href="page.html">t</a>
<a id="told4" class="told" href="http://example.org/x" ping="/counts">t</a><form id="toldForm" class="told" action="/s"></form>
<img id="set" srcset="/img.png 1x, img2.png 2x" alt=""><p id="inlined" style="background: url(/img.png)">i</p><style>.told[href^='http'] { letter-spacing: 4px }</style>
<div id="declared"><template shadowrootmode="open"><a href="/declared">d</a></template></div>
<template id="template"><img src="/t.png"></template>
"""

MODULES = {
    "a.js": "export const name = 'a';",
    "b.js": "import {name} from './a.js'; export const fromA = name; export const sum = 1 + 1;",
    "once.js": "export default {};",
    "meta.js": "export const url = import.meta.url; export const asset = new URL('./x.png', import.meta.url).href;"
               " export const resolved = import.meta.resolve('./a.js');",
    "absolute.js": "import {name} from '__site__/mod/a.js'; import * as b from '/mod/b.js'; export const value = name + b.sum;",
    "cross.js": "import {name} from '__other__/mod.js'; export const value = name;",
    "reexport.js": "export {name} from './a.js'; export * from '/mod/b.js'; export * as all from './a.js';",
    "location.js": "export const href = [location.href, window.location.pathname, top === window]; export const self = typeof this;",
    "await.js": "const m = await import('/mod/a.js'); export const value = m.name;",
    "calls.js": "import {name} from './a.js'; window.ran(name + ' ran');",
    "cycle1.js": "import {two} from './cycle2.js'; export const one = () => 1; export const value = two();",
    "cycle2.js": "import {one} from './cycle1.js'; export const two = () => one() + 1;",
    "starts.js": "export const start = () => new Promise((done) => { const w = new Worker(new URL('../workers/echo.js', import.meta.url));"
                 " w.onmessage = (e) => done(e.data); w.postMessage('href'); });",
}

WORKERS = {
    "echo.js": """onmessage = async (e) => {
  const done = (x) => postMessage(x);
  switch (e.data) {
    case 'href': return done(self.location.href);
    case 'location': return done([location.pathname, location.host, String(location), location.origin]);
    case 'self': return done([self.location === location, self === globalThis, typeof window]);
    case 'origin': return done([self.origin, origin]);
    case 'fetch': return done(await (await fetch('/data.json')).text());
    case 'relative': return done((await fetch('../data.json')).url);
    case 'xhr': { const x = new XMLHttpRequest(); x.open('GET', '/data.json', false); x.send(); return done([x.responseText, x.responseURL]); }
    case 'eval': return done(eval('location.host') + (0, eval)('self.location.port'));
    case 'function': return done(new Function('return location.host')());
    case 'timer': self.timed = done; return setTimeout('timed(location.host)', 0);
    case 'import': return done((await import('/mod/a.js')).name);
    case 'year': return done(new Date().getFullYear());
    case 'url': return done(new URL('x', location).href);
    default: return done(typeof e.data);
  }
};""",
    "imports.js": "importScripts('part.js', '/lib.js'); onmessage = (e) => { if (e.data) importScripts('__other__/calls2.js'.replace('calls2', 'part'));"
                  " postMessage([part, libName, typeof otherPart]); };",
    "part.js": "var part = 'part of ' + self.location.pathname.length;",
    "module.js": "import {name} from '../mod/a.js'; onmessage = (e) => postMessage(e.data === 'location' ? location.href : e.data === 'meta' ?"
                 " import.meta.url : [name, typeof importScripts]);",
    "strict.js": "'use strict'; onmessage = () => { try { undeclared = 1; postMessage('sloppy'); } catch (e) { postMessage(e.name); } };",
    "shared.js": "onconnect = (e) => e.ports[0].postMessage([self.location.href, typeof SharedWorkerGlobalScope]);",
    "nested.js": "onmessage = () => { const w = new Worker('echo.js'); w.onmessage = (e) => postMessage(e.data); w.postMessage('href'); };",
    "fails.js": "\nthrow new Error('on purpose');",
}

PAGES = {
    "/frame.html": "<title>one</title><body>one",
    "/frame2.html": "<title>two</title><body>two",
    "/referrer.html": "<body><script>document.body.textContent = document.referrer</script>",
    "/refresh.html": "<meta http-equiv=refresh content='0; url=/frame2.html'><body>",
    "/tells.html": "<body><script>window.told = [parent !== window, parent === top, parent.location.pathname];"
                   " window.topHref = top.location.href;</script>",
    "/talks.html": "<body><script>onmessage = (e) => e.source.postMessage([e.data, e.origin, location.host, e.source === parent], e.origin)</script>",
    "/puts.html": "<body><script>localStorage.setItem('put', 'by frame')</script>",
    "/got?q=1": "<body>got it",
    "/stores.html": "<body><script>onmessage = (e) => { const had = localStorage.getItem('shared'); localStorage.setItem('own', '1');"
                    " e.source.postMessage(had, '*'); }</script>",
    "/leaves.html": """<body><a id=a href="/frame2.html">x</a><script>
const how = location.search.slice(1);
if (how === 'location') location = '/frame2.html';
if (how === 'href') location.href = 'frame2.html';
if (how === 'assign') location.assign('/frame2.html');
if (how === 'document') document.location = '/frame2.html';
if (how === 'window') window.location = new URL('/frame2.html', location);
if (how === 'search') location.search = '?reached';
if (how === 'javascript') document.getElementById('a').href = 'javascript:void(location = "/frame2.html")', document.getElementById('a').click();
</script>""",
    "/writes.html": """<body><script>
const how = location.search.slice(1);
if (how === 'text') document.write('written ' + location.pathname);
if (how === 'link') document.write('<a href="/x?a=1&amp;b=2">x</a>');
if (how === 'script') document.write('<script>window.written = location.host + (top === parent)<\\/script>');
if (how === 'src') document.write('<script src="/lib.js"><\\/script>');
if (how === 'parts') { document.write('<script>'); document.write('window.written = location.pathname'); document.write('<\\/script>'); }
if (how === 'split') { document.write('<a hr'); document.write('ef="/x">x</a>'); }
if (how === 'writeln') { document.writeln('<i>1</i>'); document.writeln('<i>2</i>'); }
if (how === 'image') document.write('<img src="/img.png">');
if (how === 'style') document.write('<style>body { color: rgb(1, 1, 1) }</style>');
if (how === 'sheet') document.write('<link rel=stylesheet href="/added.css">');
if (how === 'late') addEventListener('load', () => setTimeout(() => { document.write('<p>late</p><script>window.written = location.search<\\/script>'); document.close(); }, 10));
</script>""",
}


def _response(body, kind, status="200 OK", more=()):
    data = body.encode() if isinstance(body, str) else body
    return status, [("Content-Type", kind), *more], data


def _part(body, asked):
    """What is answered where "bytes=FIRST-LAST" is asked for: status line, field, body."""
    first, last = (int(number or len(body) - 1) for number in asked.removeprefix("bytes=").split("-"))
    if first >= len(body):
        return "416 Range Not Satisfiable", ("Content-Range", f"bytes */{len(body)}"), b""
    return "206 Partial Content", ("Content-Range", f"bytes {first}-{last}/{len(body)}"), body[first:last + 1]


class ReplaySite:
    """`responses` maps (host, path with query) to (status line, fields, body); `captured` has those that were not captured so."""

    def __init__(self):
        self.responses, self.captured = {}, {}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.site, self.other = f"site.localhost:{self.port}", f"other.localhost:{self.port}"
        self._fill()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def _handler(site):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                found = site.responses.get((self.headers["Host"], self.path))
                status, fields, body = found or ("404 Not Found", [("Content-Type", "text/plain")], b"nothing")
                if ("Accept-Ranges", "bytes") in fields and "Range" in self.headers:
                    status, field, body = _part(body, self.headers["Range"])
                    fields = [*fields, field]
                self._answer(status, fields, body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path != "/echo":
                    return self._answer("204 No Content", [], b"")
                return self._answer("200 OK", [("Content-Type", "text/plain")], b"posted " + body)

            def _answer(self, status, fields, body):
                code, _, reason = status.partition(" ")
                self.send_response(int(code), reason)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def text(self, text):
        return text.replace("__site__", f"http://{self.site}").replace("__other__", f"http://{self.other}").replace("$other", f"http://{self.other}")

    def add(self, path, body, kind, host=None, **more):
        if isinstance(body, str):
            body = self.text(body)
        self.responses[(host or self.site, path)] = _response(body, kind, **more)

    def page_of(self, column):
        return f"/features-{list(FEATURES).index(column)}.html"

    def _page(self, column):
        body = self.text(HEAD).replace("__harness__", HARNESS)
        for name, code in FEATURES[column]:
            code = self.text(code).replace("$page", self.page_of(column))
            body += f"<script>feature({json.dumps(name)}, async function () {{ {code} }})</script>\n"
        return body

    def _fill(self):
        script, page, cors = "text/javascript", "text/html; charset=utf-8", {"more": [("Access-Control-Allow-Origin", "*")]}
        for column in FEATURES:
            self.add(self.page_of(column), self._page(column), page,
                     more=[("Set-Cookie", "served=yes; Path=/"), ("Set-Cookie", "hidden=1; HttpOnly"), ("Last-Modified", "Sun, 03 May 2020 04:05:06 GMT")])
        for path, body in PAGES.items():
            self.add(path, body, page)
            for how in ("location", "href", "assign", "document", "window", "search", "javascript", "reached") if path == "/leaves.html" else \
                    ("text", "link", "script", "src", "parts", "split", "writeln", "image", "style", "sheet", "late") if path == "/writes.html" else ():
                self.add(f"{path}?{how}", body, page)
        for name, body in MODULES.items():
            self.add(f"/mod/{name}", body, script)
        for name, body in WORKERS.items():
            self.add(f"/workers/{name}", body, script)
        picture, picture2 = png.encode(7, 5, (10, 20, 30)), png.encode(9, 9, (90, 20, 30))
        self.add("/img.png", picture, "image/png")
        self.add("/img.png", picture2, "image/png", host=self.other, **cors)
        self.add("/data.json", '{"a": [1, "/x"]}', "application/json", more=[("X-Kind", "plain"), ("ETag", '"e1"')])
        self.add("/data.json", '{"b": 2}', "application/json", host=self.other, **cors)
        ranges = ("Accept-Ranges", "bytes")
        self.add("/big.bin", bytes(1000), "application/octet-stream", more=[ranges])
        self.add("/big.bin", bytes(1000), "application/octet-stream", host=self.other, more=[ranges, *cors["more"]])
        self.add("/part.bin", bytes(1000), "application/octet-stream", more=[ranges])
        status, field, body = _part(bytes(1000), "bytes=50-599")
        self.captured[self.site, "/part.bin"] = _response(body, "application/octet-stream", status, [ranges, field])
        self.add("/redirect", "", "text/plain", status="302 Found", more=[("Location", "/data.json")])
        self.add("/missing-known", "none", "text/plain", status="404 Not Found")
        self.add("/lib.js", "var libName = 'lib'; window = globalThis; window.classicSrc = typeof document === 'undefined' ? '' : document.currentScript.src;"
                            " function fromLib() { return location.host; } var fromClassic; if (typeof document !== 'undefined') import('./mod/a.js').then((m) => { fromClassic = m.name; });",
                 script)
        self.add("/calls.js", "calledBack([location.host, this === window, document.currentScript.src])", script)
        self.add("/calls2.js", "calledBack2([location.host, document.currentScript.src])", script, host=self.other)
        self.add("/part.js", "", script)
        self.add("/part.js", "var otherPart = 'other';", script, host=self.other)
        self.add("/worklet.js", "registerProcessor('x', class extends AudioWorkletProcessor { process() { return false; } })", script)
        self.add("/jsonp.js?callback=cb", 'cb({"location": "x", "top": [1]})', script)
        self.add("/throws.js", "\n\nthrow new TypeError('thrown on purpose')", script)
        self.add("/fragment.html", '<b>bold</b><a href="/x">x</a><script>var never = location.href</script>', page)
        self.add("/style.css", "@import 'imported.css'; #styled { color: rgb(1, 2, 3); background: url(/img.png) }"
                 ' .told[href^="http"] { color: rgb(1, 1, 9) } .told[href^="/"] { background: rgb(1, 9, 1) } .told[href="page.html"] { text-indent: 9px }'
                 ' .told[href^="http"]:not([href*="example.org"])::after { content: " ext" } form[action="/s"] { padding: 7px }', "text/css")
        self.add("/imported.css", "#imported { color: rgb(7, 8, 9) }", "text/css")
        self.add("/added.css", "#styled5 { color: rgb(5, 5, 5) } body { font-weight: 700 }", "text/css")
        self.add("/sheet.css", "a { color: red } b { color: blue }", "text/css")
        self.add("/other.css", "i { color: red }", "text/css", host=self.other)
        self.add("/mod.js", "export const name = 'far';", script, host=self.other, **cors)
        for path in ("/talks.html", "/stores.html"):
            self.add(path, PAGES[path], page, host=self.other)

    def write_collection(self, folder):
        """The responses, as if they had been captured in another year, in a collection with an index; those to POST under
        the keys that tools of the field give them."""
        lines = write_responses(folder, ((f"http://{host}{target}", *response) for (host, target), response in {**self.responses, **self.captured}.items()))
        archive, indexes = folder / "archive", folder / "indexes"
        url = f"http://{self.site}/echo"
        with open(archive / "posts.warc.gz", "wb") as out:
            for query in POSTS:
                offset = out.tell()
                record = _record(url, "200 OK", [("Content-Type", "text/plain")], f"posted {query}".encode())
                out.write(record)
                data = {"url": url, "mime": "text/plain", "status": "200", "length": str(len(record)), "offset": str(offset),
                        "filename": "posts.warc.gz", "method": "POST", "requestBody": query}
                lines.append(f"localhost,site:{self.port})/echo?__wb_method=post&{query} {STAMP} {json.dumps(data)}")
        (indexes / "index.cdxj").write_text("".join(f"{line}\n" for line in sorted(lines)))
        return folder


def write_responses(folder, responses):
    """Makes the folders of a collection, and a WARC file of (URL, status line, fields, body). Returns the lines of its index."""
    archive, indexes = folder / "archive", folder / "indexes"
    archive.mkdir(parents=True)
    indexes.mkdir()
    with open(archive / "pages.warc.gz", "wb") as out:
        for response in responses:
            out.write(_record(*response))
    done = subprocess.run([harness.BINARY, "index", "add", str(archive / "pages.warc.gz"), "--out", str(folder / "pages.cdxj")],
                          capture_output=True, text=True, timeout=120, check=False, env=harness.clean_environment(folder))
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    lines = (folder / "pages.cdxj").read_text().splitlines()
    (folder / "pages.cdxj").unlink()
    return lines


def _record(url, status, fields, body):
    head = f"HTTP/1.1 {status}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields)
    block = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    return gzip.compress((f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nWARC-Date: {CAPTURED}\r\n"
                          f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
                          f"Content-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n")
