"""Small features of the web, each a line of script with a known effect on the live page: FEATURES[column] is a list of
(name, code). The code is the body of a function in a page; it returns a value, or a promise of one. `$other` is another site.

What a feature has to give is what the live page gives in the same run, but for those in EXPECTED: time and chance.
"""

import re

FEATURES = {}
EXPECTED = {"year": "2021", "File without a time": "2021", "times of loading": "[2021,0,0]", "Temporal": "2021", "date of an answer": "null", "year of Date.now": "2021", "Intl format of now": '"2021"'}


def _add(column, text):
    """A line each: "name:: expression" or "name:= statements"."""
    for line in text.strip().split("\n"):
        name, kind, code = re.match("(.*?)(::|:=) (.*)", line).groups()
        FEATURES.setdefault(column, []).append((name, f"return {code}" if kind == "::" else code))


_add("fetch, POST", """
fetch json:: fetch('/data.json').then((r) => r.json())
fetch relative:: fetch('data.json').then((r) => r.text())
fetch absolute:: fetch(location.origin + '/data.json').then((r) => r.text())
fetch other site:: fetch('$other/data.json').then((r) => r.text())
fetch protocol-relative:: fetch('//' + location.host + '/data.json').then((r) => r.text())
fetch URL object:: fetch(new URL('/data.json', location)).then((r) => r.text())
Response.url:: fetch('/data.json').then((r) => r.url)
Response.url other site:: fetch('$other/data.json').then((r) => r.url)
Response.redirected:: fetch('/redirect').then((r) => [r.redirected, r.url])
Request.url:: new Request('/data.json').url
Request relative:: new Request('sub/x').url
fetch Request:: fetch(new Request('/data.json')).then((r) => r.text())
Request clone:: fetch(new Request('/data.json').clone()).then((r) => r.url)
response header:: fetch('/data.json').then((r) => r.headers.get('x-kind'))
response header has:: fetch('/data.json').then((r) => r.headers.has('X-Kind'))
etag:: fetch('/data.json').then((r) => r.headers.get('etag'))
status 404:: fetch('/missing-known').then((r) => r.status)
fetch script text:: fetch('/lib.js').then((r) => r.text())
fetch html text:: fetch('/fragment.html').then((r) => r.text())
fetch css text:: fetch('/style.css').then((r) => r.text())
fetch blob:: fetch('/img.png').then((r) => r.blob()).then((b) => [b.size, b.type])
fetch range of array:: fetch('/img.png').then((r) => r.arrayBuffer()).then((b) => b.byteLength)
XHR:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/data.json'); x.onload = () => done(x.responseText); x.send(); })
XHR responseURL:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', 'data.json'); x.onload = () => done(x.responseURL); x.send(); })
XHR sync:= const x = new XMLHttpRequest(); x.open('GET', '/data.json', false); x.send(); return x.responseText
XHR json:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/data.json'); x.responseType = 'json'; x.onload = () => done(x.response); x.send(); })
XHR header:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/data.json'); x.onload = () => done(x.getResponseHeader('X-Kind')); x.send(); })
fields of an answer:: fetch('/data.json').then((r) => [...r.headers].filter(([name]) => name !== 'server' && name !== 'date'))
fields of an answer by name:: fetch('/data.json').then((r) => [r.headers.get('link'), r.headers.has('memento-datetime'), r.headers.get('content-security-policy'), r.headers === r.headers])
fields each:= const names = []; (await fetch('/data.json')).headers.forEach((value, name) => names.push(name)); return names.includes('x-kind') && !names.some((name) => /archive|memento|allowlist|policy/.test(name))
fields of an own answer:: [...new Response('x', {headers: {'X-Archive-Orig-A': 'b'}}).headers.keys()]
fields of another site:: fetch('$other/data.json').then((r) => [...r.headers.keys()])
date of an answer:: fetch('/data.json').then((r) => r.headers.get('date'))
Response.redirect:: Response.redirect('/r').headers.get('location')
Request.referrer:: [new Request('/x', {referrer: '/y'}).referrer, new Request('/x').referrer, new Request('/x', {referrer: ''}).referrer]
XHR fields:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/data.json'); x.onload = () => done(x.getAllResponseHeaders().split('\\r\\n').filter((line) => !/^(server|date):/.test(line))); x.send(); })
XHR fields of another site:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '$other/data.json'); x.onload = () => done([x.getAllResponseHeaders(), x.getResponseHeader('content-type')]); x.send(); })
XHR document:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/fragment.html'); x.responseType = 'document'; x.onload = () => done(x.response.querySelector('b').textContent); x.send(); })
range:: fetch('/big.bin', {headers: {Range: 'bytes=100-199'}}).then((r) => [r.status, r.headers.get('content-range'), r.headers.get('content-length')])
range of a captured part:: fetch('/part.bin', {headers: {Range: 'bytes=100-199'}}).then((r) => [r.status, r.headers.get('content-range'), r.headers.get('content-length')])
range of another site:: fetch('$other/big.bin', {headers: {Range: 'bytes=100-199'}}).then((r) => [r.status, r.headers.get('content-range'), r.headers.get('content-length')])
range beyond the end:: fetch('/big.bin', {headers: {Range: 'bytes=1000-'}}).then((r) => [r.status, r.headers.get('content-range')])
XHR range:: new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/big.bin'); x.setRequestHeader('Range', 'bytes=100-'); x.onload = () => done([x.status, x.getResponseHeader('Content-Range'), x.getResponseHeader('Content-Length')]); x.send(); })
sendBeacon:: navigator.sendBeacon('/beacon', 'x')
EventSource url:= const s = new EventSource('/events'); const u = s.url; s.close(); return u
WebSocket url:= const s = new WebSocket('ws://' + location.host + '/socket'); const u = s.url; s.close(); return u
fetch integrity:: fetch('/data.json', {integrity: 'sha256-tSqOvsTfSy0Sp5pqE0AgOEcfgHBe0UZP6jf1BZB9K9c='}).then((r) => r.ok, (e) => 'refused').then(() => 'settled')
fetch data URL:: fetch('data:text/plain,hello').then((r) => r.text())
fetch blob URL:: fetch(URL.createObjectURL(new Blob(['hi']))).then((r) => r.text())
post form:: fetch('/echo', {method: 'POST', body: new URLSearchParams({q: 'one'})}).then((r) => r.text())
post other form:: fetch('/echo', {method: 'POST', body: new URLSearchParams({q: 'two'})}).then((r) => r.text())
""")

