// Tokens of ECMAScript (ECMA-262), one after the other. The reader tells what the grammar cannot: whether a slash may begin a
// regular expression. The same rules as src/caddis/replay/script_lexer.cc; tests/data/script_rewriter.json holds both.
const Kind = { end: 0, word: 1, name: 2, number: 3, string: 4, regex: 5, mark: 6, broken: 7 };

class ScriptLexer {
  constructor(source, isModule) {
    this.source = source;
    this.isModule = isModule;
    this.at = 0;
    if (source.startsWith('#!')) this.at = this.lineEnd(2);
  }

  // {kind, start, end, newline}: `newline` if a line ended before it.
  next(regexAllowed) {
    const before = this.skipBlanks(this.at);
    const token = { kind: Kind.end, start: before.at, end: before.at, newline: before.newline };
    const { source } = this;
    const at = before.at;
    const c = source[at];
    if (c === undefined) {
      this.at = at;
      return token;
    }
    if (isWordStart(source, at)) {
      token.kind = Kind.word;
      token.end = wordEnd(source, at);
    } else if (c === '#' && isWordStart(source, at + 1)) {
      token.kind = Kind.name;
      token.end = wordEnd(source, at + 1);
    } else if (isDigit(c) || (c === '.' && isDigit(source[at + 1]))) {
      token.kind = Kind.number;
      token.end = numberEnd(source, at);
    } else if (c === '"' || c === "'") {
      token.end = stringEnd(source, at);
      token.kind = token.end ? Kind.string : Kind.broken;
    } else if (c === '/' && regexAllowed) {
      token.end = regexEnd(source, at);
      token.kind = token.end ? Kind.regex : Kind.broken;
    } else {
      token.kind = Kind.mark;
      token.end = at + markLength(source, at);
    }
    this.at = token.end;
    return token;
  }

  // The text of a template goes on at `at`: where it ends, with "${" or "`" at its end. 0 where it does not.
  templateEnd(at) {
    const { source } = this;
    for (; at < source.length; ++at) {
      if (source[at] === '\\') ++at;
      else if (source[at] === '`') return at + 1;
      else if (source[at] === '$' && source[at + 1] === '{') return at + 2;
    }
    return 0;
  }

  // Behind blanks and comments.
  skipBlanks(at) {
    const { source } = this;
    let newline = at === 0;
    for (;;) {
      const c = source.charCodeAt(at);
      if (c === 0x20 || (c >= 0x09 && c <= 0x0D)) {
        newline ||= c === 0x0A || c === 0x0D;
        ++at;
      } else if (c === 0x2F && source[at + 1] === '/') {
        at = this.lineEnd(at + 2);
      } else if (c === 0x2F && source[at + 1] === '*') {
        const end = source.indexOf('*/', at + 2);
        newline ||= /[\n\r\u2028\u2029]/.test(source.slice(at, end < 0 ? undefined : end));
        at = end < 0 ? source.length : end + 2;
      } else if (c >= 0x80 && isBlank(c)) {
        newline ||= c === 0x2028 || c === 0x2029;
        ++at;
      } else if (!this.isModule && ((c === 0x3C && source.startsWith('<!--', at)) || (newline && c === 0x2D && source.startsWith('-->', at)))) {
        at = this.lineEnd(at + 3);
      } else {
        return { at, newline };
      }
    }
  }

  lineEnd(at) {
    while (at < this.source.length && !/[\n\r\u2028\u2029]/.test(this.source[at])) ++at;
    return at;
  }
}

function isDigit(c) { return c >= '0' && c <= '9'; }
function isBlank(code) {
  return code === 0xA0 || code === 0xFEFF || code === 0x1680 || (code >= 0x2000 && code <= 0x200A) || code === 0x2028 ||
    code === 0x2029 || code === 0x202F || code === 0x205F || code === 0x3000;
}
function isWordCode(code) {
  return (code >= 0x61 && code <= 0x7A) || (code >= 0x41 && code <= 0x5A) || code === 0x5F || code === 0x24 ||
    (code >= 0x80 && !isBlank(code));
}
// A letter, "_", "$", or an escape of one.
function isWordStart(source, at) {
  const code = source.charCodeAt(at);
  return isWordCode(code) || (code === 0x5C && source[at + 1] === 'u');
}
function wordEnd(source, at) {
  for (;;) {
    const code = source.charCodeAt(at);
    if (isWordCode(code) || (code >= 0x30 && code <= 0x39)) {
      ++at;
    } else if (code === 0x5C && source[at + 1] === 'u') {
      at += 2;
      if (source[at] === '{') while (at < source.length && source[at++] !== '}');
    } else {
      return at;
    }
  }
}
function numberEnd(source, at) {
  let inExponent = false;
  if (source[at] === '0' && /[xobXOB]/.test(source[at + 1] || '')) {
    at += 2;
    while (/[0-9a-zA-Z_]/.test(source[at] || '')) ++at;
    return at;
  }
  let points = 0;
  for (;; ++at) {
    const c = source[at];
    if (c === '.' && points === 0 && !inExponent) ++points;
    else if ((c === '+' || c === '-') && /[eE]/.test(source[at - 1])) continue;
    else if (c === 'e' || c === 'E') inExponent = true;
    else if (!(isDigit(c) || c === '_' || c === 'n')) return at;
  }
}
function stringEnd(source, at) {
  const quote = source[at];
  for (++at; at < source.length; ++at) {
    const c = source[at];
    if (c === quote) return at + 1;
    if (c === '\\') at += source[at + 1] === '\r' && source[at + 2] === '\n' ? 2 : 1;
    else if (c === '\n' || c === '\r') return 0;
  }
  return 0;
}
function regexEnd(source, at) {
  let inClass = false;
  for (++at; at < source.length; ++at) {
    const c = source[at];
    if (c === '\n' || c === '\r' || c === '\u2028' || c === '\u2029') return 0;
    if (c === '\\') ++at;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) return wordEnd(source, at + 1);
  }
  return 0;
}
const MARKS = ['>>>=', '...', '===', '!==', '**=', '<<=', '>>=', '>>>', '&&=', '||=', '??=', '=>', '==', '!=', '<=', '>=', '&&', '||', '??', '?.',
  '++', '--', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<', '>>', '**'];
function markLength(source, at) {
  for (const mark of MARKS) {
    if (mark[0] !== source[at] || !source.startsWith(mark, at)) continue;
    // "a?.5:b" is a choice, not a chain.
    if (mark === '?.' && isDigit(source[at + 2])) continue;
    return mark.length;
  }
  return 1;
}
