"""Pages that reach for what is not theirs: other collections, other sites of their own, and the archive's own pages.

A page says "got NAME what" where it succeeds. Scripts are shown a `top` of their own; Reflect.get(self, 'top') is the browser's. In it, {own} is the origin of the archive's own pages, {beta} and {alpha} the hosts of collections, {at} the timestamp with which
addresses begin, and {name} the page's name. `http://secret.test/` is a capture of beta, and says SECRET.
"""

from escape_ways import FRESH, HTML, RUN_JS, Way, blob_of, page

SECRET = [("http://secret.test/", 200, [("Content-Type", HTML), ("Access-Control-Allow-Origin", "*")], b"<title>SECRET</title><p>SECRET"),
          ("http://secret.test/data.js", 200, [*RUN_JS, ("Access-Control-Allow-Origin", "*")], b"self.leaked = 'SECRET'"),
          ("http://secret.test/sheet.css", 200, [("Content-Type", "text/css")], b"body { --leaked: SECRET }"),
          ("http://secret.test/image.svg", 200, [("Content-Type", "image/svg+xml")], b"<svg xmlns='http://www.w3.org/2000/svg' width='77' height='77'/>"),
          ("http://secret.test/worker.js", 200, RUN_JS, b"self.onconnect = (e) => e.ports[0].postMessage('SECRET'); if (self.postMessage) postMessage('SECRET')")]

NEIGHBOURS = []


def reach(name, code, **more):
    NEIGHBOURS.append(Way(name, page(script=code), **more))


GOT = "console.log('got {name} ' + what)"
# The same capture under every host and path at which it might be found.
PLACES = "const places = (path, kind) => ['{own}', '//{beta}', '//{alpha}', ''].map((origin) => origin + '/beta/{at}' + kind + '/http://secret.test/' + path); const got = (what) => " + GOT + "; "
OWN = ("const own = ['/', '/alpha/', '/beta/', '/alpha/cdx?url=http://{name}.site.test/', '/beta/cdx?url=http://secret.test/', '/alpha/*/http://{name}.site.test/', "
       "'/alpha/timemap/link/http://{name}.site.test/', '/-/go?collection=beta&url=http://secret.test/'].flatMap((path) => ['{own}' + path, '//{alpha}' + path, path]); const got = (what) => " + GOT + "; ")
# What nothing but the archive's own pages and lists has in them; a capture that is missing is told of by a page in the capture's place.
IS_OWN = "(/[/]-[/]style[.]css/.test(text) && !/<title>Not in the archive/.test(text) || /(^|>)test,(site|secret)|rel=.?timemap/m.test(text))"

for modifier in ("mp_", "id_", "js_", "oe_", "if_", ""):
    reach("fetch-other-" + (modifier.strip("_") or "plain"), PLACES + FRESH + f"for (const url of places('', '{modifier}')) for (const mode of ['same-origin', 'include']) "
          "w.fetch(url, {credentials: mode}).then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got(url) }, () => 0)")
reach("fetch-other-wrapped", PLACES + "for (const url of places('', 'id_')) fetch(url).then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got(url) }, () => 0)")
reach("xhr-other", PLACES + FRESH + "for (const url of places('', 'id_')) { const x = new w.XMLHttpRequest; x.onload = () => { if (x.responseText.includes('SECRET')) got(url) }; x.open('GET', url); x.send() }")
reach("frame-other", PLACES + "for (const url of places('', 'mp_')) { const f = document.createElement('iframe'); f.onload = () => { try { if (f.contentDocument.documentElement.textContent.includes('SECRET')) got(url) } "
      "catch {} }; document.body.append(f); f.contentWindow.location = url }")
reach("script-other", PLACES + "for (const url of places('data.js', 'js_')) { const s = document.createElement('script'); s.attributes.setNamedItem(Object.assign(document.createAttribute('src'), {value: url})); "
      "s.onload = () => { if (self.leaked) got(url) }; document.head.append(s) }")
reach("module-other", PLACES + FRESH + "for (const url of places('data.js', 'js_')) w.eval('import(' + JSON.stringify(url) + ')').then(() => { if (w.leaked) got(url) }, () => 0)")
reach("sheet-other", PLACES + "for (const url of places('sheet.css', 'cs_')) { const l = document.createElement('link'); l.rel = 'stylesheet'; l.attributes.setNamedItem(Object.assign(document.createAttribute('href'), "
      "{value: url})); l.onload = () => { if (getComputedStyle(document.body).getPropertyValue('--leaked')) got(url) }; document.head.append(l) }")