_add("modules", """
import():: import('/mod/a.js').then((m) => m.name)
import() relative:: import('./mod/a.js').then((m) => m.name)
import() absolute:: import(location.origin + '/mod/a.js').then((m) => m.name)
import() other site:: import('$other/mod.js').then((m) => m.name)
import() of a variable:= const path = '/mod/' + 'b.js'; return import(path).then((m) => m.sum)
import() twice is once:: Promise.all([import('/mod/once.js'), import('./mod/once.js')]).then(([a, b]) => a === b)
import.meta.url:: import('/mod/meta.js').then((m) => m.url)
import.meta.url asset:: import('/mod/meta.js').then((m) => m.asset)
import.meta.resolve:: import('/mod/meta.js').then((m) => m.resolved)
nested relative:: import('/mod/b.js').then((m) => m.fromA)
absolute in module:: import('/mod/absolute.js').then((m) => m.value)
cross-origin in module:: import('/mod/cross.js').then((m) => m.value)
export from:: import('/mod/reexport.js').then((m) => Object.keys(m).sort())
export star as:: import('/mod/reexport.js').then((m) => m.all.name)
location in module:: import('/mod/location.js').then((m) => m.href)
this in module:: import('/mod/location.js').then((m) => m.self)
top-level await:: import('/mod/await.js').then((m) => m.value)
json module:: import('/data.json', {with: {type: 'json'}}).then((m) => m.default)
css module:: import('/sheet.css', {with: {type: 'css'}}).then((m) => m.default.cssRules.length)
blob module:: import(URL.createObjectURL(new Blob(['export const v = location.pathname'], {type: 'text/javascript'}))).then((m) => m.v)
blob module imports:: import(URL.createObjectURL(new Blob([`import {name} from "${location.origin}/mod/a.js"; export const v = name`], {type: 'text/javascript'}))).then((m) => m.v)
data module:: import('data:text/javascript,export const v = location.host').then((m) => m.v)
import map name:: import('named').then((m) => m.name)
import map prefix:: import('pre/a.js').then((m) => m.name)
import map absolute:: import('far').then((m) => m.name)
inline module script:: window.inlineModule
inline module absolute:: window.inlineAbsolute
inline module other site:: window.inlineOther
module added:: new Promise((done) => { window.added = done; const s = document.createElement('script'); s.type = 'module'; s.textContent = 'import {name} from "/mod/a.js"; window.added(name + import.meta.url)'; document.head.append(s); })
module src added:: new Promise((done) => { window.ran = done; const s = document.createElement('script'); s.type = 'module'; s.src = '/mod/calls.js'; document.head.append(s); })
modulepreload:: new Promise((done) => { const l = document.createElement('link'); l.rel = 'modulepreload'; l.href = '/mod/a.js'; l.onload = () => done('loaded'); l.onerror = () => done('failed'); document.head.append(l); })
cyclic:: import('/mod/cycle1.js').then((m) => m.value)
import() from classic file:: window.fromClassic
""")

