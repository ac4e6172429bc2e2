// The script of the page around a capture. The capture is a stranger's page in a sandboxed frame: it can neither leave the
// frame nor reach this page, so its client script sends messages, which are taken for what they are, a stranger's words:
//
//   {caddis: 'shown', url, timestamp, title, previous, next}   the frame now shows this capture: from the frame itself
//   {caddis: 'alone', url, timestamp}                          open it in the window: it cannot be shown in a frame
//   {caddis: 'go', url, timestamp, target}                     a link or window.open leads to another frame or window
//
// Addresses are put together here, from a URL and a timestamp, and lead to captures of this collection alone.
(() => {
  'use strict';
  const frame = document.getElementById('capture');
  const { prefix, captures, url: firstUrl } = document.currentScript.dataset;
  const isLive = 'live' in document.currentScript.dataset; // the banner tells of no capture
  const own = location.origin + prefix;
  const inFrame = new URL(captures, location.href).href;
  const sender = inFrame.startsWith(location.origin + '/') ? 'null' : new URL(inFrame).origin;
  const isTimestamp = (text) => typeof text === 'string' && /^\d{1,14}$/.test(text);

  // The address of a capture below `base`; null for what is none.
  const addressOf = (base, modifier, message) => {
    const { url, timestamp } = message;
    if (typeof url !== 'string' || !/^(https?|ftp):/i.test(url) || !(isTimestamp(timestamp) || timestamp === '*')) return null;
    const begin = base + timestamp + modifier + '/';
    try {
      const address = new URL(begin + url).href;
      return address.startsWith(begin) ? address : null;
    } catch { return null; }
  };
  const language = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;
  const words = (timestamp) => {
    const [, ...parts] = timestamp.match(/^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})/) ?? [];
    if (parts.length === 0) return timestamp;
    const time = Date.UTC(parts[0], parts[1] - 1, ...parts.slice(2));
    const form = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: 'UTC' };
    return new Intl.DateTimeFormat(language, form).format(time) + ' UTC';
  };
  const lead = (id, address) => {
    const link = document.getElementById(id);
    if (address) link.href = address; else link.removeAttribute('href');
  };

  // The host of the first page has its name in Unicode from the server, with a warning if it misleads. Another one whose name
  // is not in ASCII shows it as it is in its addresses, so it is taken for no other.
  const hostOf = (url) => { try { return new URL(url).host; } catch { return ''; } };
  const showHost = (name) => {
    const isFirst = name === hostOf(firstUrl);
    const first = document.getElementById('host'), other = document.getElementById('other-host');
    if (first) first.hidden = !isFirst;
    if (!other) return;
    other.hidden = isFirst || !/(^|\.)xn--/.test(name);
    other.textContent = name;
  };
  const firstTitle = document.title;

  const onShown = (message) => {
    const address = addressOf(own, '', message);
    if (!address || !isTimestamp(message.timestamp)) return;
    const isSame = address === location.href;
    history.replaceState(null, '', address);
    document.title = typeof message.title === 'string' && message.title ? message.title.slice(0, 300)
      : message.url === firstUrl ? firstTitle : message.url;
    showHost(hostOf(message.url));
    if (isLive) return;
    document.getElementById('time').textContent = words(message.timestamp);
    lead('time', addressOf(own, '', { url: message.url, timestamp: '*' }));
    lead('about', own + 'info?time=' + message.timestamp + '&url=' + encodeURIComponent(message.url));
    // A page that does not know its neighbours leaves those that this one came with.
    for (const id of ['previous', 'next']) if (id in message || !isSame) lead(id, addressOf(own, '', { url: message.url, timestamp: message[id] }));
  };

  // The frame of that name at any depth, or null.
  const frameNamed = (name, within = window) => {
    for (let i = 0; i < within.frames.length && i < 200; ++i) {
      const one = within.frames[i];
      try { if (within[name] === one) return one; } catch { /* not a name of it */ }
      const below = frameNamed(name, one);
      if (below) return below;
    }
    return null;
  };
  const onGo = (message) => {
    const target = typeof message.target === 'string' ? message.target : '';
    const there = addressOf(inFrame, 'mp_', message);
    if (!there) return;
    if (/^_(top|parent|self)$/i.test(target)) { frame.src = there; return; }
    const named = target && !target.startsWith('_') ? frameNamed(target) : null;
    if (named) named.location = addressOf(inFrame, 'if_', message);
    else window.open(addressOf(own, '', message), '_blank', 'noopener');
  };

  addEventListener('message', (event) => {
    const message = event.data;
    if (event.origin !== sender || message === null || typeof message !== 'object') return;
    if (message.caddis === 'go' && event.source.top === window) onGo(message);
    if (event.source !== frame.contentWindow) return;
    if (message.caddis === 'shown') onShown(message);
    const alone = message.caddis === 'alone' && addressOf(own, '', message);
    if (alone) location.replace(alone);
  });
  document.getElementById('hide').addEventListener('click', (event) => event.currentTarget.parentElement.remove());
  frame.focus();
})();
