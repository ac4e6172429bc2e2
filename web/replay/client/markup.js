// Markup and style sheets that scripts write: rewritten as strings, before a browser sees them, as the server does with those
// that were captured.
const LINKS = {
  img: { src: 'im_', srcset: 'set', longdesc: 'page' }, script: { src: 'js_', href: 'js_', 'xlink:href': 'js_' }, iframe: { src: 'if_' }, frame: { src: 'if_' },
  link: { href: 'link', imagesrcset: 'set' }, a: { href: 'page', 'xlink:href': 'page' }, area: { href: 'page' }, form: { action: 'page' },
  base: { href: 'page' }, source: { src: 'oe_', srcset: 'set' }, video: { src: 'oe_', poster: 'im_' }, audio: { src: 'oe_' },
  track: { src: 'oe_' }, embed: { src: 'oe_' }, object: { data: 'oe_' }, input: { src: 'im_', formaction: 'page' },
  button: { formaction: 'page' }, image: { href: 'im_', 'xlink:href': 'im_' }, use: { href: 'oe_', 'xlink:href': 'oe_' },
  feimage: { href: 'im_', 'xlink:href': 'im_' }, blockquote: { cite: 'page' }, q: { cite: 'page' }, ins: { cite: 'page' }, del: { cite: 'page' },
  body: { background: 'im_' }, table: { background: 'im_' }, td: { background: 'im_' }, th: { background: 'im_' },
};
const RAW = /^(script|style|textarea|title|xmp|iframe|noembed|noframes|noscript)$/;
// Where the value of one of these became an address, an attribute "archived-…" keeps what the page wrote, and selectors are made
// to ask for that: the same as in src/caddis/replay/html_links.cc and css.cc.
const SELECTED_NAMES = ['href', 'src', 'srcset', 'action', 'data', 'poster', 'formaction', 'imagesrcset', 'cite', 'background', 'longdesc', 'ping'];
const SELECTED = new Set(SELECTED_NAMES);
const SELECTS = new RegExp(`\\[\\s*(?:${SELECTED_NAMES.join('|')})\\s*[~|^$*]?=`, 'i');
const QUOTED = `"(?:\\\\[^]|[^"\\\\\\n])*"|'(?:\\\\[^]|[^'\\\\\\n])*'`;
const SELECTORS = new RegExp(`${QUOTED}|\\/\\*[^]*?(?:\\*\\/|$)|\\\\[^]|\\[\\s*((${SELECTED_NAMES.join('|')})\\s*([~|^$*]?)=\\s*` +
  `(${QUOTED}|[a-z_\\u0080-\\uffff][\\w\\u0080-\\uffff-]*)\\s*(?:[is]\\s*)?\\])(?!:where\\(:not\\(\\[archived-)`, 'gi');
function rewriteSelectors(text) {
  if (typeof text !== 'string' || !SELECTS.test(text)) return text;
  return text.replace(SELECTORS, (all, inner, name, operator, value) =>
    inner === undefined || (value[1] === '#' && (operator === '' || operator === '^')) ? all :
      `:is([archived-${inner},[${inner}:where(:not([archived-${name}])))`);
}
const REWRITTEN_SELECTOR = new RegExp(`:is\\(\\[archived-(?:${QUOTED}|[^"'\\]])*\\],\\s*(\\[(?:${QUOTED}|[^"'\\]])*\\]):where\\(:not\\(\\[archived-[a-z]+\\]\\)\\)\\)`, 'gi');
function restoreSelectors(text) { return typeof text === 'string' && text.includes('[archived-') ? text.replace(REWRITTEN_SELECTOR, '$1') : text; }
// The same for XPath: attributes in predicates. A step that gives attributes cannot be put in brackets.
const PATH_PARTS = new RegExp(`"[^"]*"|'[^']*'|\\[|\\]|(\\/\\s*)?@(${SELECTED_NAMES.join('|')})(?![\\w.:-])`, 'g');
function rewritePath(path) {
  if (typeof path !== 'string' || !path.includes('@')) return path;
  let depth = 0;
  return path.replace(PATH_PARTS, (all, step, name) => {
    depth += all === '[' ? 1 : all === ']' ? -1 : 0;
    return name === undefined || step || depth === 0 ? all : `(@archived-${name}|@${name}[not(../@archived-${name})])`;
  });
}
const pageMod = () => (/^(mp_|if_)$/.test(place.modifier || '') ? place.modifier : '');