_add("location, URLs", """
location.href:: location.href
location.origin:: location.origin
location.host:: location.host
location.hostname:: location.hostname
location.port:: location.port
location.protocol:: location.protocol
location.pathname:: location.pathname
location.search:: location.search
location.hash:: location.hash
location as string:: '' + location
location toString:: location.toString()
String(location):: String(location)
location equals:: location == document.URL
window.location:: window.location.href
document.location:: document.location.pathname
self.location:: self.location.host
globalThis.location:: globalThis.location.host
window["location"]:: window['location'].host
window[key]:= const key = 'loca' + 'tion'; return window[key].host
destructured:= const {location: l} = window; return l.host
destructured short:= const {pathname, host} = location; return [pathname, host]
destructured twice:= const {location: {host}} = window; return host
passed on:: (function (w, d, l) { return [w.location.host, d.location.host, l.host]; })(window, document, location)
location instanceof:: location instanceof Location
location by its descriptor:: [Object.getOwnPropertyDescriptor(window, 'location').get.call(window).href, Object.getOwnPropertyDescriptor(document, 'location').get.call(document) === location, typeof Reflect.getOwnPropertyDescriptor(window, 'location').set]
tag of location:: Object.prototype.toString.call(location)
JSON of location:: JSON.stringify(location)
same object:: window.location === location && document.location === location
window.origin:: [window.origin, origin, self.origin]
document.URL:: document.URL
documentURI:: document.documentURI
baseURI:: document.baseURI
element baseURI:: document.body.baseURI
document.domain:: document.domain
defaultView:: document.defaultView.location.host
a.href:= const a = document.createElement('a'); a.href = '/x/y?z#h'; return [a.href, a.host, a.hostname, a.port, a.pathname, a.search, a.hash, a.protocol, a.origin]
a.href relative:= const a = document.createElement('a'); a.href = 'x'; return a.href
a in markup:: document.getElementById('link').href
a.pathname in markup:: document.getElementById('link').pathname
a.toString:: String(document.getElementById('link'))
a.pathname set:= const a = document.createElement('a'); a.href = '/x'; a.pathname = '/y'; a.search = '?q'; return a.href
getAttribute after set:= const a = document.createElement('a'); a.setAttribute('href', '/x'); return a.getAttribute('href')
getAttribute after property:= const a = document.createElement('a'); a.href = 'sub/x'; return a.getAttribute('href')
img.src:= const i = new Image(); i.src = '/img.png'; return [i.src, i.getAttribute('src')]
form.action:= const f = document.createElement('form'); f.action = '/go'; return f.action
form.action default:: document.createElement('form').action
script.src:: document.querySelector('script[src]').src
link.href:: document.querySelector('link[rel=stylesheet]').href
currentScript:: window.classicSrc
hash set:= location.hash = '#new'; const h = [location.hash, location.href]; history.replaceState(null, '', location.pathname); return h
hashchange:: new Promise((done) => { addEventListener('hashchange', (e) => { const r = [e.oldURL, e.newURL]; history.replaceState(null, '', location.pathname); done(r); }, {once: true}); location.hash = 'changed'; })
pushState:= history.pushState({a: 1}, '', '/pushed?x=1'); const r = [location.href, document.URL, history.state]; history.replaceState(null, '', '$page'); return r
pushState relative:= history.pushState(null, '', 'deep/er'); const r = location.pathname; history.replaceState(null, '', '$page'); return r
replaceState absolute:= history.replaceState(null, '', location.origin + '/replaced'); const r = location.pathname; history.replaceState(null, '', '$page'); return r
pushState elsewhere:= try { history.pushState(null, '', '$other/x'); return 'taken'; } catch (e) { return e.name; }
popstate:: new Promise((done) => { history.pushState(1, '', '/one'); history.pushState(2, '', '/two'); addEventListener('popstate', (e) => { const r = [e.state, location.pathname]; history.replaceState(null, '', '$page'); done(r); }, {once: true}); history.back(); })
new URL(x, location):: new URL('/a?b', location).href
new URL(x, baseURI):: new URL('a', document.baseURI).href
assign in a frame:: inFrame('/frame.html', (w, done) => { w.location.assign('/frame2.html'); done(); })
href in a frame:: inFrame('/frame.html', (w, done) => { w.location.href = '/frame2.html'; done(); })
location= in a frame:: inFrame('/frame.html', (w, done) => { w.location = 'frame2.html'; done(); })
replace in a frame:: inFrame('/frame.html', (w, done) => { w.location.replace('/frame2.html'); done(); })
own location= in a frame:: inFrame('/leaves.html?location', (w, done) => done())
own location.href= in a frame:: inFrame('/leaves.html?href', (w, done) => done())
own assign in a frame:: inFrame('/leaves.html?assign', (w, done) => done())
own document.location= in a frame:: inFrame('/leaves.html?document', (w, done) => done())
own window.location= in a frame:: inFrame('/leaves.html?window', (w, done) => done())
search set in a frame:: inFrame('/leaves.html?search', (w, done) => done())
javascript: URL in a frame:: inFrame('/leaves.html?javascript', (w, done) => done())
own location.href= to code:= location.href = 'javascript:void(window.ranCode = location.pathname)'; await new Promise((done) => setTimeout(done, 50)); return window.ranCode
form into a frame:: new Promise((done) => { const f = document.createElement('iframe'); f.name = 'into'; document.body.append(f); const form = document.createElement('form'); form.action = '/got'; form.target = 'into'; form.innerHTML = '<input name=q value=1>'; document.body.append(form); f.onload = () => { if (f.contentWindow.location.href !== 'about:blank') done([f.contentWindow.location.href, f.contentDocument.body.textContent]); }; form.submit(); })
meta refresh in a frame:: inFrame('/refresh.html', (w, done) => done())
navigation.currentEntry:: navigation.currentEntry.url
performance entry:: performance.getEntriesByType('navigation')[0].name
performance by name:: performance.getEntriesByName(location.origin + '/lib.js').length
performance resource:: performance.getEntriesByType('resource').some((e) => e.name === location.origin + '/lib.js')
performance without the archive:: [performance.getEntries(), performance.getEntriesByType('resource')].every((all) => all.every((e) => !e.name.includes('client.js')))
local called location:= const location = {href: 'mine'}; return location.href
parameter called location:: (function (location) { return location.host; })({host: 'mine'})
property called location:= const o = {location: 'here', top: 3}; o.location += '!'; return [o.location, o.top, Object.keys(o)]
no prototype:= const o = Object.create(null); o.location = 1; return [o.location, Object.keys(o)]
proxy:= const seen = []; const p = new Proxy({}, {get: (t, k) => { if (typeof k === 'string') seen.push(k); return 7; }}); return [p.location, p.top, seen]
class field:= class A { location = 1; top() { return this.location; } } return new A().top()
typeof:: typeof location
ancestors:: [location.ancestorOrigins.length, location.ancestorOrigins.item(0), location.ancestorOrigins.contains(location.origin), [...location.ancestorOrigins], location.ancestorOrigins === location.ancestorOrigins, location.ancestorOrigins instanceof DOMStringList]
ancestors of a frame:: inFrame('/frame.html', (w, done) => done(), (w) => [w.location.ancestorOrigins.length, w.location.ancestorOrigins[0], [...w.location.ancestorOrigins], w.location.ancestorOrigins.contains(location.origin)])
in window:: 'location' in window
keys of window:: Object.keys(window).filter((k) => /caddis|wombat|WB/.test(k))
""")

