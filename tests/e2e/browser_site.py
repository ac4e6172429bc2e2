"""A site for browsers: what a page is made of today, and pages that try to load from, and to leave to, another host.

Served by nginx on loopback as site.localhost. Nothing ever answers at the other host.
"""

import pathlib
import shutil
import tempfile

import png
from local_site import free_port, start_nginx

SERVER = """
  server {{
    listen 127.0.0.1:{port}; server_name site.localhost; root {root};
    gzip on; gzip_min_length 1; gzip_types text/css text/javascript application/json;
  }}"""

INDEX = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>A page of today</title>
<link rel="stylesheet" href="css/main.css">
<style>#inline {{ background: url('img/inline.png'); height: 20px }}</style>
</head><body>
<h1>Caddis — larvae &amp; cases</h1>
<p id="inline"></p><p id="sheet"></p><p id="imported"></p>
<p style="background: url(&quot;/img/style.png&quot;); height: 20px"></p>
<img src="/img/plain.png" alt="plain"> <img srcset="img/one.png 1x, img/two.png 2x" alt="set">
<picture><source srcset="{origin}/img/source.png" type="image/png"><img src="img/plain.png" alt="source"></picture>
<iframe src="frame/inner.html" width="300" height="80"></iframe>
<p id="script">not yet</p><p id="fetched">not yet</p><p id="place"></p>
<p><a href="{origin}/second.html">second</a> <a href="leaks.html">leaks</a> <a href="leaves.html">leaves</a></p>
<script src="js/main.js"></script>
</body></html>
"""

SCRIPT = """'use strict';
document.getElementById('script').textContent = 'written by the script';
document.getElementById('place').textContent = document.URL;
const image = new Image();
image.src = 'img/scripted.png';
document.body.append(image);
const holder = document.createElement('div');
holder.innerHTML = '<img src="/img/markup.png" alt="markup">';
document.body.append(holder);
fetch('data/words.json').then((answer) => answer.json()).then((words) => {
  document.getElementById('fetched').textContent = words.join(' ');
});
"""

LEAKS = """<!DOCTYPE html>
<html><head><title>Leaks</title>
<link rel="preconnect" href="{other}"><link rel="dns-prefetch" href="{other}"><link rel="preload" as="image" href="{other}/1.png">
<link rel="stylesheet" href="{other}/2.css"><style>@import "{other}/3.css"; body {{ background: url({other}/4.png) }}</style>
</head><body background="{other}/5.png">
<h1>Leaks</h1>
<img src="{other}/6.png"><img srcset="{other}/7.png 1x"><img src="//{other_host}/8.png"><iframe src="{other}/9.html"></iframe>
<iframe src="leaves.html"></iframe><iframe srcdoc="<img src='{other}/10.png'>"></iframe>
<svg><image href="{other}/11.png"/></svg><object data="{other}/12"></object><video src="{other}/13" poster="{other}/14.png"></video>
<script src="{other}/15.js"></script><script type="module">import '{other}/16.js';</script>
<a href="{other}/17.html">away</a>
<script>
const other = '{other}';
const tries = [
  () => fetch(other + '/20'), () => {{ new Image().src = other + '/21.png'; }}, () => navigator.sendBeacon(other + '/22'),
  () => {{ const call = new XMLHttpRequest(); call.open('GET', other + '/23'); call.send(); }},
  () => new WebSocket('ws:' + other.slice(5) + '/24'), () => new EventSource(other + '/25'),
  () => document.body.insertAdjacentHTML('beforeend', '<img src="' + other + '/26.png">'),
  () => {{ document.body.style.backgroundImage = 'url(' + other + '/27.png)'; }},
  () => document.write('<script src="' + other + '/28.js"><\\/script>'), () => import(other + '/29.js'),
  () => {{ const set = document.createElement('img'); set.setAttribute('srcset', other + '/30.png 1x'); document.body.append(set); }},
  () => new Worker(URL.createObjectURL(new Blob(['fetch("' + other + '/31")']))),
];
document.body.append('calls: ' + typeof RTCPeerConnection);
for (const attempt of tries) try {{ Promise.resolve(attempt()).catch(() => 0); }} catch {{ }}
</script>
<p id="end">all tried</p>
</body></html>
"""

LEAVES = """<!DOCTYPE html>
<html><head><title>Leaves</title></head><body>leaving<script>location = '{other}/left.html';</script></body></html>
"""


class BrowserSite:
    def __init__(self):
        self.files = {}

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="caddis-site-"))
        self.work.chmod(0o755)
        self.port = free_port()
        self.host = f"site.localhost:{self.port}"
        self.other_host = f"elsewhere.localhost:{free_port()}"
        self._write()
        self.server = start_nginx(self.work, self.port, SERVER.format(port=self.port, root=self.work / "www"))
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.work)

    def stop(self):
        if self.server.poll() is None:
            self.server.terminate()
            self.server.wait()

    @property
    def seeds(self):
        return [self.url("/index.html")]

    def url(self, path):
        return f"http://{self.host}{path}"

    def _write(self):
        names = {"origin": f"http://{self.host}", "other": f"http://{self.other_host}", "other_host": self.other_host}
        self._add("/index.html", INDEX.format(**names))
        self._add("/second.html", "<!DOCTYPE html><title>Second</title><p>second</p>")
        self._add("/frame/inner.html", '<!DOCTYPE html><link rel="stylesheet" href="../css/frame.css"><p>inner</p>'
                                       '<img src="../img/inner.png">')
        self._add("/css/main.css", '@import "more/imported.css";\n#sheet { background: url(../img/sheet.png); height: 20px }\n')
        self._add("/css/more/imported.css", "#imported { background: url('../../img/imported.png') repeat-x; height: 20px }\n")
        self._add("/css/frame.css", "body { background: #eec }\n")
        self._add("/js/main.js", SCRIPT)
        self._add("/data/words.json", '["fetched", "by", "the", "script"]')
        self._add("/leaks.html", LEAKS.format(**names))
        self._add("/leaves.html", LEAVES.format(**names))
        images = ["inline", "sheet", "imported", "style", "plain", "one", "two", "source", "scripted", "markup", "inner"]
        for number, name in enumerate(images):
            self._add(f"/img/{name}.png", png.encode(20 + 4 * number, 24, (20 * number, 250 - 20 * number, 128)))

    def _add(self, path, content):
        body = content if isinstance(content, bytes) else content.encode()
        target = self.work / "www" / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body)
        self.files[self.url(path)] = body
