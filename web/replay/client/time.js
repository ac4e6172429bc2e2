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
  if (scope.PerformanceTiming) {
    const { prototype } = PerformanceTiming;
    const moved = (time) => time > 0 ? time + offset : time;
    for (const name of Object.keys(prototype)) if (name !== 'toJSON') accessor(prototype, name, (self, native) => moved(native.call(self)));
    wrap(prototype, 'toJSON', (native) => (self, args) => Object.fromEntries(Object.entries(apply(native, self, args)).map(([name, time]) => [name, moved(time)])));
  }
  if (scope.Temporal) {
    const { Now } = scope.Temporal;
    const { instant, timeZoneId } = Now;
    const current = () => instant.call(Now).add({ milliseconds: offset });
    const zoned = (zone = timeZoneId.call(Now)) => current().toZonedDateTimeISO(zone);
    wrap(Now, 'instant', () => () => current());
    wrap(Now, 'zonedDateTimeISO', () => (self, [zone]) => zoned(zone));
    wrap(Now, 'plainDateTimeISO', () => (self, [zone]) => zoned(zone).toPlainDateTime());
    wrap(Now, 'plainDateISO', () => (self, [zone]) => zoned(zone).toPlainDate());
    wrap(Now, 'plainTimeISO', () => (self, [zone]) => zoned(zone).toPlainTime());
  }
  replaceConstructor('File', (Native, args, target) => {
    const [bits, name, options] = args;
    if (args.length < 2 || (options !== null && typeof options !== 'object' && options !== undefined) || options?.lastModified !== undefined) return construct(Native, args, target);
    return construct(Native, [bits, name, { type: options?.type, endings: options?.endings, lastModified: now() }], target);
  });
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