_add("DOM", """
innerHTML img:: new Promise((done) => { const d = document.createElement('div'); document.body.append(d); d.innerHTML = '<img src="/img.png">'; d.firstChild.onload = () => done([d.firstChild.naturalWidth, d.firstChild.src]); d.firstChild.onerror = () => done('failed'); })
innerHTML read:= const d = document.createElement('div'); d.innerHTML = '<a href="/x">x</a><img src="i.png">'; return d.innerHTML.length > 0 && d.querySelector('a').getAttribute('href')
innerHTML links:= const d = document.createElement('div'); d.innerHTML = '<a href="/x">x</a>'; return d.firstChild.href
outerHTML:= const d = document.createElement('div'); document.body.append(d); d.innerHTML = '<i></i>'; d.firstChild.outerHTML = '<a href="/q">q</a>'; return d.firstChild.href
insertAdjacentHTML:: new Promise((done) => { document.body.insertAdjacentHTML('beforeend', '<img id=adj src="/img.png">'); const i = document.getElementById('adj'); i.onload = () => done(i.naturalWidth); i.onerror = () => done('failed'); })
contextual fragment:: new Promise((done) => { window.ranHere = done; document.body.append(document.createRange().createContextualFragment('<script>ranHere(location.host)</' + 'script>')); })
template:= const t = document.createElement('template'); t.innerHTML = '<a href="/t">t</a>'; return document.importNode(t.content, true).firstChild.href
DOMParser:: new DOMParser().parseFromString('<base href="/dir/"><a href="/t">t</a>', 'text/html').querySelector('a').getAttribute('href')
setAttribute src:: new Promise((done) => { const i = document.createElement('img'); i.setAttribute('src', '/img.png'); i.onload = () => done(i.naturalWidth); i.onerror = () => done('failed'); })
srcset:: new Promise((done) => { const i = new Image(); i.srcset = '/img.png 1x'; i.onload = () => done(i.currentSrc); i.onerror = () => done('failed'); })
other site image:: new Promise((done) => { const i = new Image(); i.src = '$other/img.png'; i.onload = () => done([i.naturalWidth, i.src]); i.onerror = () => done('failed'); })
script element:: new Promise((done) => { window.calledBack = done; const s = document.createElement('script'); s.src = '/calls.js'; document.head.append(s); })
script other site:: new Promise((done) => { window.calledBack2 = done; const s = document.createElement('script'); s.src = '$other/calls2.js'; document.head.append(s); })
script text:= const s = document.createElement('script'); s.text = 'window.seen1 = location.pathname'; document.head.append(s); return window.seen1
script textContent:= const s = document.createElement('script'); s.textContent = 'window.seen2 = document.location.pathname'; document.head.appendChild(s); return window.seen2
script text node:= const s = document.createElement('script'); s.append(document.createTextNode('window.seen3 = top === window')); document.head.insertBefore(s, null); return window.seen3
script innerHTML:= const s = document.createElement('script'); s.innerHTML = 'window.seen4 = location.host'; document.head.prepend(s); return window.seen4
script text read:= const s = document.createElement('script'); s.text = 'window.seen5 = location.host'; document.head.append(s); return s.text
onclick attribute:= const b = document.createElement('button'); b.setAttribute('onclick', 'window.clicked1 = location.host'); document.body.append(b); b.click(); return window.clicked1
onclick in markup:= document.getElementById('button').click(); return window.clicked2
onclick in innerHTML:= const d = document.createElement('div'); document.body.append(d); d.innerHTML = '<b onclick="window.clicked3 = location.pathname">x</b>'; d.firstChild.click(); return window.clicked3
getAttribute onclick:: document.getElementById('button').getAttribute('onclick')
image in markup:: [document.getElementById('image').naturalWidth, document.getElementById('image').src]
video src:= const v = document.createElement('video'); v.src = '/v.mp4'; v.poster = '/img.png'; return [v.src, v.poster]
object data:= const o = document.createElement('object'); o.data = '/o'; return o.data
input src:= const i = document.createElement('input'); i.type = 'image'; i.src = '/img.png'; i.formAction = '/f'; return [i.src, i.formAction]
attributes:= const a = document.createElement('a'); a.href = '/x'; return [...a.attributes].map((one) => one.value)
cloneNode:= const i = document.createElement('img'); i.src = '/img.png'; return i.cloneNode().src
replaceChildren:= const d = document.createElement('div'); const a = document.createElement('a'); a.href = '/x'; d.replaceChildren(a); return d.firstChild.href
svg use:= const u = document.createElementNS('http://www.w3.org/2000/svg', 'use'); u.setAttributeNS('http://www.w3.org/1999/xlink', 'href', '/s.svg#a'); return u.href.baseVal
mutation:: new Promise((done) => { const d = document.createElement('div'); document.body.append(d); new MutationObserver((m, o) => { o.disconnect(); done(m[0].addedNodes[0].href); }).observe(d, {childList: true}); d.append(Object.assign(document.createElement('a'), {href: '/m'})); })
document.links:: [...document.links].some((a) => a.href === location.origin + '/linked')
images collection:: document.images[0].src
querySelector href:: document.querySelector('a[href$="linked"]') !== null
fragment link:: document.getElementById('fragment').getAttribute('href')
style attribute:= const d = document.createElement('div'); d.setAttribute('style', 'background: url(/img.png)'); document.body.append(d); return getComputedStyle(d).backgroundRepeat
lastModified year:: document.lastModified.slice(6, 10)
referrer of a frame:: inFrame('/referrer.html', (w, done) => done(), (w) => w.document.body.textContent)
cookie:= document.cookie = 'a=1'; document.cookie = 'b=2; path=/'; const c = document.cookie.split('; ').sort(); document.cookie = 'a=; max-age=0'; document.cookie = 'b=; path=/; max-age=0'; return c
cookieStore:= await cookieStore.set('cs', '1'); const c = await cookieStore.get('cs'); await cookieStore.delete('cs'); return [c.value, await cookieStore.get('cs'), document.cookie.includes('cs=')]
selector:: [document.querySelector('a[href="/linked"]') !== null, document.querySelectorAll("img[src='/img.png']").length > 0, document.links[0].matches('[href^="/dir"]')]
selector by scheme:: [...document.querySelectorAll('.told[href^="http"]')].map((a) => a.id)
selector by slash:: [...document.querySelectorAll('.told[href^="/"]')].map((a) => a.id)
selector by site:: [...document.querySelectorAll('.told[href^="$other"]')].map((a) => a.id)
selector by path:: [...document.querySelectorAll('.told[href="page.html"], .told[href~="page.html"], .told[href|="page"]')].map((a) => a.id)
selector not:: [...document.querySelectorAll('.told:not([href^="http"])')].map((a) => a.id)
selector by end:: [...document.querySelectorAll('.told[href$=".html" i], .told[href*="//"]')].map((a) => a.id)
selector wrong:= try { return document.querySelector('[href=/]'); } catch (e) { return e.name; }
XPath:: [document.evaluate('count(//a[@class="told"][starts-with(@href,"http")])', document).numberValue, document.evaluate('//a[@href="page.html"]/@href', document).iterateNext().value]
selector after changes:= const a = document.createElement('a'); const seen = () => [a.matches('[href^="http"]'), a.matches('[href="/x"]'), a.matches('[href]'), a.attributes.length]; const out = [seen()]; a.setAttribute('href', '/x'); out.push(seen()); a.href = '$other/x'; out.push(seen()); a.setAttribute('href', '#x'); out.push(seen()); a.getAttributeNode('href').value = '/x'; out.push(seen()); a.removeAttribute('href'); out.push(seen()); return out
selector after pathname:= const a = document.createElement('a'); a.href = '/x'; a.pathname = '/y'; return [a.matches('[href="/x"]'), a.matches('[href^="http"]'), a.getAttribute('href')]
selector after baseVal:= const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); s.innerHTML = '<use href="/s.svg#a"></use>'; const u = s.firstChild; u.href.baseVal = '/s.svg#b'; return [u.getAttribute('href'), u.matches('[href$="#b"]'), u.matches('[href$="#a"]'), u.href.baseVal]
selector after removeNamedItem:= const a = document.createElement('a'); a.href = '/x'; a.attributes.removeNamedItem('href'); return [a.matches('[href="/x"]'), a.getAttribute('href'), a.attributes.length]
selector after setNamedItem:= const a = document.createElement('a'); a.href = '/x'; const one = document.createAttribute('href'); one.value = '/y'; a.attributes.setNamedItem(one); return [a.matches('[href="/x"]'), a.matches('[href="/y"]'), a.getAttribute('href'), a.href]
selector after background:= const b = document.createElement('body'); b.setAttribute('background', '/img.png'); b.background = '/b.png'; return [b.matches('[background="/b.png"]'), b.getAttribute('background'), b.background]
class of a picture:= const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); s.className.baseVal = 'one two'; return [s.getAttribute('class'), s.className.baseVal, s.matches('.two')]
selector in innerHTML:= const d = document.createElement('div'); d.innerHTML = '<a href="/x?a&amp;b">x</a><img src=i.png alt="a > b">'; return [d.querySelectorAll('[href^="/"], [src="i.png"]').length, d.innerHTML, d.firstChild.outerHTML]
selector of a clone:: document.getElementById('told3').cloneNode().matches('[href="page.html"]')
attributes as written:= const a = document.getElementById('told2'); return [a.getAttributeNames(), [...a.attributes].map((one) => one.name + one.value), a.attributes.length, a.attributes[1].name, a.attributes.item(1).name, a.attributes.item(9), 1 in a.attributes, a.attributes.href.value, a.outerHTML, Object.keys(a.dataset), a.attributes === a.attributes, a.attributes.getNamedItem('id').value]
ping:= const a = document.getElementById('told4'); return [a.getAttribute('ping'), a.ping, a.matches('[ping="/counts"]')]
srcset as written:: document.getElementById('set').getAttribute('srcset')
mutation of a link:: new Promise((done) => { const a = document.createElement('a'); a.href = '/old'; new MutationObserver((all) => done(all.map((one) => one.oldValue))).observe(a, {attributes: true, attributeOldValue: true}); a.href = '/y'; a.href = '/z'; })
style as written:= const p = document.getElementById('inlined'); const before = p.getAttribute('style'); p.style.color = 'red'; return [before, p.getAttribute('style').includes('/c/')]
mutations as written:: new Promise((done) => { const a = document.createElement('a'); new MutationObserver((all, o) => done([all.map((one) => one.attributeName), all.length, o.takeRecords().length])).observe(a, {attributes: true}); a.href = '/x'; a.setAttribute('href', '/y'); a.id = 'z'; })
selector of a script:: document.querySelector(`script[src^="${location.origin}"], script[src="/lib.js"]`) !== null
closest link:: document.getElementById('link').closest('a[href^="/"]').id
cookie path:= document.cookie = 'p=1; path=/elsewhere'; return document.cookie.includes('p=1')
cookie of the answer:: document.cookie.includes('served=yes')
""")

