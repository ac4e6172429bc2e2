// What a page asks for, and what it is told came back.
{
  replaceConstructor('Request', (Native, [input, ...rest], target) =>
    construct(Native, [typeof input === 'object' && input instanceof Native ? input : rewrite(input, 'oe_'), ...rest.map(requestOptions)], target));
  wrap(scope, 'fetch', (native) => (self, [input, init]) => {
    const options = requestOptions(init);
    if (typeof input === 'object' && input instanceof scope.Request) {
      const url = natives.requestUrl.call(input);
      const target = rewrite(url, 'oe_');
      return native.call(scope, target === url ? input : new scope.Request(target, input), options);
    }
    return native.call(scope, rewrite(input, 'oe_'), options);
  });
  natives.requestUrl = Object.getOwnPropertyDescriptor(scope.Request.prototype, 'url').get;
  readsAsCaptured(scope.Request, 'url', 'referrer');
  wrap(scope.Response, 'redirect', (native) => (self, args) => {
    let [url, ...rest] = args;
    if (args.length > 0) try { url = new NativeURL(url, base()).href; } catch { /* the native function says so */ }
    return apply(native, self, args.length > 0 ? [url, ...rest] : args);
  });
  // The fields of an answer as they were captured: those that a browser may not act upon keep their values under another name,
  // and what else is there is the archive's. `href` is the URL that was captured.
  const HIDDEN = 'x-archive-orig-';
  const KEPT = new Set(['content-type', 'content-language', 'content-disposition']);
  const ALWAYS_READ = new Set(['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma']);
  const fieldsOf = (all, href) => {
    const fields = new Map();
    for (const [name, value] of all) if (KEPT.has(name)) fields.set(name, value);
    for (const [name, value] of all) if (name.startsWith(HIDDEN)) fields.set(name.slice(HIDDEN.length), value);
    for (const name of ['set-cookie', 'set-cookie2']) fields.delete(name);
    // Which part of a capture the answer holds, the archive alone can tell.
    const sent = new Map(all);
    if (sent.has('content-range')) for (const name of ['content-range', 'content-length']) if (sent.has(name)) fields.set(name, sent.get(name));
    if (new NativeURL(href).origin === page.origin) return fields;
    // Other sites say which ones may be read.
    const exposed = (fields.get('access-control-expose-headers') ?? '').toLowerCase().split(',').map((name) => name.trim());
    for (const name of fields.keys()) if (!ALWAYS_READ.has(name) && !exposed.includes(name) && !exposed.includes('*')) fields.delete(name);
    return fields;
  };
  const known = new WeakMap();
  const responseUrl = Object.getOwnPropertyDescriptor(scope.Response.prototype, 'url').get;
  readsAsCaptured(scope.Response, 'url');
  accessor(scope.Response.prototype, 'headers', (self, native) => {
    const headers = native.call(self);
    const href = captured(responseUrl.call(self));
    if (href === null) return headers;
    if (!known.has(headers)) known.set(headers, new Headers([...fieldsOf(headers, href)]));
    return known.get(headers);
  });

  if (scope.XMLHttpRequest) {
    wrap(XMLHttpRequest.prototype, 'open', (native) => (self, [method, target, ...rest]) => apply(native, self, [method, rewrite(target, 'oe_'), ...rest]));
    const nativeAll = XMLHttpRequest.prototype.getAllResponseHeaders;
    const answerUrl = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseURL').get;
    readsAsCaptured(XMLHttpRequest, 'responseURL');
    const fieldsFor = (request) => {
      const href = captured(answerUrl.call(request));
      if (href === null) return null;
      const lines = nativeAll.call(request).split('\r\n').filter(Boolean);
      return fieldsOf(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]), href);
    };
    wrap(XMLHttpRequest.prototype, 'getResponseHeader', (native) => (self, args) => {
      const fields = args.length > 0 ? fieldsFor(self) : null;
      return fields ? fields.get(String(args[0]).toLowerCase()) ?? null : apply(native, self, args);
    });
    wrap(XMLHttpRequest.prototype, 'getAllResponseHeaders', (native) => (self, args) => {
      const fields = fieldsFor(self);
      return fields ? [...fields].sort(([a], [b]) => a < b ? -1 : 1).map(([name, value]) => `${name}: ${value}\r\n`).join('') : apply(native, self, args);
    });
  }
  if (scope.Navigator) wrap(Navigator.prototype, 'sendBeacon', () => () => true);
  replaceConstructor('EventSource', (Native, [url, ...rest], target) => construct(Native, [rewrite(url, 'oe_'), ...rest], target));
  readsAsCaptured(scope.EventSource, 'url');
  if (scope.WebSocket) {
    const urls = new WeakMap();
    replaceConstructor('WebSocket', (Native, [url], target) => {
      const wanted = new NativeURL(url, base());
      const socket = construct(Native, [place.files.replace(/^https?/, 'ws') + 'closed'], target);
      urls.set(socket, wanted.href.replace(/^http/, 'ws'));
      return socket;
    });
    accessor(scope.WebSocket.prototype, 'url', (self, native) => urls.get(self) ?? native.call(self));
  }
  // Where a browser does not know the policies for calls, their STUN requests would tell the world who reads.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete scope[name];
  if (scope.ServiceWorkerContainer) {
    wrap(ServiceWorkerContainer.prototype, 'register', () => () => Promise.reject(new DOMException('not in an archive', 'SecurityError')));
  }
  readsAsCaptured(scope.PerformanceEntry, 'name');
  if (scope.Performance) {
    wrap(Performance.prototype, 'getEntriesByName', (native) => (self, [name, type]) => {
      const found = type === undefined ? native.call(self, name) : native.call(self, name, type);
      return found.length > 0 ? found : (type === undefined ? self.getEntries() : self.getEntriesByType(type)).filter((entry) => entry.name === String(name));
    });
    // The client is none of the page's resources.
    for (const name of ['getEntries', 'getEntriesByType']) {
      wrap(Performance.prototype, name, (native) => (self, args) => apply(native, self, args).filter((entry) => !entry.name.startsWith(place.files)));
    }
  }
  if (scope.Worklet) wrap(Worklet.prototype, 'addModule', (native) => (self, [url, ...rest]) => apply(native, self, [rewrite(url, 'js_'), ...rest]));
  // An error that a function of the browser throws comes from where the client calls it: in truth from where the page did.
  accessor(scope.ErrorEvent?.prototype, 'filename', (self, native) => {
    const href = native.call(self);
    if (!href.startsWith(place.files)) return asCaptured(href);
    for (const [one] of String(self.error?.stack ?? '').matchAll(/https?:[^\s()]+?(?=:\d+:\d+)/g)) if (!one.startsWith(place.files)) return asCaptured(one);
    return currentHref();
  });
  readsAsCaptured(scope.HashChangeEvent, 'oldURL', 'newURL');
}
function requestOptions(init) {
  if (!init || typeof init !== 'object') return init;
  const { integrity, referrer } = init;
  const leads = typeof referrer === 'string' && referrer !== '' && !referrer.startsWith('about:');
  if (!integrity && !leads) return init;
  return { ...init, ...(integrity ? { integrity: '' } : {}), ...(leads ? { referrer: rewrite(referrer, place.modifier || '') } : {}) };
}

