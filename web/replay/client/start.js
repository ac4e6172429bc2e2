// Finds out where it runs. `given` comes from the window that made this one, or from the worker's first line.
function startingPlace() {
  if (given) return given;
  if (!inDocument) {
    if (scope.__caddis_place) return scope.__caddis_place;
    const { pathname, search, hash, origin } = realLocation;
    const match = /^(.*?\/)(\d{1,14})([a-z]+_)\/(.+)$/.exec(pathname + search + hash);
    return match && { prefix: match[1], timestamp: match[2], modifier: match[3], url: match[4], archive: origin };
  }
  const tag = document.currentScript;
  const found = { ...tag.dataset };
  // Not location.origin: a srcdoc document has none, and would take each of its addresses for one still to be rewritten.
  found.archive = new NativeURL(tag.src).origin;
  tag.remove();
  if (found.url !== undefined) return { ...found, isTold: true };
  // In a page that a style sheet of XSLT made, the tag is the same for all documents of that sheet.
  const { pathname, search } = realLocation;
  const match = pathname.startsWith(found.prefix) && /^(\d{1,14})([a-z]+_)?\/(.+)$/.exec(pathname.slice(found.prefix.length) + search);
  return match && { ...found, timestamp: match[1], modifier: match[2] ?? '', url: match[3] };
}
const started = startingPlace();
if (!started) return undefined;
// Browsers that do not say what they open a page for may have opened it in a window: it belongs into a frame.
if (inDocument && !given && scope.top === scope && started.own) {
  scope.stop();
  realLocation.replace(started.own + started.timestamp + '/' + started.url);
  return undefined;
}
// The window of an empty frame goes on as that of the page that is loaded into it first.
if (scope._caddis) {
  scope._caddis.move(started);
  return undefined;
}
move(started);