_add("frames, messages", """
top is window:: [top === window, window.top === window, self.top === self]
parent is window:: parent === window && window.parent === window
frameElement:: window.frameElement
top.location:: top.location.href
opener:: window.opener
frames length:: typeof frames.length
iframe location:: inFrame('/frame.html', (w, done) => done(), (w) => w.location.href)
iframe document.URL:: inFrame('/frame.html', (w, done) => done(), (w) => w.document.URL)
iframe src:= const f = document.createElement('iframe'); f.src = '/frame.html'; return [f.src, f.getAttribute('src')]
iframe parent:: inFrame('/tells.html', (w, done) => done(), (w) => w.told)
iframe top.location:: inFrame('/tells.html', (w, done) => done(), (w) => w.topHref)
iframe name:: new Promise((done) => { const f = document.createElement('iframe'); f.name = 'called'; f.src = '/frame.html'; f.onload = () => done(frames.called.location.pathname); document.body.append(f); })
blank frame:= const f = document.createElement('iframe'); document.body.append(f); return [f.contentWindow.location.href, f.contentDocument.URL]
blank frame script:= const f = document.createElement('iframe'); document.body.append(f); const s = f.contentDocument.createElement('script'); s.text = 'window.value = parent.location.host'; f.contentDocument.body.append(s); return f.contentWindow.value
blank frame write:= const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.write('<script>window.value = parent.location.pathname</' + 'script>'); f.contentDocument.close(); return f.contentWindow.value
blank frame eval:= const f = document.createElement('iframe'); document.body.append(f); return f.contentWindow.eval('parent.location.host')
srcdoc:: new Promise((done) => { const f = document.createElement('iframe'); f.srcdoc = '<img src="/img.png"><p>text</p>'; f.onload = () => done([f.contentDocument.querySelector('img').naturalWidth, f.contentDocument.URL]); document.body.append(f); })
srcdoc script:: new Promise((done) => { window.fromSrcdoc = done; const f = document.createElement('iframe'); f.srcdoc = '<script>parent.fromSrcdoc([location.href, parent.location.host, document.baseURI])</' + 'script>'; document.body.append(f); })
blob frame:: new Promise((done) => { window.fromBlob = done; const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<script>parent.fromBlob(parent.location.host)</' + 'script>'], {type: 'text/html'})); document.body.append(f); })
javascript frame:: new Promise((done) => { window.fromUrl = done; const f = document.createElement('iframe'); f.src = 'javascript:parent.fromUrl(parent.location.host)'; document.body.append(f); })
message to self:: new Promise((done) => { addEventListener('message', (e) => done([e.data, e.origin, e.source === window]), {once: true}); postMessage({a: 1}, location.origin); })
message to any:: new Promise((done) => { addEventListener('message', (e) => done([e.data, e.origin]), {once: true}); window.postMessage('x', '*'); })
message options:: new Promise((done) => { addEventListener('message', (e) => done([e.data, e.origin]), {once: true}); window.postMessage('x', {targetOrigin: '/'}); })
onmessage:: new Promise((done) => { window.onmessage = (e) => { window.onmessage = null; done(e.data); }; postMessage('y', '*'); })
message to frame:: talk('/talks.html', '*', 'hello')
message to frame by origin:: talk('/talks.html', location.origin, 'hello')
message to other site:: talk('$other/talks.html', '*', 'hello')
message to other by origin:: talk('$other/talks.html', '$other', 'hello')
message to wrong origin:: talk('$other/talks.html', location.origin, 'hello')
message with port:: new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = (e) => done(e.data); addEventListener('message', (e) => e.ports[0].postMessage('back'), {once: true}); postMessage('port', '*', [c.port2]); })
message bad origin:= try { postMessage('x', 'nonsense'); return 'taken'; } catch (e) { return e.name; }
MessageChannel:: new Promise((done) => { const c = new MessageChannel(); c.port2.onmessage = (e) => done(e.data); c.port1.postMessage('through'); })
BroadcastChannel:: new Promise((done) => { const a = new BroadcastChannel('n'), b = new BroadcastChannel('n'); b.onmessage = (e) => { a.close(); b.close(); done([e.data, e.origin, b.name]); }; a.postMessage('wide'); })
other site frame is closed:: new Promise((done) => { const f = document.createElement('iframe'); f.src = '$other/talks.html'; f.onload = () => done(f.contentDocument); document.body.append(f); })
local called parent:= const parent = {location: {href: 'mine'}}; return parent.location.href
postMessage of an object:= const o = {postMessage(x) { return x + 1; }}; return o.postMessage(1)
""")

