// The time of the capture, from which on it runs; and chance that is the same each time.
natives.Date = scope.Date;
{
  const NativeDate = scope.Date;
  const stamp = (place.timestamp || '').padEnd(14, '0');
  const part = (from, to) => Number(stamp.slice(from, to));
  const then = stamp.length >= 14 ? NativeDate.UTC(part(0, 4), Math.max(part(4, 6) - 1, 0), Math.max(part(6, 8), 1), part(8, 10), part(10, 12), part(12, 14)) : NaN;
  const nativeNow = NativeDate.now;
  const offset = isNaN(then) ? 0 : then - nativeNow();
  const now = () => nativeNow() + offset;
  const Wrapped = new Proxy(NativeDate, {
    apply: () => new NativeDate(now()).toString(),
    construct: (_, args, target) => construct(NativeDate, args.length === 0 ? [now()] : args, target === Wrapped ? NativeDate : target),
  });
  Object.defineProperty(scope, 'Date', { value: Wrapped, writable: true, configurable: true });
  Object.defineProperty(NativeDate.prototype, 'constructor', { value: Wrapped, writable: true, configurable: true });
  wrap(NativeDate, 'now', () => () => now());
  if (scope.Performance) accessor(Performance.prototype, 'timeOrigin', (self, native) => native.call(self) + offset);
  const Format = scope.Intl && Intl.DateTimeFormat;
  if (Format) {
    accessor(Format.prototype, 'format', (self, native) => { const format = native.call(self); return (date) => format(date === undefined ? now() : date); });
    wrap(Format.prototype, 'formatToParts', (native) => (self, [date]) => apply(native, self, [date === undefined ? now() : date]));
  }

  // A small generator (xorshift32, twice): good enough for what pages do with it.
  let state = (Number(stamp.slice(4, 14)) ^ 0x9E3779B9) >>> 0 || 1;
  const next = () => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state; };
  for (let i = 0; i < 8; ++i) next();
  wrap(Math, 'random', () => () => (next() * 0x200000 + (next() >>> 11)) / 0x20000000000000);
}
