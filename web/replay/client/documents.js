// What a document tells of where it is, and where it goes.
if (inDocument) {
  for (const name of ['URL', 'documentURI']) accessor(Document.prototype, name, (self, native) => self === document ? currentHref() : asCaptured(native.call(self)));
  accessor(Node.prototype, 'baseURI', (self, native) => {
    const href = native.call(self);
    return captured(href) || (href.startsWith(place.archive) ? asCaptured(href) : href);
  });
  accessor(Document.prototype, 'domain', () => page.hostname, () => {});
  accessor(Document.prototype, 'referrer', (self, native) => {
    const from = native.call(self);
    return from && (captured(from) || '');
  });
  accessor(Document.prototype, 'lastModified', (self, native) => {
    const time = new natives.Date(place.modified || NaN);
    if (isNaN(time)) return native.call(self);
    const two = (number) => String(number).padStart(2, '0');
    return `${two(time.getMonth() + 1)}/${two(time.getDate())}/${time.getFullYear()} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  });

  // History.
  for (const name of ['pushState', 'replaceState']) {
    wrap(History.prototype, name, (native) => (self, [state, title, target]) => {
      if (target === undefined || target === null || target === '') return apply(native, self, [state, title]);
      const url = new NativeURL(target, base());
      if (currentHref().startsWith('http') && url.origin !== new NativeURL(currentHref()).origin) {
        throw new DOMException(`Failed to execute '${name}' on 'History': A history state object with URL '${url.href}' cannot be created in a document with origin '${page.origin}' and URL '${currentHref()}'.`, 'SecurityError');
      }
      return apply(native, self, [state, title, rewrite(url.href, place.modifier || '')]);
    });
  }
  if (scope.navigation) {
    wrap(Navigation.prototype, 'navigate', (native) => (self, [url, ...rest]) => apply(native, self, [rewrite(url, place.modifier || ''), ...rest]));
    readsAsCaptured(scope.NavigationHistoryEntry, 'url');
    natives.destination = Object.getOwnPropertyDescriptor(NavigationDestination.prototype, 'url').get;
    readsAsCaptured(scope.NavigationDestination, 'url');
  }

  // Cookies: those of the page's site, kept with what else it stores.
  const KEY = 'caddis-cookies';
  let memory = [];
  const store = (() => { try { return scope.sessionStorage; } catch { return null; } })();
  const load = () => { try { return JSON.parse(store.getItem(KEY) || '[]'); } catch { return memory; } };
  const save = (all) => { memory = all; try { store.setItem(KEY, JSON.stringify(all)); } catch { /* nothing is stored here */ } };
  const dateNow = Date.now;
  const parse = (line, fromServer) => {
    const [pair, ...attributes] = String(line).split(';');
    const at = pair.indexOf('=');
    const cookie = { name: pair.slice(0, Math.max(at, 0)).trim(), value: pair.slice(at + 1).trim(), host: page.hostname, only: true, path: page.pathname.replace(/[^/]*$/, '').replace(/(.)\/$/, '$1'), ends: null };
    for (const attribute of attributes) {
      const [name, ...rest] = attribute.trim().split('=');
      const value = rest.join('=');
      if (/^domain$/i.test(name) && value) {
        const domain = value.replace(/^\./, '').toLowerCase();
        if (page.hostname !== domain && !page.hostname.endsWith('.' + domain)) return null;
        Object.assign(cookie, { host: domain, only: false });
      } else if (/^path$/i.test(name)) {
        if (value.startsWith('/')) cookie.path = value;
      } else if (/^max-age$/i.test(name)) {
        cookie.ends = dateNow() + Number(value) * 1000;
      } else if (/^expires$/i.test(name) && cookie.ends === null) {
        cookie.ends = Date.parse(value) - (Date.now() - dateNow());
      } else if (/^httponly$/i.test(name)) {
        return null;
      } else if (/^secure$/i.test(name)) {
        if (!fromServer && page.protocol !== 'https:' && !/(^|\.)localhost$/.test(page.hostname)) return null;
      }
    }
    return cookie;
  };
  const put = (cookie) => {
    if (!cookie) return;
    const all = load().filter((one) => !(one.name === cookie.name && one.host === cookie.host && one.path === cookie.path));
    if (!(cookie.ends !== null && cookie.ends <= dateNow())) all.push(cookie);
    save(all);
  };
  const pathFits = (path) => page.pathname === path || (page.pathname.startsWith(path) && (path.endsWith('/') || page.pathname[path.length] === '/'));
  accessor(Document.prototype, 'cookie', () => load()
    .filter((one) => (one.only ? page.hostname === one.host : page.hostname === one.host || page.hostname.endsWith('.' + one.host)) && pathFits(one.path) && !(one.ends !== null && one.ends <= dateNow()))
    .sort((a, b) => b.path.length - a.path.length).map((one) => one.name === '' ? one.value : one.name + '=' + one.value).join('; '),
  (self, line) => put(parse(line, false)));
  for (const line of (place.cookies || '').split('\n')) if (line) put(parse(line, true));
  if (scope.cookieStore) {
    const visible = () => document.cookie.split('; ').filter(Boolean).map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
    const nameOf = (given) => typeof given === 'object' && given !== null ? given.name : given;
    const set = (cookie) => put(parse(`${cookie.name}=${cookie.value}; path=${cookie.path ?? '/'}` + (cookie.domain ? `; domain=${cookie.domain}` : '') +
      (cookie.expires ? `; expires=${new natives.Date(+cookie.expires).toUTCString()}` : ''), false));
    wrap(CookieStore.prototype, 'get', () => async (self, [given]) => visible().find((one) => one.name === nameOf(given)) ?? null);
    wrap(CookieStore.prototype, 'getAll', () => async (self, [given]) => visible().filter((one) => nameOf(given) === undefined || one.name === nameOf(given)));
    wrap(CookieStore.prototype, 'set', () => async (self, [given, value]) => set(typeof given === 'object' ? given : { name: given, value }));
    wrap(CookieStore.prototype, 'delete', () => async (self, [given]) => put(parse(`${nameOf(given)}=; path=${given.path ?? '/'}; max-age=0`, false)));
  }
}