_add("write", """
write text:: inFrame('/writes.html?text', (w, done) => done(), (w) => w.document.body.textContent)
write link:: inFrame('/writes.html?link', (w, done) => done(), (w) => w.document.querySelector('a').href)
write script:: inFrame('/writes.html?script', (w, done) => done(), (w) => w.written)
write script src:: inFrame('/writes.html?src', (w, done) => done(), (w) => w.libName)
write in parts:: inFrame('/writes.html?parts', (w, done) => done(), (w) => w.written)
write split tag:: inFrame('/writes.html?split', (w, done) => done(), (w) => w.document.querySelector('a').href)
writeln:: inFrame('/writes.html?writeln', (w, done) => done(), (w) => w.document.querySelectorAll('i').length)
write image:: inFrame('/writes.html?image', (w, done) => done(), (w) => w.document.querySelector('img').naturalWidth)
write style:: inFrame('/writes.html?style', (w, done) => done(), (w) => w.getComputedStyle(w.document.body).color)
write stylesheet:: inFrame('/writes.html?sheet', (w, done) => done(), (w) => w.getComputedStyle(w.document.body).fontWeight)
write after load:: inFrame('/writes.html?late', function wait(w, done) { w.written ? done() : setTimeout(wait, 20, w, done); }, (w) => [w.document.body.textContent, w.written])
open and write:= const f = document.createElement('iframe'); document.body.append(f); const d = f.contentDocument; d.open(); d.write('<p id=x>opened</p><script>window.at = parent.location.pathname</' + 'script>'); d.close(); return [d.getElementById('x').textContent, f.contentWindow.at]
""")

_add("eval", """
eval:: eval('location.host')
eval local:= const x = 5; return eval('x + 1')
eval declares:= eval('var made = location.pathname'); return made
eval var location:: eval('var location = {host: "mine"}; location.host')
indirect eval:: (0, eval)('location.host')
window.eval:: window.eval('document.location.pathname')
eval alias:= const e = eval; return e('location.hash === ""')
eval is eval:: eval === window.eval
eval of a function:: eval('(function () { return location.host; })')()
eval this:: eval('this') === this
nested eval:: eval('eval("location.host")')
eval of no string:: eval({a: 1})
eval template:: eval('`${location.host}`')
new Function:: new Function('return location.host')()
Function:: Function('a', 'b', 'return a + b + location.port')(1, 2)
Function constructor:: (function () {}).constructor('return window.location.pathname')()
async function constructor:: (async function () {}).constructor('return location.host')()
generator constructor:: (function* () {}).constructor('yield location.host')().next().value
Function instanceof:: (() => 1) instanceof Function && new Function('') instanceof Function
setTimeout text:: new Promise((done) => { window.timed = done; setTimeout('timed(location.host)', 0); })
setInterval text:: new Promise((done) => { window.timed2 = (x) => { clearInterval(id); done(x); }; const id = setInterval('timed2(top === window)', 1); })
sloppy this:: (function () { return this === window; })()
this.location:: (function () { return this.location.host; })()
this top-level:: window.topThis
this of a call:: (function () { return this && this.location.pathname; }).call(window)
var at top:: [window.declaredVar, typeof declaredLet, declaredFunction()]
global assignment:= implied = 5; return window.implied
function text:: (function () { return location.host; }).toString()
with:= with (location) { return host; }
arguments:: (function () { return arguments[0].host; })(location)
getter named location:= const o = {get location() { return 3; }}; return o.location
label:= location: for (;;) { break location; } return 1
regex and division:= const a = 8, top2 = 2; return [a / top2 / 2, /location/.test('location')]
template literal:: `${`${location.host}`}/${window.location.pathname}`
optional chain:: [window?.location?.host, null?.location, undefined?.a.location]
shorthand:= const o = {location, origin}; return [o.location.host, o.origin]
spread:= const f = (...a) => a[0].host; return f(...[location])
arrow parameter:: ((location) => location + 1)(1)
pattern parameter:: (({location, top = 2}) => [location, top])({location: 1})
assignment pattern:= let location, top; ({location, top} = {location: 1, top: 2}); return [location, top]
closures:= const fs = []; for (let top = 0; top < 3; top++) fs.push(() => top); return fs.map((f) => f())
strict:: (function () { 'use strict'; return location.host; })()
""")

_add("workers", """
worker:: worker('/workers/echo.js', 'href')
worker location:: worker('/workers/echo.js', 'location')
worker self.location:: worker('/workers/echo.js', 'self')
worker origin:: worker('/workers/echo.js', 'origin')
worker importScripts:: worker('/workers/imports.js', '')
worker importScripts other site:: worker('/workers/imports.js', 'other')
worker fetch:: worker('/workers/echo.js', 'fetch')
worker fetch relative:: worker('/workers/echo.js', 'relative')
worker xhr:: worker('/workers/echo.js', 'xhr')
worker eval:: worker('/workers/echo.js', 'eval')
worker Function:: worker('/workers/echo.js', 'function')
worker timer:: worker('/workers/echo.js', 'timer')
worker import():: worker('/workers/echo.js', 'import')
worker time:: worker('/workers/echo.js', 'year').then((y) => y === new Date().getFullYear())
worker URL:: worker('/workers/echo.js', 'url')
module worker:: worker('/workers/module.js', '', {type: 'module'})
module worker location:: worker('/workers/module.js', 'location', {type: 'module'})
module worker meta:: worker('/workers/module.js', 'meta', {type: 'module'})
module worker of a module:: import('/mod/starts.js').then((m) => m.start())
blob worker:: worker(URL.createObjectURL(new Blob(['onmessage = (e) => postMessage(typeof importScripts)'])), '')
blob worker importScripts:: worker(URL.createObjectURL(new Blob([`importScripts("${location.origin}/workers/part.js"); onmessage = (e) => postMessage(part)`])), '')
blob worker fetch:: worker(URL.createObjectURL(new Blob([`onmessage = (e) => fetch("${location.origin}/data.json").then((r) => r.text()).then(postMessage)`])), '')
blob worker origin:: worker(URL.createObjectURL(new Blob(['onmessage = (e) => postMessage([self.origin, location.protocol])'])), '')
blob module worker:: worker(URL.createObjectURL(new Blob([`import {name} from "${location.origin}/mod/a.js"; onmessage = (e) => postMessage(name)`], {type: 'text/javascript'})), '', {type: 'module'})
data worker:: worker('data:text/javascript,onmessage = (e) => postMessage(e.data + 1)', 1)
worker strict:: worker('/workers/strict.js', '')
worker by URL object:: worker(new URL('/workers/echo.js', location), 'href')
shared worker:: new Promise((done) => { const w = new SharedWorker('/workers/shared.js'); w.port.onmessage = (e) => done(e.data); w.port.start(); })
nested worker:: worker('/workers/nested.js', '')
worker transfers:: new Promise((done) => { const w = new Worker('/workers/echo.js'); const b = new ArrayBuffer(8); w.onmessage = (e) => done([e.data, b.byteLength]); w.postMessage({size: b}, [b]); })
worker error:: new Promise((done) => { const w = new Worker('/workers/fails.js'); w.onerror = (e) => { e.preventDefault(); done([e.filename, e.lineno]); }; })
""")