// A link that a page wrote without scheme and host gets an address with "." segments in front, which browsers take out again:
// so that the page can read back what it wrote. The same marks as in src/caddis/replay/link_rewriter.cc.
function directoryOf(href) { return href.replace(/[?#].*$/s, '').replace(/[^/]*$/, ''); }
function marked(link, address) {
  if (typeof address !== 'string' || !address.startsWith(place.prefix)) return address;
  const href = captured(address);
  if (href === null || href === link) return address;
  const dots = href.slice(new NativeURL(href).origin.length) === link ? '/.' : href === directoryOf(base()) + link ? '/./.' :
    href.slice(href.indexOf(':') + 1) === link ? '/././.' : '';
  return dots + address;
}
// What the page wrote.
function unmarked(value) {
  const match = /^(\/\.){1,3}(?=\/)/.exec(value);
  if (!match) return restore(value);
  const href = captured(value);
  if (href === null) return value;
  const directory = directoryOf(base());
  if (match[0].length === 2) return href.slice(new NativeURL(href).origin.length);
  if (match[0].length === 6) return href.slice(href.indexOf(':') + 1);
  return href.startsWith(directory) ? href.slice(directory.length) : href;
}

// `get(name)` gives another attribute of the element.
function rewriteLink(tag, name, value, get) {
  const kind = LINKS[tag] && LINKS[tag][name];
  if (kind === undefined || value == null) return value;
  if (kind === 'set') return rewriteSet(value, 'im_');
  if (kind === 'page') {
    if (isScriptUrl(String(value))) return rewriteScriptUrl(String(value));
    return rewrite(value, /^_(top|parent|blank)$/i.test(get('target') || '') && pageMod() === 'if_' ? 'mp_' : pageMod());
  }
  if (kind === 'link') {
    const rel = get('rel') || '';
    const as = get('as') || '';
    return rewrite(value, /stylesheet/i.test(rel) || as === 'style' ? 'cs_' : /modulepreload/i.test(rel) || as === 'script' || as === 'worker' ? 'js_' :
      /icon/i.test(rel) || as === 'image' ? 'im_' : 'oe_');
  }
  if (kind === 'if_' && isScriptUrl(String(value))) return rewriteScriptUrl(String(value));
  return rewrite(value, kind);
}
function isScriptUrl(value) { return /^[\0- ]*javascript:/i.test(value); }
function rewriteScriptUrl(value) {
  const at = value.indexOf(':') + 1;
  return value.slice(0, at) + rewriteClassic(value.slice(at));
}
// The value that an attribute gets, whatever it is.
function rewriteAttribute(tag, name, value, get) {
  if (name === 'style') return /url\(/i.test(value) ? rewriteCss(value) : value;
  if (name === 'srcdoc' && tag === 'iframe') return clientTag() + rewriteHtml(String(value)).out;
  if (/^on[a-z]/.test(name)) return rewriteClassic(String(value));
  if (name === 'ping') return '';
  return rewriteLink(tag, name, value, get);
}

const CSS_PARTS = /\/\*[^]*?(?:\*\/|$)|\burl\(\s*(?:"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'|((?:\\[^]|[^)'"\s\\])*))\s*\)|@import\s+(?:"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)')|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/gi;
function rewriteCss(css, from) {
  const given = String(css);
  const text = rewriteSelectors(given);
  if (!/url\(|@import/i.test(text)) return text === given ? css : text;
  return text.replace(CSS_PARTS, (all, a, b, c, d, e, at) => {
    const link = a ?? b ?? c ?? d ?? e;
    if (!link || link.includes('\\')) return all;
    const isSheet = all[0] === '@' || /@import\s*$/i.test(text.slice(Math.max(0, at - 16), at));
    const address = rewrite(link, isSheet ? 'cs_' : 'oe_', from);
    return address === link ? all : (d ?? e) !== undefined ? '@import "' + address.replace(/"/g, '%22') + '"' : 'url("' + address.replace(/"/g, '%22') + '")';
  });
}

function isScriptType(type, language) {
  if (type === null || type === undefined) return !language || /^(java|ecma|live|j)script/i.test(language);
  return type.trim() === '' || /^\s*(text|application)\/(x-)?(java|ecma|live|j)script/i.test(type) || /^\s*module\s*$/i.test(type);
}
function rewriteScriptText(text, type, language) {
  if (type && /^\s*importmap\s*$/i.test(type)) return rewriteImportMap(text);
  if (!isScriptType(type, language)) return text;
  return type && /^\s*module\s*$/i.test(type) ? rewriteModule(text) : rewriteClassic(text);
}
function rewriteImportMap(text) {
  let map;
  try { map = JSON.parse(text); } catch { return text; }
  if (typeof map !== 'object' || map === null) return text;
  const isUrl = (name) => /^(\/|\.\.?\/)/.test(name) || name.includes(':');
  const one = (name) => typeof name === 'string' && isUrl(name) ? rewrite(name, 'js_') : name;
  const all = (imports) => Object.fromEntries(Object.entries(imports || {}).map(([key, value]) => [one(key), one(value)]));
  const out = {};
  if (map.imports) out.imports = all(map.imports);
  if (map.scopes) out.scopes = Object.fromEntries(Object.entries(map.scopes).map(([key, value]) => [rewrite(key, 'js_'), all(value)]));
  return JSON.stringify(out);
}

// The client's tag, for a document that a script makes.
function clientTag() {
  const escape = (text) => String(text).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
  const data = ['prefix', 'timestamp', 'url', 'own'].filter((name) => place[name] !== undefined).map((name) => ` data-${name}="${escape(place[name])}"`);
  return `<script src="${place.files}client.js" data-modifier="if_"${data.join('')}></script>`;
}

const decoder = inDocument ? document.implementation.createHTMLDocument('').createElement('textarea') : null;
const setInner = inDocument ? Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML').set : null;
function decoded(value) {
  if (!value.includes('&')) return value;
  setInner.call(decoder, value.replace(/</g, '&lt;'));
  return decoder.value;
}
function encoded(value) { return value.replace(/&/g, '&amp;').replace(/"/g, '&quot;'); }

const ATTRIBUTE = /([^\s"'<>\/=]+|=[^\s"'<>\/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?|"|'|\/|[^\s>]/y;
// {out, rest}: `rest` is what may go on behind the end, if `goesOn`.
function rewriteHtml(html, goesOn = false) {
  let out = '';
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    if (open < 0) return { out: out + html.slice(at), rest: '' };
    out += html.slice(at, open);
    const end = tokenEnd(html, open);
    if (end < 0) return goesOn ? { out, rest: html.slice(open) } : { out: out + html.slice(open), rest: '' };
    const token = html.slice(open, end);
    const name = /^<([a-z][^\s\/>]*)/i.exec(token);
    at = end;
    if (!name) {
      out += token;
      continue;
    }
    const tag = name[1].toLowerCase();
    const attributes = [];
    const start = rewriteTag(token, tag, name[0].length, attributes);
    if (!RAW.test(tag) || token.endsWith('/>') && /^(svg|math)$/.test(tag)) {
      out += start;
      continue;
    }
    const close = new RegExp('</' + tag + '(?=[\\s/>])', 'ig');
    close.lastIndex = end;
    const found = close.exec(html);
    if (!found && goesOn && (tag === 'script' || tag === 'style')) return { out, rest: html.slice(open) };
    const until = found ? found.index : html.length;
    const text = html.slice(end, until);
    const get = (wanted) => { const one = attributes.find((each) => each.name === wanted); return one ? one.value : null; };
    out += start + (tag === 'script' ? rewriteScriptText(text, get('type'), get('language')) : tag === 'style' ? rewriteCss(text) : text);
    at = until;
  }
}
function tokenEnd(html, open) {
  if (html.startsWith('<!--', open)) {
    if (html.startsWith('>', open + 4)) return open + 5;
    const end = html.indexOf('-->', open + 2);
    return end < 0 ? -1 : end + 3;
  }
  const next = html[open + 1];
  if (next === undefined) return -1;
  if (!/[a-z\/!?]/i.test(next)) return open + 1;
  if (next === '!' || next === '?' || (next === '/' && html[open + 2] !== undefined && !/[a-z]/i.test(html[open + 2]))) {
    const end = html.indexOf('>', open);
    return end < 0 ? -1 : end + 1;
  }
  let quote = '';
  let before = '';
  for (let at = open + 1; at < html.length; ++at) {
    const c = html[at];
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '>') {
      return at + 1;
    } else if ((c === '"' || c === "'") && before === '=') {
      quote = c;
    }
    if (!/\s/.test(c)) before = c;
  }
  return -1;
}
function rewriteTag(token, tag, from, attributes) {
  ATTRIBUTE.lastIndex = from;
  for (;;) {
    while (/\s/.test(token[ATTRIBUTE.lastIndex] || '')) ++ATTRIBUTE.lastIndex;
    const start = ATTRIBUTE.lastIndex;
    if (start >= token.length - 1) break;
    const match = ATTRIBUTE.exec(token);
    if (!match) break;
    if (match[1] === undefined) continue;
    const value = match[2] ?? match[3] ?? match[4];
    attributes.push({ name: match[1].toLowerCase(), value: value === undefined ? '' : decoded(value), has: value !== undefined, start, end: ATTRIBUTE.lastIndex, length: match[1].length });
  }
  const get = (wanted) => { const one = attributes.find((each) => each.name === wanted); return one ? one.value : null; };
  let out = '';
  let copied = 0;
  for (const one of attributes) {
    if (one.name === 'integrity' || (one.name === 'http-equiv' && tag === 'meta' && /content-security-policy|x-dns-prefetch|set-cookie/i.test(one.value))) {
      out += token.slice(copied, one.start) + 'data-archived-' + token.slice(one.start, one.end);
      copied = one.end;
      continue;
    }
    if (!one.has) continue;
    const value = tag === 'meta' && one.name === 'content' && /^\s*refresh\s*$/i.test(get('http-equiv') || '') ?
      one.value.replace(/(url\s*=\s*["']?)([^"']+)/i, (_, begin, link) => begin + rewrite(link, pageMod())) : rewriteAttribute(tag, one.name, one.value, get);
    if (value === one.value) continue;
    out += token.slice(copied, one.start) + (SELECTED.has(one.name) || one.name === 'style' ? 'archived-' + token.slice(one.start, one.end) + ' ' : '') +
      token.slice(one.start, one.start + one.length) + '="' + encoded(tag === 'base' ? value : marked(one.value, String(value))) + '"';
    copied = one.end;
  }
  return out + token.slice(copied);
}
// Markup as a page reads it back.
const WITH_KEPT = /<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*>/gi;
function withoutKept(tag) {
  if (!tag.includes(' archived-')) return tag;
  const kept = new Map();
  const rest = tag.replace(/ archived-([a-z]+)="([^"]*)"/gi, (all, name, value) => {
    if (name === 'style') return '';
    if (!SELECTED.has(name.toLowerCase())) return all;
    kept.set(name.toLowerCase(), value);
    return '';
  });
  return rest.replace(/ ([a-z]+)="[^"]*"/gi, (all, name) => kept.has(name.toLowerCase()) ? ` ${name}="${kept.get(name.toLowerCase())}"` : all);
}
function restoreMarkup(text) {
  const html = text.includes('archived-') ? restoreSelectors(text.replace(WITH_KEPT, withoutKept)) : text;
  const links = html.replace(/"((?:\/\.){1,3}\/[^"]*)"/g, (all, link) => { const value = unmarked(link); return value === link ? all : '"' + value + '"'; });
  return restoreScript(restore(links.replace(/<script src="[^"]*\/-\/client\.js"[^>]*><\/script>/g, '')).replace(/ data-archived-(integrity)=/g, ' $1='));
}
