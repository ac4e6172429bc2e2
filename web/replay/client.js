// Runs first in every replayed page. The server has rewritten what it can see in markup and style sheets; this catches what
// scripts build: URLs given to fetch, XMLHttpRequest, elements, history, workers and navigation are turned into addresses of
// the archive, so that pages work. It guards nothing: what escapes it is stopped by the sandbox of the frame around the page
// (frame.js) and by the policies of its response.
(() => {
  'use strict';
  const tag = document.currentScript;
  const { prefix, timestamp, modifier, url: pageUrl, own, previous, next, alone } = tag.dataset;
  tag.remove();
  // Browsers that do not say what they open a page for may have opened it in a window: it belongs into a frame.
  if (window.top === window && own) {
    window.stop();
    location.replace(own + timestamp + '/' + pageUrl);
    return;
  }
  if (window.__caddis_replay) return;
  Object.defineProperty(window, '__caddis_replay', { value: true });

  const NativeURL = window.URL;
  const page = new NativeURL(pageUrl);
  // Not location.origin: a srcdoc document has none, and would take each of its addresses for one still to be rewritten.
  const archive = new NativeURL(tag.src).origin;
  const nativeTop = window.top;
  const isMain = window.parent === nativeTop;  // the frame of the archive's own page, not one of the captured page
  const tell = (message) => nativeTop.postMessage({ timestamp, ...message }, '*');  // policies let none but the archive frame this page
  if (alone !== undefined) {
    if (isMain) tell({ caddis: 'alone', url: pageUrl });
    addEventListener('click', (event) => {
      if (!event.target.closest('a')) return;
      event.preventDefault();
      tell({ caddis: 'go', url: pageUrl, target: '_blank' });
    });
    return;
  }
  const address = new RegExp('^' + prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '\\d*([a-z]+_)?/(.+)$');

  // The captured URL that an address of this archive stands for, or null.
  const captured = (href) => {
    let parsed;
    try { parsed = new NativeURL(href, archive); } catch { return null; }
    if (parsed.origin !== archive) return null;
    const match = address.exec(parsed.pathname + parsed.search + parsed.hash);
    return match ? match[2] : null;
  };
  const base = () => captured(document.baseURI) || pageUrl;

  // The address for a URL as a script or element gives it; unchanged where nothing is fetched or it is one already.
  const rewrite = (value, mod) => {
    const text = String(value).trim();
    if (text === '' || text[0] === '#' || /^(data|blob|about|javascript|mailto|tel|filesystem):/i.test(text)) return value;
    if (captured(text) !== null && (/^https?:/i.test(text) || text.startsWith(prefix))) return value;
    let target;
    try { target = new NativeURL(text, base()); } catch { return value; }
    if (target.protocol === 'ws:' || target.protocol === 'wss:') return value;
    // A script asked for location.origin and built upon it: it means its own site.
    if (target.origin === archive && page.origin !== archive) {
      target = new NativeURL(target.pathname + target.search + target.hash, page.origin);
    }
    if (!/^(https?|ftp):$/.test(target.protocol)) return value;
    return prefix + timestamp + mod + '/' + target.href;
  };
  const rewriteSet = (value, mod) => String(value).replace(/(^|,\s+|,(?=https?:|\/))(\s*)([^\s,][^\s]*?)(?=,?\s|,?$)/g,
    (_, comma, blanks, link) => comma + blanks + rewrite(link, mod));

  const wrap = (owner, name, make) => {
    const native = owner && owner[name];
    if (typeof native === 'function') owner[name] = make(native);
  };

  // Requests.
  wrap(window, 'fetch', (native) => function fetch(input, init) {
    if (input instanceof Request) {
      const target = rewrite(input.url, 'oe_');
      return native.call(this, target === input.url ? input : new Request(target, input), init);
    }
    return native.call(this, rewrite(input, 'oe_'), init);
  });
  wrap(XMLHttpRequest.prototype, 'open', (native) => function open(method, target, ...rest) {
    return native.call(this, method, rewrite(target, 'oe_'), ...rest);
  });
  wrap(Navigator.prototype, 'sendBeacon', () => function sendBeacon() { return true; });
  for (const [name, mod] of [['Worker', 'js_'], ['SharedWorker', 'js_'], ['EventSource', 'oe_']]) {
    if (!window[name]) continue;
    window[name] = new Proxy(window[name], { construct: (Native, [target, ...rest]) => new Native(rewrite(target, mod), ...rest) });
  }
  if (window.WebSocket) {
    window.WebSocket = new Proxy(window.WebSocket, {
      construct(Native) { return new Native('ws://' + new NativeURL(archive).host + '/-/closed'); },
    });
  }
  // Where a browser does not know the policies for calls, their STUN requests would tell the world who reads.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name];
  if (window.ServiceWorkerContainer) {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('not in an archive', 'SecurityError'));
  }

  // What a page learns of where it is.
  const getter = (owner, name, get, set) => {
    const known = Object.getOwnPropertyDescriptor(owner, name);
    if (known && known.configurable) Object.defineProperty(owner, name, { ...known, get, set: set || known.set });
  };
  const cookies = new Map();
  // What a page stores is its site's own, though all sites of a collection share one origin here; where browsers store
  // nothing for a frame like this, it lasts as long as the page.
  const partition = page.origin + '|';
  const makeStorage = (native) => {
    const kept = new Map();
    const keys = () => native ? Object.keys(native).filter((key) => key.startsWith(partition)) : [...kept.keys()];
    const methods = {
      getItem: (key) => native ? native.getItem(partition + key) : kept.get(partition + key) ?? null,
      setItem: (key, value) => { if (native) native.setItem(partition + key, value); else kept.set(partition + key, String(value)); },
      removeItem: (key) => { if (native) native.removeItem(partition + key); else kept.delete(partition + key); },
      clear: () => { for (const key of keys()) methods.removeItem(key.slice(partition.length)); },
      key: (index) => { const key = keys()[index]; return key === undefined ? null : key.slice(partition.length); },
    };
    return new Proxy(Object.create(Storage.prototype), {
      get: (_, key) => key === 'length' ? keys().length : typeof key === 'symbol' ? undefined :
        methods[key] || (methods.getItem(key) ?? undefined),
      set: (_, key, value) => { methods.setItem(String(key), value); return true; },
      has: (_, key) => key in methods || key === 'length' || (typeof key === 'string' && methods.getItem(key) !== null),
      deleteProperty: (_, key) => { methods.removeItem(String(key)); return true; },
      ownKeys: () => keys().map((key) => key.slice(partition.length)),
      getOwnPropertyDescriptor: (_, key) => typeof key === 'string' && methods.getItem(key) !== null ?
        { value: methods.getItem(key), writable: true, enumerable: true, configurable: true } : undefined,
    });
  };
  for (const name of ['localStorage', 'sessionStorage']) {
    let native = null;
    try { native = window[name]; } catch { /* an origin that is nobody's has none */ }
    const storage = makeStorage(native);
    Object.defineProperty(window, name, { configurable: true, enumerable: true, get: () => storage });
  }
  const inPartition = (owner, ...names) => {
    for (const name of names) wrap(owner, name, (native) => function (key, ...rest) { return native.call(this, partition + key, ...rest); });
  };
  if (window.IDBFactory) {
    inPartition(IDBFactory.prototype, 'open', 'deleteDatabase');
    wrap(IDBFactory.prototype, 'databases', (native) => async function databases() {
      const all = await native.call(this);
      return all.filter((one) => one.name.startsWith(partition)).map((one) => ({ ...one, name: one.name.slice(partition.length) }));
    });
  }
  if (window.CacheStorage) {
    inPartition(CacheStorage.prototype, 'open', 'has', 'delete');
    wrap(CacheStorage.prototype, 'keys', (native) => async function () {
      return (await native.call(this)).filter((key) => key.startsWith(partition)).map((key) => key.slice(partition.length));
    });
  }
  if (window.BroadcastChannel) {
    window.BroadcastChannel = new Proxy(window.BroadcastChannel, { construct: (Native, [key]) => new Native(partition + key) });
  }
  delete window.cookieStore;
  getter(Document.prototype, 'URL', () => captured(location.href) || pageUrl);
  getter(Document.prototype, 'documentURI', () => captured(location.href) || pageUrl);
  getter(Document.prototype, 'domain', () => page.hostname, () => {});
  const nativeReferrer = Object.getOwnPropertyDescriptor(Document.prototype, 'referrer');
  getter(Document.prototype, 'referrer', function () {
    const from = nativeReferrer.get.call(this);
    return from && (captured(from) || '');
  });
  getter(Document.prototype, 'cookie', () => [...cookies].map(([name, value]) => name + '=' + value).join('; '), (line) => {
    const [pair, ...attributes] = String(line).split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const ended = attributes.some((one) => /^\s*max-age\s*=\s*(0|-)/i.test(one) ||
      (/^\s*expires\s*=/i.test(one) && Date.parse(one.slice(one.indexOf('=') + 1)) < Date.now()));
    if (ended) cookies.delete(name); else cookies.set(name, pair.slice(at + 1).trim());
  });

  // Elements that scripts make or change.
  const pageMod = modifier || '';
  const links = {
    IMG: { src: 'im_', srcset: 'set' }, SCRIPT: { src: 'js_' }, IFRAME: { src: 'if_' }, FRAME: { src: 'if_' },
    LINK: { href: 'link' }, A: { href: 'page' }, AREA: { href: 'page' }, FORM: { action: 'page' },
    SOURCE: { src: 'oe_', srcset: 'set' }, VIDEO: { src: 'oe_', poster: 'im_' }, AUDIO: { src: 'oe_' }, TRACK: { src: 'oe_' },
    EMBED: { src: 'oe_' }, OBJECT: { data: 'oe_' }, INPUT: { src: 'im_', formaction: 'page' }, BUTTON: { formaction: 'page' },
  };
  const rewriteFor = (element, name, value) => {
    const kinds = links[element.tagName.toUpperCase()];
    const kind = kinds && kinds[name.toLowerCase()];
    if (!kind || value == null) return value;
    if (kind === 'set') return rewriteSet(value, 'im_');
    if (kind === 'page') return rewrite(value, /^_(top|parent|blank)$/i.test(element.target || '') && pageMod === 'if_' ? 'mp_' : pageMod);
    if (kind === 'link') return rewrite(value, /stylesheet/i.test(element.rel) ? 'cs_' : /icon/i.test(element.rel) ? 'im_' : 'oe_');
    return rewrite(value, kind);
  };
  const nativeSet = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function setAttribute(name, value) {
    if (/^integrity$/i.test(name)) return undefined;
    return nativeSet.call(this, name, rewriteFor(this, String(name), value));
  };
  const classes = { IMG: 'Image', A: 'Anchor', IFRAME: 'IFrame' };
  for (const [tagName, kinds] of Object.entries(links)) {
    const name = classes[tagName] || tagName[0] + tagName.slice(1).toLowerCase();
    const own = window['HTML' + name + 'Element'];
    if (!own) continue;
    for (const attribute of Object.keys(kinds)) {
      const property = attribute === 'formaction' ? 'formAction' : attribute;
      for (const owner of [own.prototype, HTMLMediaElement.prototype]) {
        const known = Object.getOwnPropertyDescriptor(owner, property);
        if (!known || !known.set || known.set.isCaddis || !known.configurable) continue;
        const set = function (value) { known.set.call(this, rewriteFor(this, attribute, value)); };
        set.isCaddis = true;
        Object.defineProperty(owner, property, { ...known, set });
      }
    }
  }
  for (const own of [HTMLScriptElement, HTMLLinkElement]) {
    const known = Object.getOwnPropertyDescriptor(own.prototype, 'integrity');
    if (known) Object.defineProperty(own.prototype, 'integrity', { ...known, set() {} });
  }
  // Markup that scripts insert (innerHTML, document.write): looked at as soon as it stands in the document.
  const repair = (element) => {
    const kinds = links[element.tagName];
    if (kinds) {
      for (const name of Object.keys(kinds)) {
        const value = element.getAttribute(name);
        if (value === null) continue;
        const wanted = rewriteFor(element, name, value);
        if (wanted !== value) nativeSet.call(element, name, wanted);
      }
    }
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === 'attributes') repair(change.target);
      for (const node of change.addedNodes) {
        if (node.nodeType !== 1) continue;
        repair(node);
        node.querySelectorAll('img,script,iframe,frame,link,a,area,form,source,video,audio,track,embed,object,input,button').forEach(repair);
      }
    }
  }).observe(document, {
    childList: true, subtree: true, attributes: true, attributeFilter: ['src', 'href', 'srcset', 'action', 'data', 'poster', 'formaction'],
  });

  // Where a page goes.
  // The captured URL behind an address of this archive, or behind any other link, as the page around this one takes it.
  const absolute = (href) => captured(href) || new NativeURL(href, base()).href;
  const isElsewhere = (target) => target !== '' && !/^_self$/i.test(target) && target !== window.name &&
    !(/^_(top|parent)$/i.test(target) && isMain) && !(window.frames[target] && !target.startsWith('_'));
  wrap(window, 'open', (native) => function open(target, name = '_blank', ...rest) {
    if (target !== undefined && target !== '' && isElsewhere(String(name))) {
      tell({ caddis: 'go', url: absolute(String(target)), target: String(name) });
      return null;
    }
    return native.call(this, target === undefined || target === '' ? target : rewrite(target, pageMod), name, ...rest);
  });
  for (const name of ['pushState', 'replaceState']) {
    wrap(History.prototype, name, (native) => function (state, title, target) {
      return native.call(this, state, title, target == null ? target : rewrite(target, pageMod));
    });
  }
  const inArchive = (href) => {
    const target = new NativeURL(href);
    return target.origin === archive && target.pathname.startsWith(prefix);
  };
  if (window.navigation) {
    // location = "…" cannot be wrapped, but its navigation can be stopped and led to the archive instead.
    navigation.addEventListener('navigate', (event) => {
      const href = event.destination.url;
      if (!/^https?:/.test(href) || event.hashChange || inArchive(href)) return;
      const target = rewrite(href, pageMod);
      if (target === href || !event.cancelable) return;
      event.preventDefault();
      setTimeout(() => location.assign(target), 0);
    });
  }
  // Links into other frames and windows: the sandbox holds them, the page around this one follows them.
  const baseTarget = () => { const first = document.querySelector('base[target]'); return first ? first.target : ''; };
  addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href],area[href]');
    if (!link || !/^https?:/.test(link.href)) return;
    if (!inArchive(link.href)) repair(link);
    const target = event.ctrlKey || event.metaKey || event.shiftKey ? '_blank' : link.target || baseTarget();
    if (event.defaultPrevented || link.getAttribute('href').startsWith('#')) return;
    if (isElsewhere(target)) {
      event.preventDefault();
      tell({ caddis: 'go', url: absolute(link.href), target });
    } else if (/^_(top|parent)$/i.test(target)) {
      event.preventDefault();
      location.assign(link.href);
    }
  });
  addEventListener('submit', (event) => {
    const form = event.target;
    if (form.tagName !== 'FORM') return;
    repair(form);
    if (/^_(top|parent|blank)$/i.test(form.target) && isMain) form.target = '_self';
  }, true);

  // The page around this one shows what is captured here, and follows where it goes.
  if (!isMain) return;
  for (const name of ['parent', 'frameElement']) {
    const known = Object.getOwnPropertyDescriptor(window, name);
    const value = name === 'parent' ? window : null;
    if (known && known.configurable) Object.defineProperty(window, name, { configurable: true, get: () => value, set() {} });
  }
  const shown = () => tell({ caddis: 'shown', url: captured(location.href) || pageUrl, title: document.title, previous, next });
  shown();
  addEventListener('load', shown);
  if (window.navigation) navigation.addEventListener('currententrychange', shown);
  const watchTitle = () => {
    if (document.head) new MutationObserver(shown).observe(document.head, { childList: true, subtree: true, characterData: true });
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => { shown(); watchTitle(); }); else watchTitle();
})();