_add("CSS", """
sheet applies:: getComputedStyle(document.getElementById('styled')).color
import in sheet:: getComputedStyle(document.getElementById('imported')).color
sheet href:: [...document.styleSheets].map((s) => s.href).filter((h) => h && h.endsWith('/style.css'))
rules readable:: [...document.styleSheets].find((s) => s.href && s.href.endsWith('/style.css')).cssRules.length
background set:= const d = document.createElement('div'); d.style.backgroundImage = 'url(/img.png)'; document.body.append(d); return d.style.backgroundImage !== ''
background computed:= const d = document.createElement('div'); d.style.backgroundImage = 'url(/img.png)'; document.body.append(d); return getComputedStyle(d).backgroundImage
setProperty:= const d = document.createElement('div'); d.style.setProperty('background-image', 'url("/img.png")'); document.body.append(d); return getComputedStyle(d).getPropertyValue('background-image')
cssText:= const d = document.createElement('div'); d.style.cssText = 'color: red; top: 3px'; return [d.style.color, d.style.top]
insertRule:= const s = document.createElement('style'); document.head.append(s); s.sheet.insertRule('#styled2 { color: rgb(1, 2, 3) }'); return getComputedStyle(document.getElementById('styled2')).color
style element:= const s = document.createElement('style'); s.textContent = '#styled3 { color: rgb(3, 2, 1); background: url(/img.png) }'; document.head.append(s); return getComputedStyle(document.getElementById('styled3')).color
constructed sheet:= const s = new CSSStyleSheet(); s.replaceSync('#styled4 { color: rgb(9, 9, 9) }'); document.adoptedStyleSheets = [s]; return getComputedStyle(document.getElementById('styled4')).color
link added:: new Promise((done) => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '/added.css'; l.onload = () => done(getComputedStyle(document.getElementById('styled5')).color); l.onerror = () => done('failed'); document.head.append(l); })
link other site:: new Promise((done) => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '$other/other.css'; l.onload = () => done(l.sheet.href); l.onerror = () => done('failed'); document.head.append(l); })
font face:: new FontFace('Fancy', 'url(/font.woff2)').load().then(() => 'loaded', (e) => e.name)
custom property:= document.documentElement.style.setProperty('--top', '5px'); return getComputedStyle(document.documentElement).getPropertyValue('--top')
selectors in a sheet:: ['told1', 'told2', 'told3', 'told4', 'toldForm'].map((id) => { const s = getComputedStyle(document.getElementById(id)); return [s.color, s.backgroundColor, s.textIndent, s.paddingLeft, getComputedStyle(document.getElementById(id), '::after').content]; })
selectors in a style element:: ['told1', 'told2', 'told3', 'told4'].map((id) => getComputedStyle(document.getElementById(id)).letterSpacing)
selectors in a rule:= const s = document.createElement('style'); document.head.append(s); s.sheet.insertRule('.told[href^="http"] { word-spacing: 3px }'); const r = ['told1', 'told2', 'told3'].map((id) => getComputedStyle(document.getElementById(id)).wordSpacing); return [r, s.sheet.cssRules[0].selectorText, s.sheet.cssRules[0].cssText]
selectors in text:= const s = document.createElement('style'); s.textContent = '.told[href="page.html"] { tab-size: 3 }'; document.head.append(s); const r = ['told1', 'told3'].map((id) => getComputedStyle(document.getElementById(id)).tabSize); return [r, s.textContent, s.innerHTML, s.outerHTML]
weight of selectors:= const s = document.createElement('style'); s.textContent = '.told.told { widows: 5 } .told[href^="http"] { widows: 6 } [href^="http"] { orphans: 7 } .told { orphans: 8 }'; document.head.append(s); const c = getComputedStyle(document.getElementById('told1')); return [c.widows, c.orphans]
media:: matchMedia('(min-width: 1px)').matches
position top:= const d = document.createElement('div'); d.style.cssText = 'position: absolute; top: 7px'; document.body.append(d); return d.getBoundingClientRect().top - document.body.getBoundingClientRect().top < 8
""")

_add("components", """
custom element:= class A extends HTMLElement { connectedCallback() { this.innerHTML = '<a href="/in">x</a>'; } } customElements.define('my-a', A); const e = document.createElement('my-a'); document.body.append(e); return e.firstChild.href
shadow root:= const d = document.createElement('div'); const r = d.attachShadow({mode: 'open'}); r.innerHTML = '<a href="/s">x</a>'; return r.firstChild.href
shadow image:: new Promise((done) => { const d = document.createElement('div'); document.body.append(d); const r = d.attachShadow({mode: 'open'}); r.innerHTML = '<img src="/img.png">'; r.firstChild.onload = () => done(r.firstChild.naturalWidth); r.firstChild.onerror = () => done('failed'); })
closed shadow:= const d = document.createElement('div'); document.body.append(d); const r = d.attachShadow({mode: 'closed'}); r.innerHTML = '<style>b { color: rgb(4, 5, 6) }</style><b>x</b>'; return getComputedStyle(r.querySelector('b')).color
declarative shadow:: document.getElementById('declared').shadowRoot.querySelector('a').href
attribute callback:= const seen = []; customElements.define('my-b', class extends HTMLElement { static observedAttributes = ['src']; attributeChangedCallback(n, o, v) { seen.push(v); } }); document.createElement('my-b').setAttribute('src', '/x'); return seen
slot:= const d = document.createElement('div'); d.innerHTML = '<i slot=a>s</i>'; d.attachShadow({mode: 'open'}).innerHTML = '<slot name=a></slot>'; return d.shadowRoot.querySelector('slot').assignedElements()[0].textContent
is element:= customElements.define('my-img', class extends HTMLImageElement { constructor() { super(); this.src = '/img.png'; } }, {extends: 'img'}); return new (customElements.get('my-img'))().src
template clone:= const t = document.getElementById('template'); return t.content.cloneNode(true).querySelector('img').src
""")

