#!/usr/bin/env python3
"""Pages with libraries that are in use everywhere (maps, tables, descriptions of APIs, PDF, video, an editor): what a person does in
them gives the same live and in the archive, and looks the same. Skipped where npm has nothing to give."""

import base64
import json
import struct
import sys
import zlib

import built_site
import devtools
import harness
import png
from replay_scripts_test import Tab

LEAFLET = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Map</title><link rel="stylesheet" href="__other__/npm/leaflet/dist/leaflet.css">
<style>html, body, #map { height: 100%; margin: 0 }</style><script src="__other__/npm/leaflet/dist/leaflet.js"></script></head><body><div id="map"></div><script>
var map = L.map('map', {fadeAnimation: false, zoomAnimation: false, inertia: false}).setView([51.5, -0.09], 3);
L.tileLayer('//{s}.__tiles__/tiles/{z}/{x}/{y}.png', {subdomains: 'ab', attribution: 'tiles of mine'}).addTo(map);
L.marker([51.5, -0.09]).addTo(map).bindPopup('<a href="/linked">a popup</a> of ' + location.host).openPopup();
fetch('/area.geojson').then((r) => r.json()).then((area) => { L.geoJSON(area).addTo(map); window.hasArea = true; });
function tiles() { return [...document.querySelectorAll('.leaflet-tile-loaded')].map((t) => t.src).sort().join(); }
function whole() { return document.querySelectorAll('.leaflet-tile').length > 3 && document.querySelectorAll('.leaflet-tile:not(.leaflet-tile-loaded)').length === 0; }
</script></body></html>"""

TABLE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Table</title><link rel="stylesheet" href="/npm/datatables.net-dt/css/dataTables.dataTables.css">
<script src="/npm/jquery/dist/jquery.js"></script><script src="/npm/datatables.net/js/dataTables.js"></script>
<script src="/npm/datatables.net-dt/js/dataTables.dataTables.js"></script></head>
<body><table id="t"><thead><tr><th>Name</th><th>Number</th></tr></thead></table><script>
var table = new DataTable('#t', {ajax: {url: 'rows.json', dataSrc: 'rows', cache: false}, columns: [{data: 'name', render: (n, how, row) => `<a href="/row/${row.number}">${n}</a>`}, {data: 'number'}]});
function rows() { return [...document.querySelectorAll('tbody tr')].map((r) => r.innerText + r.querySelector('a')?.href).join('|'); }
$.ajax({url: '__other__/told.js', dataType: 'jsonp', success: (d) => { window.told = d.told; }});
</script></body></html>"""

SWAGGER = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>API</title><link rel="stylesheet" href="/npm/swagger-ui-dist/swagger-ui.css"></head><body>
<div id="ui"></div><script src="/npm/swagger-ui-dist/swagger-ui-bundle.js"></script><script src="/npm/swagger-ui-dist/swagger-ui-standalone-preset.js"></script>
<script>window.ui = SwaggerUIBundle({url: 'openapi.json', dom_id: '#ui', deepLinking: true, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset]});</script></body></html>"""

OPENAPI = {"openapi": "3.0.3", "info": {"title": "Larvae", "version": "1"}, "servers": [{"url": "/api"}], "paths": {
    "/larvae/{id}": {"get": {"operationId": "larva", "summary": "One larva", "parameters": [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "default": 7}}],
        "responses": {"200": {"description": "It", "content": {"application/json": {"schema": {"$ref": "parts.json#/Larva"}}}}}}}}}

PDF_PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>PDF</title><link rel="stylesheet" href="/npm/pdfjs-dist/web/pdf_viewer.css">
<style>#c { position: absolute; inset: 0; overflow: auto }</style></head><body><div id="c"><div id="viewer" class="pdfViewer"></div></div><script type="module">
import * as pdfjsLib from '/npm/pdfjs-dist/build/pdf.mjs';
globalThis.pdfjsLib = pdfjsLib;
const {PDFViewer, EventBus, PDFLinkService} = await import('/npm/pdfjs-dist/web/pdf_viewer.mjs');
pdfjsLib.GlobalWorkerOptions.workerSrc = '/npm/pdfjs-dist/build/pdf.worker.mjs';
const eventBus = new EventBus(), linkService = new PDFLinkService({eventBus});
const viewer = window.viewer = new PDFViewer({container: document.getElementById('c'), eventBus, linkService});
linkService.setViewer(viewer);
const pdf = await pdfjsLib.getDocument({url: 'larvae.pdf', standardFontDataUrl: '/npm/pdfjs-dist/standard_fonts/', useSystemFonts: false}).promise;
viewer.setDocument(pdf); linkService.setDocument(pdf, null);
</script></body></html>"""

