// The windows of this page: those that are empty, which scripts write into, and the one around it, which shows what is captured
// here and follows where it goes.

// Gives the client to the window of an empty frame. What its `_caddis` is, or null.
function settle(other) {
  try {
    if (other === scope || other._caddis) return other._caddis || null;
    const { href } = other.location;
    if (!/^about:(blank|srcdoc)$|^javascript:/.test(href) && captured(href) === null) return null;
    if (captured(href) !== null) return null;  // its own client is on the way
    new other.Function('return ' + caddisClient)()({ prefix: place.prefix, timestamp: place.timestamp, modifier: 'if_', url: place.url, archive: place.archive });
    return other._caddis || null;
  } catch {
    return null;
  }
}

function tell(message) {
  nativePost.call(realTop, { timestamp: place.timestamp, ...message }, '*');  // policies let none but the archive frame this page
}

// Listeners on this window; a document that is opened anew forgets them.
function listen() {
  for (const [type, listener, capture] of listeners) scope.addEventListener(type, listener, capture);
}
const listeners = [['message', natives.checkMessage, true]];

if (inDocument) {
  const isAlone = place.alone !== undefined;
  const getAttribute = Element.prototype.getAttribute;

  for (const [name, own] of [['contentWindow', 'HTMLIFrameElement'], ['contentDocument', 'HTMLIFrameElement'], ['contentWindow', 'HTMLObjectElement'], ['contentDocument', 'HTMLObjectElement']]) {
    accessor(scope[own].prototype, name, (self, native) => {
      const value = native.call(self);
      if (value) settle(name === 'contentWindow' ? value : value.defaultView);
      if (!value || name === 'contentWindow') return value;
      // Windows of other sites keep their documents to themselves.
      try { if (value.defaultView._caddis.origin() !== page.origin) return null; } catch { /* not one of ours */ }
      return value;
    });
  }

  // The captured URL behind an address of this archive, or behind any other link, as the page around this one takes it.
  const absolute = (href) => captured(href) || new NativeURL(href, base()).href;
  const isElsewhere = (target) => target !== '' && !/^_self$/i.test(target) && target !== scope.name &&
    !(/^_(top|parent)$/i.test(target) && isMain) && !(scope.frames[target] && !target.startsWith('_'));
  if (isAlone) {
    if (isMain) tell({ caddis: 'alone', url: place.url });
    scope.addEventListener('click', (event) => {
      if (!event.target.closest('a')) return;
      event.preventDefault();
      tell({ caddis: 'go', url: place.url, target: '_blank' });
    });
  } else {
    wrap(scope, 'open', (native) => (self, [target, name = '_blank', ...rest]) => {
      if (target !== undefined && target !== '' && isElsewhere(String(name))) {
        tell({ caddis: 'go', url: absolute(String(target)), target: String(name) });
        return null;
      }
      return native.call(scope, target === undefined || target === '' ? target : rewrite(target, pageMod()), name, ...rest);
    });
    const inArchive = (href) => {
      const target = new NativeURL(href);
      return target.origin === place.archive && target.pathname.startsWith(place.prefix);
    };
    if (scope.navigation) {
      // location = "…" by a way that no script of ours sees: it is stopped, and led to the archive instead.
      navigation.addEventListener('navigate', (event) => {
        const href = natives.destination.call(event.destination);
        if (!/^https?:/.test(href) || event.hashChange || inArchive(href)) return;
        const target = rewrite(href, pageMod());
        if (target === href || !event.cancelable) return;
        event.preventDefault();
        scope.setTimeout(() => realLocation.assign(target), 0);
      });
    }
    // Links into other frames and windows: the sandbox holds them, the page around this one follows them.
    const baseTarget = () => { const first = document.querySelector('base[target]'); return first ? first.target : ''; };
    listeners.push(['click', (event) => {
      const link = event.target.closest && event.target.closest('a[href],area[href]');
      if (!link || link.namespaceURI !== 'http://www.w3.org/1999/xhtml' || !/^https?:/.test(link.href)) return;
      natives.repair(link);
      const target = event.ctrlKey || event.metaKey || event.shiftKey ? '_blank' : link.target || baseTarget();
      if (event.defaultPrevented || getAttribute.call(link, 'href').startsWith('#')) return;
      if (isElsewhere(target)) {
        event.preventDefault();
        tell({ caddis: 'go', url: link.href, target });
      } else if (/^_(top|parent)$/i.test(target)) {
        event.preventDefault();
        go(link.href);
      }
    }, false]);
    listeners.push(['submit', (event) => {
      const form = event.target;
      if (form.tagName !== 'FORM') return;
      natives.repair(form);
      if (/^_(top|parent|blank)$/i.test(form.target) && isMain) form.target = '_self';
    }, true]);

    if (isMain) {
      for (const name of ['parent', 'frameElement']) {
        const known = Object.getOwnPropertyDescriptor(scope, name);
        const value = name === 'parent' ? scope : null;
        if (known && known.configurable) Object.defineProperty(scope, name, { configurable: true, get: () => value, set() {} });
      }
      const shown = () => tell({ caddis: 'shown', url: captured(realLocation.href) || place.url, title: document.title, ...(place.isTold && { previous: place.previous, next: place.next }) });
      shown();
      listeners.push(['load', shown, false]);
      if (scope.navigation) navigation.addEventListener('currententrychange', shown);
      const watchTitle = () => {
        if (document.head) new MutationObserver(shown).observe(document.head, { childList: true, subtree: true, characterData: true });
      };
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => { shown(); watchTitle(); }); else watchTitle();
    }
  }
}
if (inDocument) listen();