_add("rest", """
year:: new Date().getFullYear()
year of Date.now:: new Date(Date.now()).getFullYear()
Date as a function:: typeof Date() === 'string' && new Date() instanceof Date
new Date is a Date:: new Date(0).constructor === Date && new Date().constructor === Date
Date runs on:= const a = Date.now(); return new Promise((done) => setTimeout(() => done(Date.now() - a >= 20), 30))
Date parts:: [new Date(2020, 1, 2).getTime() === +new Date('2020-02-02T00:00:00'), Date.UTC(2020, 0), new Date(5).getTime(), Date.parse('2020-01-01T00:00:00Z')]
subclass of Date:= class D extends Date { x() { return this.getTime(); } } return new D(7).x()
File without a time:: new Date(new File([], 'x').lastModified).getFullYear()
File with a time:: [new File(['a'], 'x', {lastModified: 5}).lastModified, new File(['a'], 'x', {type: 'text/plain'}).type, new File([], 'x') instanceof File]
times of loading:: [new Date(performance.timing.navigationStart).getFullYear(), performance.timing.toJSON().redirectStart, performance.timing.redirectStart]
Temporal:: typeof Temporal === 'undefined' ? 2021 : Temporal.Now.instant().epochMilliseconds - Date.now() < 1000 && Temporal.Now.plainDateISO().year
Temporal zones:: typeof Temporal === 'undefined' || [Temporal.Now.zonedDateTimeISO('UTC').year === new Date().getFullYear(), Temporal.Now.plainDateTimeISO().year === Temporal.Now.plainDateISO('Asia/Tokyo').year, Temporal.Now.plainTimeISO('UTC').hour === new Date().getUTCHours()]
Intl format of now:: new Intl.DateTimeFormat('en', {year: 'numeric'}).format()
random is fair:= const n = Array.from({length: 1000}, Math.random); return [n.every((x) => x >= 0 && x < 1), new Set(n).size > 900]
localStorage:= localStorage.setItem('a', '1'); localStorage.b = '2'; const r = [localStorage.getItem('a'), localStorage.b, localStorage.length, Object.keys(localStorage).sort(), 'a' in localStorage, localStorage.getItem('none')]; localStorage.clear(); return r
sessionStorage:= sessionStorage.setItem('x', 'y'); const r = sessionStorage.x; sessionStorage.removeItem('x'); return [r, sessionStorage.x]
storage event:: new Promise((done) => { addEventListener('storage', (e) => { localStorage.clear(); done([e.key, e.newValue, e.url, e.storageArea === localStorage]); }, {once: true}); inFrame('/puts.html', (w, d) => d(), () => 1); })
storage event made:: new Promise((done) => { addEventListener('storage', (e) => done([e.key, e.newValue, e.url, e.storageArea === localStorage]), {once: true}); dispatchEvent(new StorageEvent('storage', {key: 'k', newValue: 'v', storageArea: localStorage, url: location.href})); })
storage event of old:= const e = new StorageEvent('storage'); e.initStorageEvent('storage', false, false, 'k', 'a', 'b', location.href, sessionStorage); return [e.key, e.storageArea === sessionStorage]
storage event of none:= return new StorageEvent('storage').storageArea
storage instanceof:: localStorage instanceof Storage
storage of other site:: talk('$other/stores.html', '*', 'get').then((first) => { localStorage.setItem('shared', 'mine'); return talk('$other/stores.html', '*', 'get').then((x) => { localStorage.clear(); return x; }); })
indexedDB:: new Promise((done) => { const o = indexedDB.open('base', 1); o.onupgradeneeded = () => o.result.createObjectStore('s'); o.onsuccess = () => { done(o.result.name); o.result.close(); indexedDB.deleteDatabase('base'); }; o.onerror = () => done('failed'); })
caches:: caches.open('c').then((c) => c.put('/k', new Response('v')).then(() => caches.match('/k'))).then((r) => r.text()).then((t) => caches.delete('c').then(() => t))
error of the browser:: new Promise((done) => { addEventListener('error', (e) => { e.preventDefault(); done(e.filename); }, {once: true}); setTimeout(() => document.querySelector('['), 0); })
locks:: navigator.locks.request('lock', async (lock) => [lock.name, (await navigator.locks.query()).held.map((one) => one.name)])
error filename:: new Promise((done) => { addEventListener('error', (e) => { e.preventDefault(); done([e.filename, e.message]); }, {once: true}); const s = document.createElement('script'); s.src = '/throws.js'; document.head.append(s); })
window.open of nothing else:: typeof window.open
native text:: [/native code/.test(fetch), /native code/.test(document.createElement), /native code/.test(Element.prototype.setAttribute), fetch.name, fetch.length]
own keys:: Object.getOwnPropertyNames(location).includes('href')
history.length:: typeof history.length
navigator.userAgent:: navigator.userAgent === clientInformation.userAgent
crypto:: typeof crypto.subtle
structuredClone:: structuredClone({location: 'x'}).location
queueMicrotask:: new Promise((done) => queueMicrotask(() => done('ran')))
requestAnimationFrame:: new Promise((done) => requestAnimationFrame(() => done('ran')))
FormData:= const f = new FormData(); f.append('top', '1'); return f.get('top')
audio worklet:: new OfflineAudioContext(1, 44100, 44100).audioWorklet.addModule('/worklet.js').then(() => 'added', (e) => e.name)
audio:: new Audio('/a.mp3').src
jsonp:: new Promise((done) => { window.cb = done; const s = document.createElement('script'); s.src = '/jsonp.js?callback=cb'; document.head.append(s); })
""")
