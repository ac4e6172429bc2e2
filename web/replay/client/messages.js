// Messages between windows: each is told the origin that the sender has in the archive, and reaches the origin that it is for.
// An envelope carries both, since all windows of a collection have one origin in truth.
const nativePost = inDocument ? scope.postMessage : null;
function post(target, args) {
  if (args.length === 0) throw new TypeError("Failed to execute 'postMessage' on 'Window': 1 argument required, but only 0 present.");
  const [message, second, transfer] = args;
  const options = typeof second === 'object' && second !== null ? second : { targetOrigin: args.length > 1 ? second : '/', transfer };
  const wanted = options.targetOrigin === undefined ? '/' : String(options.targetOrigin);
  let to = wanted;
  if (wanted === '/') to = page.origin;
  else if (wanted !== '*') {
    try { to = new NativeURL(wanted).origin; } catch {
      throw new DOMException(`Failed to execute 'postMessage' on 'Window': Invalid target origin '${wanted}' in a call to 'postMessage'.`, 'SyntaxError');
    }
  }
  return nativePost.call(target, { caddis$from: page.origin, caddis$to: to, caddis$message: message }, '*', options.transfer || []);
}
if (inDocument) {
  wrap(scope, 'postMessage', () => (self, args) => post(self || scope, args));
}
{
  const nativeData = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
  const envelopeOf = (event) => {
    const data = nativeData.call(event);
    return event.isTrusted && typeof data === 'object' && data !== null && hasOwn(data, 'caddis$from') ? data : null;
  };
  natives.checkMessage = (event) => {
    const envelope = envelopeOf(event);
    if (envelope && envelope.caddis$to !== '*' && envelope.caddis$to !== page.origin) event.stopImmediatePropagation();
  };
  accessor(MessageEvent.prototype, 'data', (self, native) => {
    const envelope = envelopeOf(self);
    return envelope ? envelope.caddis$message : native.call(self);
  });
  accessor(MessageEvent.prototype, 'origin', (self, native) => {
    const envelope = envelopeOf(self);
    if (envelope) return envelope.caddis$from;
    const origin = native.call(self);
    return origin === place.archive ? (self.source === null && captured(currentHref()) === null ? page.origin : page.origin) : origin;
  });
}