reach("image-other", PLACES + "for (const url of places('image.svg', 'im_')) { const i = document.createElement('img'); i.attributes.setNamedItem(Object.assign(document.createAttribute('src'), {value: url})); "
      "i.onload = () => { if (i.naturalWidth === 77) got(url) }; document.body.append(i) }")
reach("worker-other", PLACES + FRESH + "for (const url of places('worker.js', 'js_')) { try { new w.Worker(url).onmessage = () => got(url) } catch {} try { const s = new w.SharedWorker(url); s.port.onmessage = () => got(url) } catch {} }")
reach("worker-fetch-other", PLACES + "for (const url of places('', 'id_')) { const worker = new Worker(" + blob_of("onmessage = (e) => fetch(e.data).then((a) => a.text()).then((text) => postMessage(text), () => 0)", "text/javascript") +
      "); worker.onmessage = (e) => { if (e.data.includes('SECRET')) got(url) }; worker.postMessage(new URL(url, location.href).href) }")
reach("history-then-fetch-other", PLACES + FRESH + "w.History.prototype.pushState.call(history, 0, '', '/beta/{at}mp_/http://secret.test/'); for (const url of places('', 'id_')) "
      "w.fetch(url, {referrer: location.href, referrerPolicy: 'unsafe-url'}).then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got(url) }, () => 0); "
      "w.fetch('http://secret.test/').then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got('by the Referer') }, () => 0)")
reach("stray-other", "const got = (what) => " + GOT + "; " + FRESH + "for (const url of ['/beta/http://secret.test/', '/beta/../beta/{at}id_/http://secret.test/', '/alpha/../beta/{at}id_/http://secret.test/', '/alpha/%2e%2e/beta/{at}id_/http://secret.test/', "
      "'//beta/{at}id_/http://secret.test/', '/alpha/{at}mp_/../../beta/{at}id_/http://secret.test/', '/alpha//../beta/{at}id_/http://secret.test/', '/alpha/{at}id_/{own}/beta/{at}id_/http://secret.test/']) "
      "w.fetch(url).then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got(url) }, () => 0)")
reach("moved-to-other", "const got = (what) => " + GOT + "; " + FRESH + "for (const n of [0, 1, 2]) w.fetch('/alpha/{at}oe_/http://{name}.site.test/m' + n).then((a) => a.text()).then((text) => { if (text.includes('SECRET')) got('m' + n) }, () => 0)",
      more={f"/m{n}": (302, [("Location", to)], "") for n, to in enumerate(["{own}/beta/{at}id_/http://secret.test/", "http://{beta}/beta/{at}id_/http://secret.test/", "/beta/{at}id_/http://secret.test/"])})
reach("own-fetch", OWN + FRESH + f"for (const url of own) w.fetch(url).then((a) => a.text()).then((text) => {{ if ({IS_OWN}) got(url) }}, () => 0)")
reach("own-frame", OWN + f"for (const url of own) {{ const f = document.createElement('iframe'); f.onload = () => {{ try {{ const text = f.contentDocument.documentElement.outerHTML; if ({IS_OWN}) got(url) }} catch {{}} }}; "
      "document.body.append(f); f.contentWindow.location = url }")
reach("own-window", OWN + FRESH + "for (const url of own) { const o = w.open(url, '_blank'); if (o) got('a window of ' + url) } try { Reflect.get(self, 'top').location = '{own}/'; } catch {}")
reach("own-form", OWN + FRESH + "for (const url of own) for (const method of ['get', 'post']) { const i = document.createElement('iframe'); i.name = 'n' + Math.random(); document.body.append(i); const f = document.createElement('form'); "
      "f.attributes.setNamedItem(Object.assign(document.createAttribute('action'), {value: url})); f.method = method; f.target = i.name; document.body.append(f); w.HTMLFormElement.prototype.submit.call(f); "
      f"i.onload = () => {{ try {{ const text = i.contentDocument.documentElement.outerHTML; if ({IS_OWN}) got(url) }} catch {{}} }} }}")
