// Elements that scripts make, change and read.
if (inDocument) {
  const originals = new WeakMap();  // of an element: what scripts gave to its attributes, beside what became of it
  const remember = (element, name, value, became) => {
    if (SELECTED.has(name)) return keep(element, name, value, became);
    if (value === became) {
      const known = originals.get(element);
      if (known) known.delete(name);
      return;
    }
    if (!originals.has(element)) originals.set(element, new Map());
    originals.get(element).set(name, { value: String(value), became: String(became) });
  };
  // Beside the address stands what it was made from.
  const keep = (element, name, value, became) => {
    if (String(value) !== String(became)) nativeSet.call(element, 'archived-' + name, value);
    else if (nativeGet.call(element, 'archived-' + name) !== null) nativeRemove.call(element, 'archived-' + name);
  };
  // Scripts change styles by ways of their own: what is kept holds as long as the rest has been made from it.
  const bare = (css) => css.replace(/url\(\s*["']?([^"')]*)["']?\s*\)/g, 'url($1)');
  const keptStyle = (element, value) => {
    const kept = nativeGet.call(element, 'archived-style');
    return kept !== null && bare(String(rewriteCss(kept))) === bare(value) ? kept : null;
  };
  const keptOf = (element, name) => SELECTED.has(name) ? nativeGet.call(element, 'archived-' + name) : null;
  const asGiven = (element, name, value) => {
    const kept = name === 'style' && value ? keptStyle(element, value) : keptOf(element, name);
    if (kept !== null) return kept;
    const known = originals.get(element)?.get(name);
    if (known && known.became === value) return known.value;
    if (value === null || value === undefined) return value;
    if (/^on[a-z]/.test(name) || isScriptUrl(value)) return restoreScript(value);
    return name === 'srcdoc' ? restoreMarkup(value) : unmarked(value);
  };
  const nativeGet = Element.prototype.getAttribute;
  const nativeSet = Element.prototype.setAttribute;
  const nativeRemove = Element.prototype.removeAttribute;
  const tagOf = (element) => element.localName.toLowerCase();
  const became = (element, name, value) => {
    const result = rewriteAttribute(tagOf(element), name, value, (other) => nativeGet.call(element, other));
    return tagOf(element) === 'base' ? result : marked(String(value), result);
  };
  const isUsed = (name, element) => name === 'style' || name === 'srcdoc' || name === 'ping' || /^on[a-z]/.test(name) || LINKS[tagOf(element)]?.[name] !== undefined;

  wrap(Element.prototype, 'setAttribute', (native) => (self, [name, value, ...rest]) => {
    const key = String(name).toLowerCase();
    if (key === 'integrity') return remember(self, key, value, null);
    if (!(self instanceof Element) || !isUsed(key, self)) {
      if (keptOf(self, key) !== null) keep(self, key, '', '');
      return apply(native, self, [name, value, ...rest]);
    }
    const result = became(self, key, String(value));
    remember(self, key, String(value), result);
    return apply(native, self, [name, result]);
  });
  wrap(Element.prototype, 'setAttributeNS', (native) => (self, [space, name, value]) => {
    const key = String(name).toLowerCase();
    if (!isUsed(key, self)) return apply(native, self, [space, name, value]);
    const result = became(self, key, String(value));
    remember(self, key, String(value), result);
    return apply(native, self, [space, name, result]);
  });
  wrap(Element.prototype, 'getAttribute', (native) => (self, args) => {
    const value = apply(native, self, args);
    const key = String(args[0]).toLowerCase();
    if (value === null) return key === 'integrity' ? originals.get(self)?.get(key)?.value ?? apply(native, self, ['data-archived-integrity']) : null;
    return isUsed(key, self) ? asGiven(self, key, value) : keptOf(self, key) ?? value;
  });
  wrap(Element.prototype, 'getAttributeNS', (native) => (self, args) => {
    const value = apply(native, self, args);
    return value === null ? null : asGiven(self, String(args[1]).toLowerCase(), value);
  });
  for (const [owner, name] of [[Attr.prototype, 'value'], [Node.prototype, 'nodeValue'], [Node.prototype, 'textContent']]) {
    accessor(owner, name, (self, native) => {
      const value = native.call(self);
      if (self.nodeType !== 2) return typeof value === 'string' ? restoreSelectors(restoreScript(value)) : value;
      const key = self.name.toLowerCase();
      if (!self.ownerElement) return value;
      return isUsed(key, self.ownerElement) ? asGiven(self.ownerElement, key, value) : keptOf(self.ownerElement, key) ?? value;
    }, (self, value, native) => {
      if (self.nodeType === 2) {
        const key = self.name.toLowerCase();
        if (!self.ownerElement || !isUsed(key, self.ownerElement)) {
          if (self.ownerElement && keptOf(self.ownerElement, key) !== null) keep(self.ownerElement, key, '', '');
          return native.call(self, value);
        }
        const result = became(self.ownerElement, key, String(value));
        remember(self.ownerElement, key, String(value), result);
        return native.call(self, result);
      }
      if (self.nodeType === 3 && self.parentNode?.localName === 'style') return native.call(self, rewriteCss(value));
      if (self.localName === 'style') return native.call(self, rewriteCss(value ?? ''));
      if (self.localName === 'script' && self.isConnected) return native.call(self, codeOf(self, value ?? ''));
      native.call(self, value);
      return undefined;
    });
  }

  // A kept value goes with its attribute, and is none of the page's.
  const settleKept = (element, name) => {
    if (SELECTED.has(name) && nativeGet.call(element, name) === null) keep(element, name, '', '');
  };
  const nameOf = (given) => String(given?.name ?? given).toLowerCase();
  for (const name of ['removeAttribute', 'removeAttributeNode', 'toggleAttribute']) {
    wrap(Element.prototype, name, (native) => (self, args) => {
      const result = apply(native, self, args);
      settleKept(self, nameOf(args[0]));
      return result;
    });
  }
  wrap(Element.prototype, 'removeAttributeNS', (native) => (self, args) => { apply(native, self, args); settleKept(self, nameOf(args[1])); });
  for (const name of ['setAttributeNode', 'setAttributeNodeNS']) {
    wrap(Element.prototype, name, (native) => (self, args) => {
      const result = apply(native, self, args);
      if (keptOf(self, nameOf(args[0])) !== null) keep(self, nameOf(args[0]), '', '');
      return result;
    });
  }
  for (const name of ['setNamedItem', 'setNamedItemNS']) {
    wrap(NamedNodeMap.prototype, name, (native) => (self, args) => {
      const result = apply(native, self, args);
      if (keptOf(args[0].ownerElement, nameOf(args[0])) !== null) keep(args[0].ownerElement, nameOf(args[0]), '', '');
      return result;
    });
  }
  for (const name of ['removeNamedItem', 'removeNamedItemNS']) {
    wrap(NamedNodeMap.prototype, name, (native) => (self, args) => {
      const element = self[0]?.ownerElement;  // the list does not tell it
      const result = apply(native, self, args);
      settleKept(element, nameOf(args[args.length - 1]));
      return result;
    });
  }
  const isKept = (name) => name.startsWith('archived-') && (SELECTED.has(name.slice(9)) || name === 'archived-style');
  wrap(Element.prototype, 'getAttributeNames', (native) => (self, args) => apply(native, self, args).filter((name) => !isKept(name)));
  const maps = new WeakMap();  // of attributes: without those that are kept
  accessor(Element.prototype, 'attributes', (self, native) => {
    const map = native.call(self);
    let any = false;
    for (let i = 0; i < map.length; ++i) any ||= isKept(map[i].name);
    if (!any) return map;
    if (maps.has(map)) return maps.get(map);
    const shown = () => Array.prototype.filter.call(map, (one) => !isKept(one.name));
    const isIndex = (key) => typeof key === 'string' && /^\d+$/.test(key);
    const own = { item: (index) => shown()[index >>> 0] ?? null, [Symbol.iterator]: () => shown()[Symbol.iterator]() };
    const view = new Proxy(map, {
      get: (_, key) => {
        if (key === 'length') return shown().length;
        if (isIndex(key)) return shown()[key];
        if (hasOwn(own, key)) return own[key];
        const value = map[key];
        return typeof value === 'function' ? own[key] = value.bind(map) : value;
      },
      has: (_, key) => isIndex(key) ? key < shown().length : key in map,
      ownKeys: () => { const all = shown(); return [...all.keys()].map(String).concat(all.map((one) => one.name)); },
      getOwnPropertyDescriptor: (_, key) => isIndex(key) ?
        key < shown().length ? { value: shown()[key], enumerable: true, configurable: true } : undefined : Object.getOwnPropertyDescriptor(map, key),
    });
    maps.set(map, view);
    return view;
  });
  const visible = (changes) => changes.filter((one) => one.type !== 'attributes' || !isKept(one.attributeName));
  const NativeObserver = scope.MutationObserver;
  replaceConstructor('MutationObserver', (Native, [callback, ...rest], target) => construct(Native, [typeof callback !== 'function' ? callback : function (changes, ...more) {
    const some = visible(changes);
    return some.length > 0 ? apply(callback, this, [some, ...more]) : undefined;
  }, ...rest], target));
  if (scope.WebKitMutationObserver) Object.defineProperty(scope, 'WebKitMutationObserver', { value: scope.MutationObserver, writable: true, configurable: true });
  accessor(MutationRecord.prototype, 'oldValue', (self, native) => {
    const value = native.call(self);
    if (self.type !== 'attributes' || value === null || !isUsed(self.attributeName, self.target)) return value;
    return isScriptUrl(value) || /^on[a-z]/.test(self.attributeName) ? restoreScript(value) : self.attributeName === 'srcdoc' ? restoreMarkup(value) : unmarked(value);
  });
  wrap(NativeObserver.prototype, 'takeRecords', (native) => (self, args) => visible(apply(native, self, args)));

  // Properties that reflect attributes.
  const reflect = (className, property, attribute = property) => {
    const owner = scope[className];
    if (!owner) return;
    accessor(owner.prototype, property, (self, native) => {
      const value = native.call(self);
      if (typeof value !== 'string') return value;
      if (/srcset$/i.test(property)) return keptOf(self, attribute) ?? restore(value);
      if (/^(srcdoc|ping|background)$/.test(property)) return asGiven(self, attribute, value);
      if (isScriptUrl(value)) return restoreScript(value);
      if (/^(\/\.){1,3}\//.test(value)) return unmarked(value);  // in a document whose links lead nowhere
      return nativeGet.call(self, attribute) === null && !/^(action|formAction)$/.test(property) ? value : asCaptured(value);
    }, (self, value, native) => {
      const result = became(self, attribute, String(value));
      remember(self, attribute, String(value), result);
      native.call(self, result);
    });
  };
  for (const [className, ...properties] of [
    ['HTMLAnchorElement', 'href', 'ping'], ['HTMLAreaElement', 'href', 'ping'], ['HTMLBaseElement', 'href'], ['HTMLLinkElement', 'href', 'imageSrcset'],
    ['HTMLImageElement', 'src', 'srcset', 'longDesc'], ['HTMLScriptElement', 'src'], ['HTMLIFrameElement', 'src', 'srcdoc'], ['HTMLFrameElement', 'src'],
    ['HTMLSourceElement', 'src', 'srcset'], ['HTMLMediaElement', 'src'], ['HTMLVideoElement', 'poster'], ['HTMLTrackElement', 'src'],
    ['HTMLEmbedElement', 'src'], ['HTMLObjectElement', 'data'], ['HTMLInputElement', 'src', 'formAction'], ['HTMLButtonElement', 'formAction'],
    ['HTMLFormElement', 'action'], ['HTMLQuoteElement', 'cite'], ['HTMLModElement', 'cite'], ['HTMLBodyElement', 'background'],
  ]) for (const property of properties) reflect(className, property, property.toLowerCase());
  readsAsCaptured(scope.HTMLImageElement, 'currentSrc');
  readsAsCaptured(scope.HTMLMediaElement, 'currentSrc');
  readsAsCaptured(scope.SVGAnimatedString, 'animVal');
  readsAsCaptured(scope.StyleSheet, 'href');
  readsAsCaptured(scope.CSSImportRule, 'href');
  // Of the texts that SVG has in its attributes, links are those that an element gives as its `href`.
  const linked = new WeakMap();
  for (const own of ['SVGAElement', 'SVGImageElement', 'SVGUseElement', 'SVGScriptElement', 'SVGFEImageElement']) {
    accessor(scope[own]?.prototype, 'href', (self, native) => {
      const text = native.call(self);
      linked.set(text, self);
      return text;
    });
  }
  const linkName = (element) => nativeGet.call(element, 'href') === null && nativeGet.call(element, 'xlink:href') !== null ? 'xlink:href' : 'href';
  accessor(scope.SVGAnimatedString.prototype, 'baseVal', (self, native) => {
    const element = linked.get(self);
    return element ? asGiven(element, linkName(element), native.call(self)) : unmarked(native.call(self));
  }, (self, value, native) => {
    const element = linked.get(self);
    if (!element) return native.call(self, value);
    const name = linkName(element);
    const result = became(element, name, String(value));
    remember(element, name, String(value), result);
    return native.call(self, result);
  });
  for (const own of ['HTMLScriptElement', 'HTMLLinkElement']) {
    accessor(scope[own].prototype, 'integrity', (self) => nativeGet.call(self, 'data-archived-integrity') ?? originals.get(self)?.get('integrity')?.value ?? '',
      (self, value) => remember(self, 'integrity', value, null));
  }
  // The parts of a link.
  for (const own of [scope.HTMLAnchorElement, scope.HTMLAreaElement]) {
    const native = Object.getOwnPropertyDescriptor(own.prototype, 'href');
    const urlOf = (self) => { try { return new NativeURL(native.get.call(self)); } catch { return null; } };
    for (const name of ['origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
      accessor(own.prototype, name, (self, old) => { const url = urlOf(self); return url ? url[name] : old.call(self); },
        (self, value) => { const url = urlOf(self); if (url) { url[name] = value; native.set.call(self, url.href); } });
    }
    wrap(own.prototype, 'toString', () => (self) => native.get.call(self));
  }

  // Links are found by what the page wrote.
  for (const owner of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
    for (const name of ['querySelector', 'querySelectorAll', 'matches', 'closest', 'webkitMatchesSelector']) {
      wrap(owner, name, (native) => (self, [text, ...rest]) => apply(native, self, [rewriteSelectors(text), ...rest]));
    }
  }
  for (const own of ['Document', 'XPathEvaluator']) {
    for (const name of ['evaluate', 'createExpression']) {
      wrap(scope[own]?.prototype, name, (native) => (self, [path, ...rest]) => apply(native, self, [rewritePath(path), ...rest]));
    }
  }

  // Scripts and frames on their way into the document.
  const nativeText = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');
  const codeOf = (script, text) => rewriteScriptText(String(text), nativeGet.call(script, 'type'), nativeGet.call(script, 'language'));
  const prepareScript = (script) => {
    if (nativeGet.call(script, 'src') !== null) return;
    const text = nativeTextOf(script);
    const code = codeOf(script, text);
    if (code !== text) nativeSetText(script, code);
  };
  const childText = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data');
  const nativeTextOf = (element) => {
    let text = '';
    for (let one = element.firstChild; one; one = one.nextSibling) if (one.nodeType === 3 || one.nodeType === 4) text += childText.get.call(one);
    return text;
  };
  const nativeSetText = (element, text) => {
    const texts = [...element.childNodes].filter((one) => one.nodeType === 3 || one.nodeType === 4);
    texts.forEach((one, i) => childText.set.call(one, i === 0 ? text : ''));
  };
  const prepare = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (node.nodeType === 1) {
      repair(node);
      if (node.localName === 'script') prepareScript(node);
      if (node.localName === 'style') prepareStyle(node);
    }
    if ((node.nodeType === 1 || node.nodeType === 11) && node.firstElementChild) {
      for (const script of node.querySelectorAll('script')) prepareScript(script);
      for (const style of node.querySelectorAll('style')) prepareStyle(style);
    }
  };
  const prepareStyle = (style) => {
    const text = nativeTextOf(style);
    const css = rewriteCss(text);
    if (css !== text) nativeSetText(style, css);
  };
  // Text that goes into a script or style that is in the document already.
  const inserted = (parent, node) => {
    if (typeof node === 'string' || node?.nodeType === 3) {
      const isScript = parent?.localName === 'script' && parent.isConnected;
      const isStyle = parent?.localName === 'style';
      if (!isScript && !isStyle) return node;
      const text = typeof node === 'string' ? node : childText.get.call(node);
      const result = isScript ? codeOf(parent, text) : rewriteCss(text);
      if (typeof node === 'string') return result;
      if (result !== text) childText.set.call(node, result);
      return node;
    }
    prepare(node);
    return node;
  };
  const settleFrames = (parent) => {
    if (!parent || !parent.isConnected) return;
    for (let i = 0; i < scope.frames.length; ++i) settle(scope.frames[i]);
  };
  const containsFrame = (nodes) => nodes.some((node) => node && (node.localName === 'iframe' || (node.firstElementChild && node.querySelector('iframe'))));
  const hook = (owner, names, parentOf) => {
    for (const name of names) {
      wrap(owner, name, (native) => (self, args) => {
        const parent = parentOf(self);
        const nodes = name === 'insertBefore' || name === 'replaceChild' || name === 'moveBefore' ? [inserted(parent, args[0]), ...args.slice(1)] : args.map((one) => inserted(parent, one));
        const frames = containsFrame(nodes);
        const result = apply(native, self, nodes);
        if (frames) settleFrames(parent);
        return result;
      });
    }
  };
  hook(Node.prototype, ['appendChild', 'insertBefore', 'replaceChild'], (self) => self);
  for (const owner of [Element.prototype, Document.prototype, DocumentFragment.prototype]) hook(owner, ['append', 'prepend', 'replaceChildren', 'moveBefore'], (self) => self);
  for (const owner of [Element.prototype, CharacterData.prototype]) hook(owner, ['before', 'after', 'replaceWith'], (self) => self.parentNode);
  wrap(Element.prototype, 'insertAdjacentElement', (native) => (self, [where, element]) => { prepare(element); const result = apply(native, self, [where, element]); settleFrames(self); return result; });
  wrap(Range.prototype, 'insertNode', (native) => (self, [node]) => { prepare(node); return apply(native, self, [node]); });
  accessor(HTMLScriptElement.prototype, 'text', (self, native) => restoreScript(native.call(self)),
    (self, value, native) => native.call(self, self.isConnected ? codeOf(self, value) : value));

  // Markup in strings.
  const inserts = (owner, name) => accessor(owner, name, (self, native) => restoreMarkup(native.call(self)), (self, value, native) => {
    const element = name === 'outerHTML' ? self.parentNode : self;
    const local = element?.localName;
    const text = value === null ? '' : String(value);
    native.call(self, local === 'script' ? self.isConnected ? codeOf(self, text) : text : local === 'style' ? rewriteCss(text) : rewriteHtml(text).out);
    if (/<iframe/i.test(text)) settleFrames(element);
  });
  inserts(Element.prototype, 'innerHTML');
  inserts(Element.prototype, 'outerHTML');
  inserts(ShadowRoot.prototype, 'innerHTML');
  wrap(Element.prototype, 'insertAdjacentHTML', (native) => (self, [where, html]) => { apply(native, self, [where, rewriteHtml(String(html)).out]); settleFrames(self); });
  wrap(Element.prototype, 'getHTML', (native) => (self, args) => restoreMarkup(apply(native, self, args)));
  wrap(ShadowRoot.prototype, 'getHTML', (native) => (self, args) => restoreMarkup(apply(native, self, args)));
  for (const owner of [Element.prototype, ShadowRoot.prototype]) {
    for (const name of ['setHTMLUnsafe', 'setHTML']) wrap(owner, name, (native) => (self, [html, ...rest]) => apply(native, self, [rewriteHtml(String(html)).out, ...rest]));
  }
  wrap(Range.prototype, 'createContextualFragment', (native) => (self, [html]) => apply(native, self, [rewriteHtml(String(html)).out]));
  wrap(Document, 'parseHTMLUnsafe', (native) => (self, [html, ...rest]) => apply(native, self, [rewriteHtml(String(html)).out, ...rest]));
  wrap(DOMParser.prototype, 'parseFromString', (native) => (self, [text, type]) => apply(native, self, [type === 'text/html' ? rewriteHtml(String(text)).out : text, type]));
  wrap(XMLSerializer.prototype, 'serializeToString', (native) => (self, args) => restoreMarkup(apply(native, self, args)));
  wrap(Element.prototype, 'attachShadow', (native) => (self, args) => {
    const root = apply(native, self, args);
    observer.observe(root, OBSERVED);
    return root;
  });

  const pending = new WeakMap();
  const flush = (doc) => {
    const rest = pending.get(doc);
    if (!rest) return;
    pending.delete(doc);
    nativeWrite.call(doc, rest);
  };
  const nativeWrite = Document.prototype.write;
  const write = (doc, text) => {
    const reopens = doc.readyState === 'complete' || doc.readyState === 'interactive';
    const { out, rest } = rewriteHtml((pending.get(doc) || '') + text, true);
    if (rest) pending.set(doc, rest); else pending.delete(doc);
    nativeWrite.call(doc, out);
    if (reopens && doc === document) listen();
    if (rest) setTimeout(() => flush(doc), 0);
    settleFrames(doc.documentElement);
  };
  wrap(Document.prototype, 'write', () => (self, args) => write(self, args.join('')));
  wrap(Document.prototype, 'writeln', () => (self, args) => write(self, args.join('') + '\n'));
  wrap(Document.prototype, 'close', (native) => (self, args) => { flush(self); return apply(native, self, args); });
  wrap(Document.prototype, 'open', (native) => (self, args) => {
    if (args.length > 2) return scope.open(...args);
    const result = apply(native, self, args);
    if (self === document) listen();
    return result;
  });

  // Style sheets.
  if (scope.CSSStyleSheet) {
    for (const name of ['insertRule', 'replace', 'replaceSync']) wrap(CSSStyleSheet.prototype, name, (native) => (self, [css, ...rest]) => apply(native, self, [rewriteCss(css), ...rest]));
  }
  wrap(CSSGroupingRule.prototype, 'insertRule', (native) => (self, [css, ...rest]) => apply(native, self, [rewriteCss(css), ...rest]));
  wrap(CSSStyleDeclaration.prototype, 'setProperty', (native) => (self, [name, value, ...rest]) => apply(native, self, [name, rewriteCss(value), ...rest]));
  wrap(CSSStyleDeclaration.prototype, 'getPropertyValue', (native) => (self, args) => restoreCss(apply(native, self, args)));
  accessor(CSSStyleDeclaration.prototype, 'cssText', (self, native) => restoreCss(native.call(self)), (self, value, native) => native.call(self, rewriteCss(value)));
  accessor(scope.CSSRule.prototype, 'cssText', (self, native) => restoreCss(native.call(self)));
  accessor(scope.CSSStyleRule.prototype, 'selectorText', (self, native) => restoreSelectors(native.call(self)), (self, value, native) => native.call(self, rewriteSelectors(String(value))));
  const restoreCss = (text) => restoreUrls(restoreSelectors(text));
  const restoreUrls = (css) => typeof css === 'string' && css.includes('url(') ?
    css.replace(/url\("([^"]*)"\)/g, (_, href) => 'url("' + (href.startsWith(place.archive) ? asCaptured(href) : restore(href)) + '")') : css;
  for (const name of ['background', 'backgroundImage', 'background-image', 'borderImage', 'borderImageSource', 'listStyle', 'listStyleImage', 'cursor', 'content', 'maskImage', 'mask', 'filter', 'clipPath']) {
    accessor(CSSStyleDeclaration.prototype, name, (self, native) => restoreCss(native.call(self)), (self, value, native) => native.call(self, rewriteCss(value)));
  }
  const styles = new WeakMap();  // computed ones: as captured
  wrap(scope, 'getComputedStyle', (native) => (self, args) => {
    const style = native.call(scope, ...args);
    if (!styles.has(style)) {
      const methods = {};
      styles.set(style, new Proxy(style, { get: (target, key) => {
        const value = target[key];
        if (typeof value === 'function') return methods[key] ??= value.bind(target);
        return restoreCss(value);
      } }));
    }
    return styles.get(style);
  });
  replaceConstructor('FontFace', (Native, [family, source, ...rest], target) => construct(Native, [family, typeof source === 'string' ? rewriteCss(source) : source, ...rest], target));
  replaceConstructor('Audio', (Native, args, target) => construct(Native, args.length ? [rewrite(args[0], 'oe_'), ...args.slice(1)] : args, target));

  // What reached the document by other ways.
  // Browsers give properties of styles no setter that could be watched.
  const repairStyle = (element) => {
    const value = nativeGet.call(element, 'style');
    if (value === null || !value.includes('url(')) return;
    const wanted = rewriteCss(value);
    if (wanted !== value) nativeSet.call(element, 'style', wanted);
  };
  const repair = (element) => {
    const kinds = LINKS[element.localName];
    // A style sheet of XSLT may write out the client's tag more than once.
    if (!kinds || nativeGet.call(element, 'data-prefix') === place.prefix) return;
    for (const name of Object.keys(kinds)) {
      const value = nativeGet.call(element, name);
      if (value === null) continue;
      const wanted = became(element, name, value);
      if (wanted === value) continue;
      remember(element, name, value, wanted);
      nativeSet.call(element, name, wanted);
    }
  };
  natives.repair = repair;
  const OBSERVED = {
    childList: true, subtree: true, attributes: true, attributeFilter: ['src', 'href', 'srcset', 'action', 'data', 'poster', 'formaction', 'style'],
  };
  const tags = Object.keys(LINKS).filter((tag) => /^[a-z]+$/.test(tag)).join(',');
  const observer = new NativeObserver((changes) => {
    for (const change of changes) {
      if (change.type === 'attributes') {
        if (change.attributeName === 'style') repairStyle(change.target); else repair(change.target);
      }
      for (const node of change.addedNodes) {
        if (node.nodeType !== 1) continue;
        repair(node);
        if (node.firstElementChild) node.querySelectorAll(tags).forEach(repair);
      }
    }
  });
  observer.observe(document, OBSERVED);
}
