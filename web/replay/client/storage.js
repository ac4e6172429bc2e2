// What a page stores is its site's own, though all sites of a collection share one origin here; where browsers store nothing
// for a frame like this, it lasts as long as the page.
{
  const partition = () => page.origin + '|';
  const areas = new Map();  // native ones, and what a page gets for them
  const nativeAreas = new Map();
  const makeStorage = (native) => {
    const kept = new Map();
    const keys = () => native ? Object.keys(native).filter((key) => key.startsWith(partition())) : [...kept.keys()];
    const methods = {
      getItem: (key) => native ? native.getItem(partition() + key) : kept.get(partition() + key) ?? null,
      setItem: (key, value) => { if (native) native.setItem(partition() + key, value); else kept.set(partition() + key, String(value)); },
      removeItem: (key) => { if (native) native.removeItem(partition() + key); else kept.delete(partition() + key); },
      clear: () => { for (const key of keys()) methods.removeItem(key.slice(partition().length)); },
      key: (index) => { const key = keys()[index]; return key === undefined ? null : key.slice(partition().length); },
    };
    return new Proxy(Object.create(Storage.prototype), {
      get: (_, key) => key === 'length' ? keys().length : typeof key === 'symbol' ? Storage.prototype[key] :
        methods[key] || (methods.getItem(key) ?? Object.prototype[key]),
      set: (_, key, value) => { methods.setItem(String(key), value); return true; },
      has: (_, key) => key in methods || key === 'length' || (typeof key === 'string' && methods.getItem(key) !== null),
      deleteProperty: (_, key) => { methods.removeItem(String(key)); return true; },
      ownKeys: () => keys().map((key) => key.slice(partition().length)),
      getOwnPropertyDescriptor: (_, key) => typeof key === 'string' && methods.getItem(key) !== null ?
        { value: methods.getItem(key), writable: true, enumerable: true, configurable: true } : undefined,
      defineProperty: (_, key, descriptor) => { methods.setItem(String(key), descriptor.value); return true; },
    });
  };
  if (inDocument) {
    for (const name of ['localStorage', 'sessionStorage']) {
      let native = null;
      try { native = scope[name]; } catch { /* an origin that is nobody's has none */ }
      const storage = makeStorage(native);
      if (native) areas.set(native, storage);
      nativeAreas.set(storage, native);
      Object.defineProperty(scope, name, { configurable: true, enumerable: true, get: () => storage });
    }
  }
  const inPartition = (owner, ...names) => {
    for (const name of names) wrap(owner, name, (native) => (self, [key, ...rest]) => apply(native, self, [partition() + key, ...rest]));
  };
  const stripped = (name) => typeof name === 'string' && name.startsWith(partition()) ? name.slice(partition().length) : name;
  if (scope.IDBFactory) {
    inPartition(IDBFactory.prototype, 'open', 'deleteDatabase');
    wrap(IDBFactory.prototype, 'databases', (native) => async (self) => {
      const all = await native.call(self);
      return all.filter((one) => one.name.startsWith(partition())).map((one) => ({ ...one, name: stripped(one.name) }));
    });
    accessor(IDBDatabase.prototype, 'name', (self, native) => stripped(native.call(self)));
  }
  if (scope.CacheStorage) {
    inPartition(CacheStorage.prototype, 'open', 'has', 'delete');
    wrap(CacheStorage.prototype, 'keys', (native) => async (self) =>
      (await native.call(self)).filter((key) => key.startsWith(partition())).map(stripped));
  }
  if (scope.LockManager) {
    inPartition(LockManager.prototype, 'request');
    accessor(scope.Lock?.prototype, 'name', (self, native) => stripped(native.call(self)));
    wrap(LockManager.prototype, 'query', (native) => async (self) => {
      const own = (locks) => locks.filter((one) => one.name.startsWith(partition())).map((one) => ({ ...one, name: stripped(one.name) }));
      const { held, pending } = await native.call(self);
      return { held: own(held), pending: own(pending) };
    });
  }
  if (scope.BroadcastChannel) {
    replaceConstructor('BroadcastChannel', (Native, [name], target) => construct(Native, [partition() + name], target));
    accessor(scope.BroadcastChannel.prototype, 'name', (self, native) => stripped(native.call(self)));
  }
  if (scope.StorageEvent) {
    const nativeKey = Object.getOwnPropertyDescriptor(StorageEvent.prototype, 'key').get;
    scope.addEventListener('storage', (event) => {
      const key = nativeKey.call(event);
      if (event.isTrusted && key !== null && !key.startsWith(partition())) event.stopImmediatePropagation();
    }, true);
    accessor(StorageEvent.prototype, 'key', (self, native) => stripped(native.call(self)));
    const given = new WeakMap();  // of events that scripts make
    const withNative = (area) => nativeAreas.has(area) ? nativeAreas.get(area) : area;
    replaceConstructor('StorageEvent', (Native, [type, init, ...rest], target) => {
      if (!init || !nativeAreas.has(init.storageArea)) return construct(Native, init === undefined ? [type] : [type, init, ...rest], target);
      const event = construct(Native, [type, { ...init, storageArea: withNative(init.storageArea) }], target);
      given.set(event, init.storageArea);
      return event;
    });
    wrap(StorageEvent.prototype, 'initStorageEvent', (native) => (self, args) => {
      given.set(self, args[7]);
      return apply(native, self, [...args.slice(0, 7), withNative(args[7])].slice(0, args.length));
    });
    accessor(StorageEvent.prototype, 'storageArea', (self, native) => given.get(self) ?? areas.get(native.call(self)) ?? native.call(self));
    readsAsCaptured(StorageEvent, 'url');
  }
}
