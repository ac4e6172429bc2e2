// Where the page is: in the archive, and as it knows it.
//
// All of web/replay/client is one function (cmake/JoinClient.cmake), run first in every replayed page and worker. It may be run
// again in the window of an empty frame (`given`): whoever made the frame writes into it. It guards nothing: what escapes it is
// stopped by the sandbox of the frame around the page (frame.js) and by the policies of its response.
const scope = globalThis;
const inDocument = typeof document !== 'undefined';
const NativeURL = scope.URL;
const hasOwn = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
const { apply, construct } = Reflect;
const realLocation = scope.location;

// prefix, timestamp, modifier, url, archive (its origin), files (where its own lie), and of a page own, previous, next, alone.
const place = {};
let page = null;  // the URL of the page when it was loaded
function move(to) {
  Object.assign(place, { previous: undefined, next: undefined, isTold: undefined, alone: undefined, cookies: undefined, modified: undefined }, to);
  page = new NativeURL(place.url);
  // Beside the collection, which a key may stand in front of: "/wayback/-/" for "/wayback/~key/collection/".
  place.files = place.archive + place.prefix.replace(/\/(~[^/]*\/)?[^/]*\/$/, '/-/');
  place.address = new RegExp('^' + place.prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '\\d*([a-z]+_)?/(.+)$');
}

// The captured URL that an address of this archive stands for, or null.
function captured(href) {
  let parsed;
  try { parsed = new NativeURL(href, place.archive); } catch { return null; }
  if (parsed.origin !== place.archive) return null;
  const match = place.address.exec(parsed.pathname + parsed.search + parsed.hash);
  if (!match) return null;
  try { return new NativeURL(match[2]).href; } catch { return match[2]; }
}
// The same, or what it was; a URL that was resolved against the archive instead of the page is one of the page's site.
function asCaptured(href) {
  if (typeof href !== 'string' || href === '') return href;
  const known = captured(href);
  if (known !== null) return known;
  return href.startsWith(place.archive + '/') && !href.startsWith(place.files) ? page.origin + href.slice(place.archive.length) : href;
}
// What the page's location is now.
function currentHref() {
  const { href } = realLocation;
  if (href.startsWith('blob:' + place.archive)) return 'blob:' + page.origin + href.slice(5 + place.archive.length);
  return captured(href) || (/^(about|blob|data|javascript):/.test(href) ? href : place.url);
}
// What links are resolved against.
function base() {
  if (inDocument) {
    const href = captured(natives.baseURI.call(document));
    if (href) return href;
    return place.url;
  }
  return currentHref().startsWith('http') ? currentHref() : place.url;
}
const natives = {};
if (inDocument) natives.baseURI = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI').get;

function isAddress(text) {
  return captured(text) !== null && (/^https?:/i.test(text) || text.replace(/^(\/\.){1,3}(?=\/)/, '').startsWith(place.prefix));
}
// The address for a URL as a script or element gives it; unchanged where nothing is fetched or it is one already.
function rewrite(value, mod, from) {
  const text = String(value).trim();
  if (text === '' || text[0] === '#' || /^(data|blob|about|javascript|mailto|tel|filesystem):/i.test(text)) return value;
  if (isAddress(text)) return value;
  let target;
  try { target = new NativeURL(text, from || base()); } catch { return value; }
  if (target.protocol === 'ws:' || target.protocol === 'wss:') return value;
  // Something told a script the archive's origin, and it built upon it: it means its own site.
  if (target.origin === place.archive && page.origin !== place.archive) {
    if (target.href.startsWith(place.files)) return value;
    target = new NativeURL(target.pathname + target.search + target.hash, page.origin);
  }
  if (!/^(https?|ftp):$/.test(target.protocol)) return value;
  return addressOf(target.href, mod);
}
// Whole, where nothing could be resolved against what the page or worker was made from.
const isMade = !/^(https?|about):$/.test(realLocation.protocol);
function addressOf(href, mod) { return (isMade ? place.archive : '') + place.prefix + place.timestamp + mod + '/' + href; }
function rewriteSet(value, mod) {
  return String(value).replace(/(^|,\s+|,(?=https?:|\/))(\s*)([^\s,][^\s]*?)(?=,?\s|,?$)/g,
    (_, comma, blanks, link) => comma + blanks + rewrite(link, mod));
}
// Addresses in a text of any kind, as captured.
function restore(text) {
  if (typeof text !== 'string' || !text.includes(place.prefix)) return text;
  const prefix = place.prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const origin = place.archive.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp('(?:' + origin + ')?' + prefix + '\\d{1,14}(?:[a-z]+_)?/(?=(?:https?|ftp):)', 'g'), '');
}

// Puts `make(native)` in the place of a function: like the native one in name, length and text.
function wrap(owner, name, make) {
  const native = owner && owner[name];
  if (typeof native !== 'function') return;
  const act = make(native);
  const wrapped = new Proxy(native, { apply: (_, self, args) => act(self, args) });
  const known = Object.getOwnPropertyDescriptor(owner, name);
  if (known && known.configurable) Object.defineProperty(owner, name, { ...known, value: wrapped }); else owner[name] = wrapped;
}
// Another getter, and setter where `set` is given, for an attribute.
function accessor(owner, name, get, set) {
  const known = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!known || !known.configurable || !known.get) return;
  Object.defineProperty(owner, name, {
    ...known,
    get: get ? new Proxy(known.get, { apply: (native, self) => get(self, native) }) : known.get,
    set: set && known.set ? new Proxy(known.set, { apply: (native, self, args) => set(self, args[0], native) }) : known.set,
  });
}
function readsAsCaptured(constructor, ...names) {
  if (!constructor) return;
  for (const name of names) accessor(constructor.prototype, name, (self, native) => asCaptured(native.call(self)));
}
function replaceConstructor(name, act, more) {
  const native = scope[name];
  if (typeof native !== 'function') return;
  const wrapped = new Proxy(native, {
    construct: (_, args, target) => act(native, args, target === wrapped ? native : target), ...more,
  });
  Object.defineProperty(scope, name, { value: wrapped, writable: true, configurable: true, enumerable: false });
  if (native.prototype) Object.defineProperty(native.prototype, 'constructor', { value: wrapped, writable: true, configurable: true, enumerable: false });
}
