// What rewritten scripts call (script_rewriter.js), and the page's own view of its location.
const realTop = inDocument ? scope.top : undefined;
const nativeEval = scope.eval;
const NAMES = ['location', 'top', 'eval', 'postMessage'];

function rewriteClassic(text) {
  if (!/\b(location|top|eval|import|postMessage|window|self)\b/.test(text)) return text;
  const href = currentHref();
  return rewriteScript(text, { module: false, base: href.startsWith('http') ? href : place.url, specifier: specifierFrom(false) });
}
// `isWhole`: the module has no address of its own, against which those in it could be resolved.
function rewriteModule(text, isWhole) {
  const href = currentHref();
  return rewriteScript(text, { module: true, base: href.startsWith('http') ? href : place.url, specifier: specifierFrom(true, isWhole) });
}
function specifierFrom(isInline, isWhole) {
  return (specifier) => {
    if (!/^(\/|https?:)/i.test(specifier) && !(isInline && /^\.\.?\//.test(specifier))) return null;
    const address = rewrite(specifier, 'js_');
    return address === specifier ? null : isWhole && address.startsWith('/') ? place.archive + address : address;
  };
}

// A location: the page's own, or that of another window of this archive.
const setters = {
  href: (url, value) => { go(new NativeURL(value, base()).href); },
  hash: (url, value) => { realLocation.hash = value; },
};
function go(href) {
  if (isScriptUrl(href)) {
    realLocation.href = rewriteScriptUrl(href);
    return;
  }
  const target = rewrite(href, place.modifier || '');
  realLocation.href = target;
}
function makeLocation() {
  const facade = Object.create(scope.Location ? scope.Location.prototype : scope.WorkerLocation.prototype);
  const own = (name, descriptor) => Object.defineProperty(facade, name, { enumerable: true, configurable: false, ...descriptor });
  own('ancestorOrigins', { get: () => ancestorOrigins() });
  for (const name of ['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
    own(name, {
      get: () => {
        const href = currentHref();
        return name === 'href' ? href : name === 'origin' && !href.startsWith('http') ? realLocation.origin === 'null' ? 'null' : page.origin : new NativeURL(href)[name];
      },
      set: name === 'origin' ? undefined : (value) => {
        if (setters[name]) return setters[name](null, String(value));
        const url = new NativeURL(currentHref());
        url[name] = value;
        return go(url.href);
      },
    });
  }
  const method = (name, value) => Object.defineProperty(facade, name, { value, enumerable: true, writable: false, configurable: false });
  method('assign', function assign(url) { go(new NativeURL(url, base()).href); });
  method('replace', function replace(url) { realLocation.replace(rewrite(new NativeURL(url, base()).href, place.modifier || '')); });
  method('reload', function reload() { realLocation.reload(); });
  method('toString', function toString() { return facade.href; });
  Object.defineProperty(facade, 'valueOf', { value: function valueOf() { return facade; } });
  Object.defineProperty(facade, Symbol.toPrimitive, { value: undefined });
  return facade;
}
let origins;
function ancestorOrigins() {
  if (origins) return origins;
  const list = [];
  for (let one = scope; inDocument && one !== topOf(scope); one = one.parent) {
    try { list.push(one.parent._caddis.location.origin); } catch { break; }
  }
  // The prototype's members work on a native list alone.
  origins = Object.assign(Object.create((scope.DOMStringList || Object).prototype), list);
  const own = { length: list.length, item: (i) => list[i >>> 0] ?? null, contains: (x) => list.includes(String(x)), [Symbol.iterator]: () => list.values() };
  for (const key of Reflect.ownKeys(own)) Object.defineProperty(origins, key, { value: own[key] });
  return origins;
}

// The window of the page that is shown: the page around it, which is the archive's own, is nobody's business.
function topOf(from) {
  let one = from;
  for (let i = 0; i < 100; ++i) {
    const up = one === scope && isMain ? one : one.parent;
    if (up === one || up === realTop) break;
    one = up;
  }
  return one;
}
const isMain = inDocument && scope.parent === realTop && scope !== realTop;

const location = makeLocation();
function locationOf(other) {
  if (other === scope) return location;
  try {
    const theirs = other._caddis || settle(other);
    if (theirs) return theirs.location;
  } catch { /* an origin that is nobody's */ }
  return {
    set href(value) { other.location.href = rewrite(value, 'if_'); },
    replace: (value) => other.location.replace(rewrite(value, 'if_')),
  };
}
const evaluate = function (text) { return nativeEval(typeof text === 'string' ? rewriteClassic(text) : text); };
const indirectEval = new Proxy(nativeEval, { apply: (_, self, args) => evaluate(...args) });

const views = new WeakMap();
function viewOf(owner) {
  let view = views.get(owner);
  if (view) return view;
  const isDocument = owner.nodeType === 9;
  const other = isDocument ? owner.defaultView : owner;
  view = {};
  const add = (name, get, set) => Object.defineProperty(view, name, { get, set, enumerable: true, configurable: true });
  add('location', () => other && locationOf(other), (value) => { if (other) locationOf(other).href = value; });
  if (!isDocument && inDocument) {
    add('top', () => topOf(other), () => {});
    add('postMessage', () => function postMessage(...args) { return post(other, args); });
  }
  if (!isDocument && !inDocument) add('postMessage', () => (...args) => scope.postMessage(...args));
  if (!isDocument) add('eval', () => other === scope ? indirectEval : (other._caddis || settle(other))?.evaluate ?? other.eval, (value) => { other.eval = value; });
  views.set(owner, view);
  return view;
}
// A window or document has a location of its own (as no other object of a browser), which is one.
function isOwner(value) {
  if (value === scope || (inDocument && value === document)) return true;
  if (typeof value !== 'object' || value === null) return false;
  try {
    return hasOwn(value, 'location') && (value.window === value || value.nodeType === 9);
  } catch {
    return false;
  }
}

const madeMeta = new WeakSet();
const runtime = {
  l: (value) => value === realLocation ? location : value === nativeEval ? indirectEval :
    inDocument && value === realTop && realTop !== scope ? topOf(scope) : value,
  o: (value) => isOwner(value) ? viewOf(value) : value,
  t: (set, value) => value === realLocation ?
    { get v() { return location; }, set v(to) { location.href = to; } } :
    { get v() { return value; }, set v(to) { set(to); } },
  d: (value) => !isOwner(value) ? value : new Proxy(value, {
    get: (target, key) => NAMES.includes(key) && key in viewOf(target) ? viewOf(target)[key] : target[key],
  }),
  k: (owner, ...keys) => {
    const key = keys[keys.length - 1];
    return typeof key === 'string' && NAMES.includes(key) && isOwner(owner) ? '_caddis_' + key : key;
  },
  e: (called, ...args) => called === nativeEval && typeof args[0] === 'string' ? rewriteClassic(args[0]) : args[0],
  i: (from, specifier) => importAddress(String(specifier), from),
  m: (meta) => {
    if (madeMeta.has(meta) || typeof meta.url !== 'string') return meta;
    madeMeta.add(meta);
    const { url } = meta;
    const known = asCaptured(url);
    meta.url = known;
    const { resolve } = meta;
    if (resolve) meta.resolve = (specifier) => asCaptured(/^(\/|\.\.?\/|https?:)/i.test(specifier) ? new NativeURL(specifier, known).href : resolve(specifier));
    return meta;
  },
  location,
  evaluate: indirectEval,
  move,
  origin: () => page.origin,
};
function importAddress(specifier, from) {
  if (/^data:(text|application)\/(x-)?(java|ecma)script/i.test(specifier)) return scriptDataUrl(specifier);
  if (!/^(\/|\.\.?\/|https?:)/i.test(specifier)) return specifier;
  return rewrite(specifier, 'js_', from);
}
function scriptDataUrl(url) {
  const comma = url.indexOf(',');
  try {
    const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
    const text = isBase64 ? new TextDecoder().decode(Uint8Array.from(atob(decodeURIComponent(url.slice(comma + 1))), (c) => c.charCodeAt(0))) :
      decodeURIComponent(url.slice(comma + 1));
    return 'data:text/javascript;charset=utf-8,' + encodeURIComponent(rewriteModule(text, true));
  } catch {
    return url;
  }
}

Object.defineProperty(scope, '_caddis', { value: Object.freeze(runtime) });
for (const owner of inDocument ? [scope, document] : [scope]) {
  for (const name of NAMES) {
    if (!(name in viewOf(owner))) continue;
    Object.defineProperty(owner, '_caddis_' + name, { configurable: true, get: () => viewOf(owner)[name], set: (value) => { viewOf(owner)[name] = value; } });
  }
}
if (!inDocument) {
  for (const owner of [scope, Object.getPrototypeOf(scope), Object.getPrototypeOf(Object.getPrototypeOf(scope))]) accessor(owner, 'location', () => location);
}
for (const owner of [scope, inDocument ? null : Object.getPrototypeOf(Object.getPrototypeOf(scope))]) accessor(owner, 'origin', () => page.origin);

// The property itself, and its getter.
for (const owner of inDocument ? [Object, Reflect] : []) {
  wrap(owner, 'getOwnPropertyDescriptor', (native) => (self, args) => {
    const known = apply(native, self, args);
    if (args[1] !== 'location' || !known?.get || !isOwner(args[0])) return known;
    const of = (self) => self === undefined || self === null ? args[0] : self;
    return {
      ...known,
      get: new Proxy(known.get, { apply: (get, self) => runtimeView(of(self))?.location ?? apply(get, self, []) }),
      set: known.set && new Proxy(known.set, { apply: (set, self, [value]) => { const view = runtimeView(of(self)); if (view) view.location = value; else apply(set, self, [value]); } }),
    };
  });
}
function runtimeView(owner) { return isOwner(owner) ? viewOf(owner) : null; }

// Code in strings.
for (const make of [function () {}, async function () {}, function* () {}, async function* () {}]) {
  const Native = make.constructor;
  const fix = (args) => args.length === 0 ? args : [...args.slice(0, -1), rewriteClassic(String(args[args.length - 1]))];
  const Wrapped = new Proxy(Native, {
    apply: (_, self, args) => Native(...fix(args)),
    construct: (_, args, target) => construct(Native, fix(args), target === Wrapped ? Native : target),
  });
  Object.defineProperty(Native.prototype, 'constructor', { value: Wrapped, configurable: true, writable: Native === Function });
  if (Native === Function) Object.defineProperty(scope, 'Function', { value: Wrapped, configurable: true, writable: true });
}
for (const name of ['setTimeout', 'setInterval']) {
  wrap(scope, name, (native) => (self, args) =>
    apply(native, self, typeof args[0] === 'string' ? [rewriteClassic(args[0]), ...args.slice(1)] : args));
}
wrap(Function.prototype, 'toString', (native) => (self) => restoreScript(apply(native, self, [])));
// A rewritten script as it was, but for what stands around the arguments of import and eval.
function restoreScript(text) {
  if (!text.includes('_caddis.')) return text;
  let out = text.replace(/_caddis\.t\(v=>location=v,location\)\.v/g, 'location').replace(/\b(location|top|eval):_caddis\.l\(\1\)/g, '$1')
    .replace(/_caddis\.[ld]\((\w+)\)/g, '$1').replace(/_caddis\.m\(import\.meta\)/g, 'import.meta');
  // What has brackets of its own inside: from the innermost out.
  for (let before = ''; before !== out;) {
    before = out;
    out = out.replace(/_caddis\.o\(((?:[^()]|\([^()]*\))*)\)(\??\.)/g, (_, inner, point) => inner + (inner.includes('?.') ? '.' : point));
  }
  return out.replace(/\b_caddis\.[ki]\((?:"[^"]*"|\w+),((?:[^()]|\([^()]*\))*)\)/g, '$1').replace(/eval\(_caddis\.e\(eval,((?:[^()]|\([^()]*\))*)\)\)/g, 'eval($1)');
}