VIDEO = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Video</title><link rel="stylesheet" href="/npm/video.js/dist/video-js.css">
<script src="/npm/video.js/dist/video.js"></script></head><body><video id="v" class="video-js" muted width="320" height="180" preload="auto" controls></video><script>
var player = videojs('v', {html5: {vhs: {overrideNative: true}}});
player.src({src: 'main.m3u8', type: 'application/vnd.apple.mpegurl'});
function state() { const v = document.querySelector('video'); return v.readyState >= 3 && v.videoWidth && [v.videoWidth, v.videoHeight, Math.round(v.duration * 10), v.src.slice(0, 5), player.currentSrc(), player.tech(true).vhs.playlists.media().resolvedUri]; }
</script></body></html>"""

NATIVE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Video</title></head><body><video id="v" muted crossorigin src="native.m3u8" preload="auto"></video><script>
function state() { const v = document.querySelector('video'); return v.error ? v.error.message : v.readyState >= 2 && [v.videoWidth, v.videoHeight, Math.round(v.duration * 10), v.currentSrc, performance.getEntriesByType('resource').map((e) => e.name)]; }
</script></body></html>"""

EDITOR = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Editor</title><style>#e { height: 300px }</style>
<script src="/npm/monaco-editor/min/vs/loader.js"></script></head><body><div id="e"></div><script>
require.config({paths: {vs: location.origin + '/npm/monaco-editor/min/vs'}});
require(['vs/editor/editor.main'], () => {
  window.editor = monaco.editor.create(document.getElementById('e'), {value: 'let a = 1;\\nconst b: string = a;', language: 'typescript', minimap: {enabled: false}});
});
function markers() { return window.monaco && monaco.editor.getModelMarkers({}).map((m) => m.message).join(); }
</script></body></html>"""

# Draws pictures for two seconds, and gives what a recorder makes of it: fragmented MP4.
RECORD = """(async () => {
  const canvas = document.createElement('canvas'); canvas.width = 320; canvas.height = 180;
  const context = canvas.getContext('2d'); let n = 0;
  const draw = () => { context.fillStyle = `hsl(${(n++ * 40) % 360} 80% 50%)`; context.fillRect(0, 0, 320, 180); };
  draw();
  const timer = setInterval(draw, 100), parts = [];
  const recorder = new MediaRecorder(canvas.captureStream(10), {mimeType: 'video/mp4;codecs=avc1.42E01E', videoKeyFrameIntervalDuration: 500});
  recorder.ondataavailable = (e) => parts.push(e.data);
  const done = new Promise((end) => recorder.onstop = end);
  recorder.start(500); await new Promise((end) => setTimeout(end, 2300)); recorder.stop(); await done; clearInterval(timer);
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  window.recorded = [recorder.mimeType, btoa(String.fromCharCode(...bytes))];
})()"""


FEED = """<?xml version="1.0"?><?xml-stylesheet type="text/css" href="__other__/feed.css"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml"><title>Larvae</title><link href="/entry"/><h:img id="i" src="/icon.svg"/></feed>"""