reach("own-document", "const got = (what) => " + GOT + "; for (const win of [Reflect.get(self, 'top'), Reflect.get(self, 'parent'), window.opener]) { if (!win || win === window) continue; try { if (win.document.body) got('the document around it') } catch {} "
      "try { if (win.eval) got('the window around it') } catch {} try { win.name = 'x' } catch {} }")
reach("own-messages", "const bad = ['javascript:console.log(\"got {name} script\")', 'http://{name}.evil.test/', 'data:text/html,x', '//{name}.evil.test/', '../../../..//{name}.evil.test/', 'http://x/../../../../-/go?url=x', "
      "'http:\\\\\\\\{name}.evil.test', '\\t//{name}.evil.test', 'http://{name}.evil.test/#<img src=x onerror=console.log(\"got {name} markup\")>', '<img src=x onerror=console.log(\"got {name} markup\")>', "
      "{toString() { return 'javascript:1' }}.toString(), null, 7, ['http://x/']]; const stamps = ['20260102030405', '', '*', '../..', '2026/../../', 7, null, '20260102030405javascript:', '<b>']; "
      "for (const caddis of ['shown', 'alone', 'go', 'open', 'navigate', '__proto__']) for (const url of bad) for (const timestamp of stamps) for (const target of ['_blank', '_top', 'capture', '<img src=x>']) "
      "{ try { Reflect.get(self, 'top').postMessage({caddis, url, timestamp, target, title: bad[9], previous: bad[0], next: '../../'}, '*') } catch {} } "
      "for (const odd of [null, 1, 'x', [], {caddis: {}}, new Map, new ArrayBuffer(9)]) Reflect.get(self, 'top').postMessage(odd, '*'); for (let i = 0; i < 300; ++i) Reflect.get(self, 'top').postMessage({caddis: 'shown', url: 'http://x/' + i, timestamp: '2026', title: 'x'.repeat(99999)}, '*')")

# What is stored: `put` by one captured site, `look` by another of the same collection, and by another collection.
PUT = ("document.cookie = 'stored=STORED'; localStorage.setItem('stored', 'STORED'); localStorage.other = 'STORED'; sessionStorage.stored = 'STORED'; "
       "if (self.indexedDB) try { indexedDB.open('stored').onsuccess = () => 0 } catch {} if (self.caches) caches.open('stored').catch(() => 0); if (self.cookieStore) cookieStore.set('stored', 'STORED').catch(() => 0);")
LOOK = ("const got = (what) => " + GOT + "; const has = (what, text) => { if (/stored/i.test(text)) got(what) }; "
        "const attempt = (what, read) => { try { Promise.resolve(read()).then((found) => has(what, String(found)), () => 0) } catch {} }; "
        "attempt('a cookie', () => W.document.cookie); attempt('localStorage', () => Object.keys(W.localStorage).join() + W.localStorage.getItem('stored')); "
        "attempt('sessionStorage', () => Object.keys(W.sessionStorage).join()); attempt('a database', async () => (await W.indexedDB.databases()).map((one) => one.name).join()); "
        "attempt('a cache', async () => (await W.caches.keys()).join()); attempt('a cookie of the store', async () => (await W.cookieStore.getAll()).map((one) => one.name).join());")
PUTS = [Way("put", page(script=PUT)), Way("put-native", page(script=FRESH + PUT.replace("document.cookie", "w.document.cookie").replace("localStorage", "w.localStorage").replace("sessionStorage", "w.sessionStorage")
            .replace("self.", "w.").replace("indexedDB.open", "w.indexedDB.open").replace("caches.open", "w.caches.open").replace("cookieStore.set", "w.cookieStore.set")
            + " w.document.cookie = 'none=STORED; SameSite=None; Secure'; w.document.cookie = 'wide=STORED; Domain=localhost; SameSite=None; Secure'; w.document.cookie = 'apart=STORED; SameSite=None; Secure; Partitioned'"),
            headers=[("Set-Cookie", "stored=STORED; Path=/"), ("Set-Cookie2", "stored=STORED"), ("Set-Cookie", "none=STORED; SameSite=None; Secure")])]
# Its own API, another site of the same collection.
LOOKS = [Way("look", page(script=LOOK.replace("W.", "self.")))]
# Natives, in the other collection.
STRANGERS = [Way("look-of-beta", page(script=FRESH + LOOK.replace("W.", "w.")))]