// Scripts in blobs, and workers.
{
  const made = new Set();  // URLs of blobs whose text was rewritten
  const nativeCreate = NativeURL.createObjectURL;
  const MOST = 16 << 20;
  const textAt = (url) => {
    const request = new XMLHttpRequest();
    natives.open.call(request, 'GET', url, false);
    request.send();
    return request.responseText;
  };
  if (scope.XMLHttpRequest) natives.open = XMLHttpRequest.prototype.open;
  if (nativeCreate) {
    wrap(NativeURL, 'createObjectURL', (native) => (self, [object]) => {
      const url = native.call(NativeURL, object);
      if (!(object instanceof Blob) || object.size > MOST || !scope.XMLHttpRequest) return url;
      const isScript = /(java|ecma)script/i.test(object.type);
      if (!isScript && !/^text\/html/i.test(object.type)) return url;
      let text;
      try { text = textAt(url); } catch { return url; }
      const changed = isScript ? rewriteModule(text, true) : clientTag() + rewriteHtml(text).out;
      if (changed === text) return url;
      const result = native.call(NativeURL, new Blob([changed], { type: object.type }));
      NativeURL.revokeObjectURL(url);
      made.add(result);
      return result;
    });
  }

  const dataText = (url) => {
    const comma = url.indexOf(',');
    const rest = decodeURIComponent(url.slice(comma + 1));
    return /;\s*base64\s*$/i.test(url.slice(0, comma)) ? atob(rest) : rest;
  };
  const workerUrl = (url, options) => {
    const isModule = options && typeof options === 'object' && options.type === 'module';
    const text = String(url);
    if (!/^(blob|data):/i.test(text)) return rewrite(text, isModule ? 'wm_' : 'wkr_');
    let code;
    try { code = /^blob:/i.test(text) ? textAt(text) : dataText(text); } catch { return url; }
    const to = JSON.stringify({ prefix: place.prefix, timestamp: place.timestamp, url: currentHref().startsWith('http') ? currentHref() : place.url, archive: place.archive, blob: text });
    const client = JSON.stringify(place.files + 'client.js');
    const begin = isModule ?
      `import ${JSON.stringify(nativeCreate.call(NativeURL, new Blob([`self.__caddis_place=${to}`], { type: 'text/javascript' })))};import ${client};` :
      `${/^\s*(['"])use strict\1/.test(code) ? '"use strict";' : ''}self.__caddis_place=${to};importScripts(${client});`;
    const result = made.has(text) ? code : isModule ? rewriteModule(code, true) : rewriteClassic(code);
    return nativeCreate.call(NativeURL, new Blob([begin, result], { type: 'text/javascript' }));
  };
  for (const name of ['Worker', 'SharedWorker']) {
    replaceConstructor(name, (Native, [url, options], target) => construct(Native, [workerUrl(url, options), options], target));
  }
  if (!inDocument && scope.importScripts) {
    wrap(scope, 'importScripts', (native) => (self, urls) => apply(native, scope, urls.map((url) => /^(blob|data):/i.test(url) ? importAddress(String(url)) : rewrite(url, 'js_'))));
  }
}