def pdf(pages):
    """A PDF of pages with a line of text and a rectangle each, in a standard font."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{4 + 2 * i} 0 R' for i in range(len(pages)))}]>>",
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for number, text in enumerate(pages):
        content = zlib.compress(f"0.2 0.5 0.4 rg 40 40 {80 + 40 * number} 60 re f 0 g BT /F 24 Tf 40 140 Td ({text}) Tj ET".encode())
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 3 0 R>>>>/Contents {5 + 2 * number} 0 R>>")
        objects.append(f"<</Length {len(content)}/Filter/FlateDecode>>stream\n".encode() + content + b"\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj".encode() + (one if isinstance(one, bytes) else one.encode()) + b"endobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return out + f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF".encode()


def fragments(video):
    """(what a player begins with, the fragments, the seconds of each) of fragmented MP4 (ISO/IEC 14496-12)."""
    boxes, at = [], 0
    while at < len(video):
        size, kind = struct.unpack(">I4s", video[at:at + 8])
        boxes.append((kind, video[at:at + size]))
        at += size
    head = b"".join(box for kind, box in boxes if kind in (b"ftyp", b"moov"))
    place = head.index(b"mdhd")
    timescale = struct.unpack(">I", head[place + (24 if head[place + 4] == 1 else 16):][:4])[0]
    moofs = [box for kind, box in boxes if kind == b"moof"]
    mdats = [box for kind, box in boxes if kind == b"mdat"]
    begins = []
    for moof in moofs:
        place = moof.index(b"tfdt")
        begins.append(struct.unpack(">Q" if moof[place + 4] == 1 else ">I", moof[place + 8:place + (16 if moof[place + 4] == 1 else 12)])[0] / timescale)
    lengths = [after - before for before, after in zip(begins, begins[1:])] + [0.3]
    return head, [moof + mdat for moof, mdat in zip(moofs, mdats)], lengths


class ReplayLibrariesTest(built_site.BuiltAppTest):
    @classmethod
    def prepare(cls):
        site = cls.site
        site.mount("/npm/", built_site.packages_of_npm() / "node_modules")
        site.add("/map/", LEAFLET.replace("__tiles__", f"tiles.localhost:{site.port}"))
        site.add("/area.geojson", json.dumps({"type": "Polygon", "coordinates": [[[0, 45], [30, 45], [30, 60], [0, 45]]]}), "application/geo+json")
        for z in (3, 4):
            for x in range(16):
                for y in range(16):
                    site.add(f"/tiles/{z}/{x}/{y}.png", png.encode(256, 256, (60 + 10 * x, 250 - 10 * y, 40 * z)), "image/png")
        site.add("/table/", TABLE)
        site.add("/table/rows.json", json.dumps({"rows": [{"name": f"larva {i * 7 % 25:02}", "number": i} for i in range(25)]}))
        site.add("/api/", SWAGGER)
        site.add("/api/openapi.json", json.dumps(OPENAPI))
        site.add("/api/parts.json", json.dumps({"Larva": {"type": "object", "properties": {"name": {"type": "string"}}}}))
        site.add("/api/larvae/7", json.dumps({"name": "caddis", "home": "/larvae/7"}), "application/json")
        site.add("/pdf/", PDF_PAGE)
        site.add("/pdf/larvae.pdf", pdf(["Caddis larvae", "build houses", "of stones"]))
        site.add("/editor/", EDITOR)
        site.add("/feed.xml", FEED)
        site.add("/feed.css", "feed { display: block } title { display: block; color: rgb(1, 2, 3) }")
        site.add("/icon.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16" fill="#256"/></svg>')

    def test_leaflet(self):
        self.check("/map/", [("", "whole() && hasArea && [tiles(), document.querySelector('.leaflet-popup').innerText, document.querySelector('.leaflet-popup a').href]"),
                             ("map.zoomIn()", "map.getZoom() === 4 && whole() && tiles()"),
                             ("map.panBy([300, 0], {animate: false})", "whole() && tiles()")])

    def test_datatables(self):
        told = self.site._find

        def find(target):
            # An answer to the function that is asked for.
            if target.startswith("/told.js?"):
                name = target.partition("callback=")[2].partition("&")[0]
                return "text/javascript", f'/**/{name}({{"told": "by a script"}})'.encode()
            return told(target)

        self.site._find = find
        self.addCleanup(setattr, self.site, "_find", told)
        self.check("/table/", [("", "window.told && rows().includes('larva 00') && [told, rows()]"),
                               ("table.order([1, 'desc']).draw()", "rows().startsWith('larva 18') && rows()"),
                               ("table.page('next').draw('page')", "rows()"),
                               ("table.search('larva 2').draw()", "document.querySelector('.dt-info').innerText + rows()")])

    def test_swagger_ui(self):
        button = "[...document.querySelectorAll('button')].find((b) => /%s/.test(b.className))"
        self.check("/api/", [("", "document.querySelector('.opblock-summary-path') && document.querySelector('.information-container').innerText"),
                             # Clicks get lost while it draws itself.
                             ("", "document.querySelector('.opblock-body') ? location.hash : (document.querySelector('.opblock-summary-control').click(), 0)"),
                             ("", f"{button % 'execute'} ? 1 : (document.querySelector('.try-out__btn:not(.cancel)')?.click(), 0)"),
                             ("", f"!document.querySelector('.live-responses-table .response .microlight') ? ({button % 'execute'}?.click(), 0) :"
                              " [document.querySelector('.live-responses-table .response .microlight').innerText, document.querySelector('.request-url pre').innerText, document.querySelector('.curl').innerText]")])

    def test_pdf_js(self):
        self.check("/pdf/", [("", "document.querySelectorAll('.textLayer span').length >= 2 && window.viewer.pageViewsReady && document.querySelector('.textLayer').innerText"),
                             ("viewer.currentPageNumber = 3", "document.querySelector('[data-page-number=\"3\"] .textLayer span') && viewer.pageViewsReady &&"
                              " document.querySelector('[data-page-number=\"3\"]').innerText")])

    def test_monaco(self):
        self.check("/editor/", [("", "markers()"),
                                ("editor.setValue('{\"a\": 1,}'); monaco.editor.setModelLanguage(editor.getModel(), 'json')",
                                 "/comma/.test(markers()) && [markers(), document.querySelector('.view-lines').innerText]"),
                                # Left to itself it waits until the browser idles, which a frame without a screen may never.
                                ("editor.getModel().tokenization.forceTokenization(1); editor.render(true)", "getComputedStyle([...document.querySelectorAll('.view-line span span')].find((s) => s.innerText === '\"a\"') || document.body).color === 'rgb(163, 21, 21)'")])

    def test_xml_with_a_style_sheet(self):
        self.check("/feed.xml", [("", "document.getElementById('i').naturalWidth && getComputedStyle(document.querySelector('title')).color === 'rgb(1, 2, 3)'")])

    def prepare_video(self):
        if "/video/main.m3u8" in self.site.pages:
            return
        tab = Tab(self.browser)
        try:
            tab.open(self.address("/favicon.ico"))
            tab.value(RECORD, False)
            harness.wait_until(lambda: tab.value("window.recorded", False), "a video to be recorded", 60)
            kind, data = tab.value("window.recorded", False)
        finally:
            tab.close()
        head, segments, lengths = fragments(base64.b64decode(data))
        codec = kind.partition("codecs=")[2]
        media = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MAP:URI="__other__/video/head.mp4"\n'
        for number, (segment, length) in enumerate(zip(segments, lengths)):
            self.site.add(f"/video/part-{number}.m4s", segment)
            media += f"#EXTINF:{length:.5f},\n" + ("__other__" if number % 2 else "") + f"/video/part-{number}.m4s\n"
        self.site.add("/video/head.mp4", head)
        self.site.add("/video/media.m3u8", media + "#EXT-X-ENDLIST\n")
        self.site.add("/video/main.m3u8", f'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,CODECS="{codec}"\n__site__/video/media.m3u8\n')
        # Chromium itself wants fragments that begin with a whole picture.
        self.site.add("/video/whole.m4s", b"".join(segments))
        self.site.add("/video/native-media.m3u8", '#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:3\n#EXT-X-PLAYLIST-TYPE:VOD\n'
                      '#EXT-X-DEFINE:NAME="far",VALUE="__other__/video"\n#EXT-X-MAP:URI="__other__/video/head.mp4"\n#EXTINF:2.0,\n{$far}/whole.m4s\n#EXT-X-ENDLIST\n')
        self.site.add("/video/native.m3u8", f'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,CODECS="{codec}"\n__site__/video/native-media.m3u8\n')
        self.site.add("/video/", VIDEO)
        self.site.add("/video/native.html", NATIVE)
        # A player loads as many parts as it has time for.
        self.site.record(*(path for path in self.site.pages if path.startswith("/video/part-")))

    def test_video_js_with_hls(self):
        self.prepare_video()
        self.check("/video/", [("", "window.player && player.tech(true).vhs && player.tech(true).vhs.playlists.media() && state()"),
                               ("document.querySelector('video').currentTime = 1", "!document.querySelector('video').seeking && state() && document.querySelector('video').currentTime")])

    def test_hls_without_a_script(self):
        self.prepare_video()
        self.check("/video/native.html", [("", "state()"),
                                          ("document.querySelector('video').currentTime = 1", "!document.querySelector('video').seeking && state()")])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
