// Rewrites a script for replay. The same rules as src/caddis/replay/script_rewriter.cc, which tells what is done and why.
//
//   location                  _caddis.l(location)             a value: the page's own location, where it is the window's
//   location = x              _caddis.t(v=>location=v,location).v = x
//   a.b.location              _caddis.o(a.b).location         also top, eval, postMessage(
//   window[x]                 window[_caddis.k(window,x)]
//   const {location} = window const {location} = _caddis.d(window)
//   eval(x)                   eval(_caddis.e(eval,x))
//   import(x), import.meta    import(_caddis.i("<base>",x)), _caddis.m(import.meta)
//   import "/x.js"            import "<address>"
const SPECIAL = new Set(['location', 'top', 'eval']);
const MEMBERS = new Set(['location', 'top', 'eval', 'postMessage']);
const GLOBALS = new Set(['window', 'self', 'globalThis', 'document', 'parent', 'top', 'frames']);
const OPERATORS = new Set(['return', 'throw', 'typeof', 'void', 'delete', 'case', 'in', 'instanceof', 'extends', 'new', 'yield', 'await']);
const HEADED = new Set(['if', 'for', 'while', 'with', 'switch', 'catch']);
const FOLLOWED = new Set(['else', 'do', 'try', 'finally']);
const KEY_MODIFIERS = new Set(['get', 'set', 'async', 'static', 'accessor']);
const RUNTIME = '_caddis';
const MOST_FRAMES = 5000;
const MOST_GROWTH = 8 << 20;

// Edits at one place stand in this order.
const CLOSER = 0, PREFIX = 1, OPENER = 2;

class ScriptRewriter {
  // `options`: module, base (the URL for imports), specifier (of a string in an import: its address, or null).
  constructor(source, options) {
    this.source = source;
    this.options = options;
    this.lexer = new ScriptLexer(source, options.module);
    this.edits = [];
    this.cancellable = [];  // indices of edits that a pattern makes wrong
    this.frames = [];
    this.prev = { text: '', start: 0, end: 0 };
    this.state = { afterOperand: false, extendable: false, atStatement: true, defaultExport: false, awaitsFrom: false };
    this.operand = { start: 0, word: '', property: '', optional: false, skip: false, madeAt: -1 };
    this.newAt = -1;
    this.async = false;
    this.pattern = false;  // the bracket closed last holds a name that matters
    this.grown = 0;
    this.push('top');
  }

  // The script rewritten; null where nothing is to be changed, or nothing can be told of it.
  run() {
    for (;;) {
      const token = this.lexer.next(!this.state.afterOperand);
      if (token.kind === Kind.broken || this.frames.length > MOST_FRAMES) return null;
      if (token.kind === Kind.end) return this.frames.length === 1 ? this.finish() : null;
      token.text = token.kind === Kind.word || token.kind === Kind.mark ? this.source.slice(token.start, token.end) : '';
      if (!this.take(token)) return null;
      this.prev = token;
    }
  }

  take(token) {
    this.endByNewline(token);
    if (token.kind === Kind.mark) return this.onMark(token);
    const frame = this.top;
    if (this.prev.text === '.' || this.prev.text === '?.') this.onProperty(token);
    else if (frame.expectsKey) this.onKey(token);
    else if (token.kind === Kind.word) this.onWord(token);
    else this.onLiteral(token);
    return true;
  }

  get top() { return this.frames[this.frames.length - 1]; }
  push(kind, more) {
    this.frames.push({
      kind, declares: false, binds: false, choices: 0, pattern: false, special: false, expectsKey: false, afterKey: false, header: '',
      function: null, class: null, body: null, operand: null, made: null, skip: false, closing: '', cancelFrom: this.cancellable.length, ...more,
    });
    return this.top;
  }

  // What stands behind `at`, blanks and comments aside.
  peek(at) {
    const { at: next, newline } = this.lexer.skipBlanks(at);
    return { at: next, newline, c: this.source[next] || '', is: (text) => this.source.startsWith(text, next) };
  }
  isWordAt(next, word) { return next.is(word) && wordEnd(this.source, next.at) === next.at + word.length; }

  isBlock(frame) { return frame.kind === 'top' || frame.kind === 'block' || frame.kind === 'body'; }

  endStatement() {
    const frame = this.top;
    Object.assign(this.state, { afterOperand: false, atStatement: true, defaultExport: false });
    frame.declares = frame.binds = false;
    frame.choices = 0;
    this.newAt = -1;
  }
  expectOperand() {
    Object.assign(this.state, { afterOperand: false, atStatement: false, defaultExport: false });
  }
  endOperand(extendable) {
    Object.assign(this.state, { afterOperand: true, extendable, atStatement: false, defaultExport: false });
  }

  // Automatic semicolons (ECMA-262, 12.10), as far as they matter here.
  endByNewline(token) {
    if (!token.newline) return;
    const { state } = this;
    const frame = this.top;
    if (/^(return|throw|break|continue)$/.test(this.prev.text) && this.isBlock(frame)) return this.endStatement();
    if (!state.afterOperand || this.prev.text === '.' || this.prev.text === '?.') return;
    const { kind, text } = token;
    const begins = kind === Kind.word ? text !== 'in' && text !== 'instanceof' && !(text === 'of' && frame.kind === 'header') :
      kind === Kind.mark ? /^([{!~@]|\+\+|--)$/.test(text) || (/^[([`]$/.test(text) && !state.extendable) : true;
    if (frame.kind === 'class') {
      if (begins || (frame.afterKey && (text === '[' || text === '*'))) {
        frame.expectsKey = true;
        frame.afterKey = false;
        this.expectOperand();
      }
    } else if (begins && this.isBlock(frame) && !(text === '{' && (frame.class || frame.body))) {
      this.endStatement();
    }
  }

  startOperand(token) {
    const word = token.text;
    this.operand = { start: token.start, word, property: '', optional: false, skip: word === 'super' || word === RUNTIME, madeAt: this.newAt };
    this.newAt = -1;
    this.endOperand(true);
  }

  onLiteral(token) {
    if (this.state.awaitsFrom && token.kind === Kind.string) {
      this.state.awaitsFrom = false;
      this.onSpecifier(token);
    }
    this.top.binds = false;
    this.startOperand(token);
  }

  onSpecifier(token) {
    const specifier = this.source.slice(token.start + 1, token.end - 1);
    const address = specifier.includes('\\') ? null : this.options.specifier(specifier);
    if (address !== null) this.edit(token.start + 1, PREFIX, address, token.end - 1);
  }

  onWord(token) {
    const { state } = this;
    const frame = this.top;
    const word = token.text;
    if (frame.kind === 'list') return this.endOperand(true);
    if (state.awaitsFrom) return;
    if (HEADED.has(word)) {
      frame.header = word;
      if (word === 'catch') this.endStatement(); else this.expectOperand();
    } else if (FOLLOWED.has(word)) {
      this.endStatement();
    } else if (word === 'function' || word === 'class') {
      this.newAt = -1;
      frame[word] = { isExpression: !state.atStatement, start: this.async === false ? token.start : this.async, isArrow: false };
      this.async = false;
      this.expectOperand();
    } else if (word === 'var' || word === 'const' || (word === 'let' && this.declaresLet(token))) {
      this.expectOperand();
      frame.declares = frame.binds = true;
    } else if (word === 'import') {
      this.onImport(token);
    } else if (word === 'export' && state.atStatement) {
      this.onExport(token);
    } else if (word === 'default' && this.prev.text === 'export') {
      state.defaultExport = true;
    } else if (this.isOperator(token)) {
      this.expectOperand();
      if (word === 'new') this.newAt = token.start;
      if (word === 'in' || word === 'of') frame.declares = false;
    } else if (word === 'async' && this.isWordAt(this.peek(token.end), 'function') && !this.peek(token.end).newline) {
      this.async = token.start;
    } else {
      this.onIdentifier(token);
    }
  }

  declaresLet(token) {
    const next = this.peek(token.end);
    return (this.state.atStatement || this.prev.text === '(') && (next.c === '{' || next.c === '[' ||
      (isWordStart(this.source, next.at) && !this.isWordAt(next, 'in') && !this.isWordAt(next, 'of') && !this.isWordAt(next, 'instanceof')));
  }
  isOperator(token) {
    const word = token.text;
    if (word === 'of') return this.top.kind === 'header' && this.state.afterOperand;
    if (!OPERATORS.has(word)) return false;
    if (word === 'new') return this.peek(token.end).c !== '.';
    if (word !== 'await' && word !== 'yield') return true;
    return !/^([)\]},;:.=]|)$/.test(this.peek(token.end).c);
  }

  onImport(token) {
    const next = this.peek(token.end);
    this.startOperand(token);
    if (next.c !== '(' && next.c !== '.') this.state.awaitsFrom = true;
  }
  onExport(token) {
    const next = this.peek(token.end);
    this.expectOperand();
    this.state.atStatement = next.c !== '{' && next.c !== '*';
    if (next.c === '*') this.state.awaitsFrom = true;
  }

  onIdentifier(token) {
    const frame = this.top;
    const { prev } = this;
    const isName = prev.text === 'function' || prev.text === 'class' || (prev.text === '*' && frame.function !== null);
    const binds = frame.binds;
    const wasAtStatement = this.state.atStatement;
    frame.binds = false;
    this.startOperand(token);
    if (isName || binds) return;
    if (SPECIAL.has(token.text) && !frame.skip) this.onSpecial(token, wasAtStatement);
    else if (this.pattern && prev.text === '=' && GLOBALS.has(token.text)) this.onDestructured(token);
  }

  // `const {location} = window`
  onDestructured(token) {
    const next = this.peek(token.end);
    if (next.newline || /^[;,)}]?$/.test(next.c)) this.wrap(token.start, '_caddis.d(', token.end, ')');
  }

  onSpecial(token, wasAtStatement) {
    const { prev } = this;
    const frame = this.top;
    const word = token.text;
    const next = this.peek(token.end);
    if (/^(typeof|delete|break|continue|\+\+|--)$/.test(prev.text) || next.is('=>')) return;
    if (!next.newline && (next.is('++') || next.is('--'))) return;
    if (wasAtStatement && next.c === ':') return;
    if (frame.kind === 'header' && prev.text === '(' && (this.isWordAt(next, 'in') || this.isWordAt(next, 'of'))) return;
    if (word === 'eval' && next.c === '(') return;
    if (this.pattern && prev.text === '=' && word === 'top') return this.onDestructured(token);
    const assigns = isAssignment(next);
    const mayBind = /^([(,[{:]|\.\.\.)$/.test(prev.text) && (/^[,)\]}]$/.test(next.c) || (assigns && next.c === '='));
    if (mayBind && (frame.kind === 'params' || frame.pattern)) return;
    if (assigns && word !== 'location') return;
    const isCover = mayBind && (frame.kind === 'group' || frame.kind === 'array' || frame.kind === 'object');
    if (assigns) this.wrap(token.start, '_caddis.t(v=>location=v,', token.end, ').v', isCover);
    else this.wrap(token.start, '_caddis.l(', token.end, ')', isCover);
  }

  // A name behind a point.
  onProperty(token) {
    const word = token.text;
    const { operand } = this;
    if (word === 'meta' && operand.word === 'import') {
      if (!this.top.skip) this.wrap(operand.start, '_caddis.m(', token.end, ')');
    } else if (MEMBERS.has(word) && !operand.skip && this.state.afterOperand && !(word === 'top' && operand.property === 'style') &&
               (word !== 'postMessage' || this.peek(token.end).c === '(')) {
      this.guardOwner(this.prev.start, operand.optional && this.prev.text === '.' ? ')?' : ')', token.end);
    }
    operand.word = '';
    operand.property = word;
    this.endOperand(true);
  }

  guardOwner(at, closing, end) {
    const made = this.operand.madeAt >= 0;
    this.wrap(this.operand.start, made ? '(_caddis.o(' : '_caddis.o(', at, closing);
    if (made) this.edit(end, CLOSER, ')');
  }

  // A name of a property in an object or class.
  onKey(token) {
    const frame = this.top;
    const next = this.peek(token.end);
    if (KEY_MODIFIERS.has(token.text) && !/^[(,:}=;]?$/.test(next.c) && !(frame.kind === 'class' && next.newline && token.text !== 'static')) return;
    frame.expectsKey = false;
    frame.afterKey = true;
    if (frame.kind === 'object' && SPECIAL.has(token.text)) {
      const isShort = next.c === ',' || next.c === '}' || (next.c === '=' && !next.is('==') && !next.is('=>'));
      if (isShort || next.c === ':') frame.special = true;
      if ((next.c === ',' || next.c === '}') && !frame.pattern) {
        this.wrap(token.start, token.text + ':_caddis.l(', token.end, ')', true);
      }
    }
    this.startOperand(token);
    this.operand.word = '';
    this.state.extendable = false;
  }

  onMark(token) {
    const frame = this.top;
    switch (token.text) {
      case '(': return this.openParenthesis(token);
      case '[': return this.openBracket(token);
      case '{': return this.openBrace(token);
      case '`': return this.openTemplate(token);
      case ')': case ']': case '}': return this.close(token);
      case ';': return this.onSemicolon();
      case ':': return this.onColon();
      case ',': return this.onComma(token);
      case '.': case '?.':
        if (token.text === '?.') this.operand.optional = true;
        return true;
      case '?':
        ++frame.choices;
        break;
      case '@':
        return false;
      case '...':
        frame.expectsKey = false;
        break;
      case '++': case '--':
        if (this.state.afterOperand) {
          this.state.extendable = false;
          return true;
        }
        break;
      case '*':
        if (frame.expectsKey) return true;
        break;
      case '=':
        frame.afterKey = false;
        this.pattern &&= this.prev.text === '}';
        break;
    }
    this.expectOperand();
    return true;
  }

  onSemicolon() {
    const frame = this.top;
    this.state.awaitsFrom = false;
    if (frame.kind === 'class') {
      frame.expectsKey = true;
      frame.afterKey = false;
      this.expectOperand();
    } else {
      this.endStatement();
      if (!this.isBlock(frame)) this.state.atStatement = false;
    }
    return true;
  }

  onColon() {
    const frame = this.top;
    frame.afterKey = false;
    if (frame.choices > 0) --frame.choices;
    else if (this.isBlock(frame)) {
      this.endStatement();
      return true;
    }
    this.expectOperand();
    return true;
  }

  onComma(token) {
    const frame = this.top;
    this.expectOperand();
    if (frame.kind === 'object') {
      frame.expectsKey = true;
      frame.afterKey = false;
    }
    if (frame.declares) frame.binds = true;
    if (frame.kind === 'imported' && frame.closing) {
      this.edit(token.start, CLOSER, frame.closing);
      frame.closing = '';
    }
    return true;
  }

  openParenthesis(token) {
    const frame = this.top;
    const { state, operand } = this;
    if (frame.header) {
      const kind = frame.header === 'catch' ? 'params' : 'header';
      frame.header = '';
      this.push(kind, { made: 'statement' });
    } else if (frame.function) {
      const made = frame.function;
      frame.function = null;
      this.push('params', { made });
    } else if (frame.afterKey) {
      frame.afterKey = false;
      this.push('params', { made: { isMethod: true } });
    } else if (state.afterOperand && state.extendable) {
      this.openCall(token);
    } else {
      this.push('group', { operand: { ...operand, start: token.start, word: '', property: '', optional: false, skip: false, madeAt: this.newAt } });
      this.newAt = -1;
    }
    this.expectOperand();
    return true;
  }

  openCall(token) {
    const { operand } = this;
    const behind = token.end;
    if (operand.word === 'eval' && this.prev.text === 'eval') {
      const made = this.source.startsWith('_caddis.e(', behind);
      if (!made) this.edit(behind, PREFIX, '_caddis.e(eval,');
      this.push('call', { operand, closing: made ? '' : ')', skip: made });
    } else if (operand.word === 'import' && this.prev.text === 'import') {
      const made = this.source.startsWith('_caddis.i(', behind);
      if (!made) this.edit(behind, PREFIX, '_caddis.i(' + scriptString(this.options.base) + ',');
      this.push('imported', { operand, closing: made ? '' : ')' });
    } else {
      this.push(operand.word === 'async' ? 'group' : 'call', { operand, skip: operand.skip && operand.word !== 'super' });
    }
  }

  openBracket(token) {
    const frame = this.top;
    const { state, operand } = this;
    if (frame.expectsKey) {
      this.push('key');
    } else if (state.afterOperand && state.extendable) {
      this.openIndex(token);
    } else {
      this.push('array', { operand: { start: token.start, word: '', property: '', optional: false, skip: false, madeAt: this.newAt }, pattern: this.opensPattern() });
      this.newAt = -1;
    }
    this.top.kind !== 'key' && (frame.binds = false);
    this.expectOperand();
    return true;
  }

  openIndex(token) {
    const { operand } = this;
    const next = this.peek(token.end);
    const name = /^["'](location|top|eval|postMessage)["']\]/.exec(this.source.slice(next.at, next.at + 16));
    let closing = '';
    if (name && !operand.skip) {
      const isChain = this.prev.text === '?.';
      this.guardOwner(isChain ? this.prev.start : token.start, operand.optional && !isChain ? ')?.' : ')', next.at + name[0].length);
    } else if (GLOBALS.has(operand.word) && !/^["'0-9]$/.test(next.c) && !next.is('_caddis.k(')) {
      this.edit(token.end, PREFIX, `_caddis.k(${operand.word},`);
      closing = ')';
    }
    this.push('index', { operand, closing, skip: next.is('_caddis.k(') });
  }

  // Whether a bracket that opens here holds names that are declared.
  opensPattern() {
    const frame = this.top;
    const { text } = this.prev;
    return frame.binds || (frame.kind === 'params' && /^([(,]|\.\.\.)$/.test(text)) || (frame.pattern && /^([[,:]|\.\.\.)$/.test(text));
  }

  openBrace(token) {
    const frame = this.top;
    const { state } = this;
    if (frame.body) {
      this.push('body', { made: frame.body });
      frame.body = null;
    } else if (this.prev.text === '=>') {
      this.push('body', { made: { isArrow: true } });
    } else if (frame.class) {
      this.push('class', { made: frame.class, expectsKey: true });
      frame.class = null;
    } else if (frame.kind === 'class' && frame.expectsKey) {
      this.push('block');
    } else if (state.awaitsFrom || this.prev.text === 'export') {
      this.push('list');
      return true;
    } else if ((state.atStatement && !state.defaultExport) || state.afterOperand) {
      frame.header = '';
      this.push('block');
    } else {
      const operand = { start: token.start, word: '', property: '', optional: false, skip: false, madeAt: -1 };
      const pattern = this.opensPattern();
      frame.binds = false;
      this.push('object', { operand, pattern, expectsKey: true });
    }
    const { kind } = this.top;
    if (kind === 'block' || kind === 'body') this.endStatement(); else this.expectOperand();
    return true;
  }

  openTemplate(token) {
    const { state } = this;
    const isTagged = state.afterOperand && state.extendable;
    if (!isTagged) this.startOperand({ ...token, text: '' });
    return this.goOnWithTemplate(token.end, this.operand);
  }
  goOnWithTemplate(at, operand) {
    const end = this.lexer.templateEnd(at);
    if (!end) return false;
    this.lexer.at = end;
    if (this.source[end - 1] === '`') {
      this.operand = operand;
      operand.word = '';
      this.endOperand(true);
    } else {
      this.push('template', { operand });
      this.expectOperand();
    }
    return true;
  }

  close(token) {
    if (this.frames.length === 1) return false;
    const frame = this.frames.pop();
    const opener = { group: ')', call: ')', imported: ')', params: ')', header: ')', array: ']', index: ']', key: ']' }[frame.kind] || '}';
    if (opener !== token.text) return false;
    if (frame.closing) this.edit(token.start, CLOSER, frame.closing);
    this.settleNames(frame, token);
    this.pattern = frame.special;
    switch (frame.kind) {
      case 'template': return this.goOnWithTemplate(token.end, frame.operand);
      case 'list':
        this.endOperand(false);
        if (this.isWordAt(this.peek(token.end), 'from')) this.state.awaitsFrom = true;
        break;
      case 'header': this.afterStatementPart(); break;
      case 'params': this.afterParams(frame); break;
      case 'block': this.afterBlock(); break;
      case 'body': case 'class': this.afterBody(frame); break;
      case 'key':
        this.top.expectsKey = false;
        this.top.afterKey = true;
        this.endOperand(false);
        break;
      default: this.afterValue(frame);
    }
    return true;
  }

  // Edits of names that turn out to be declared, or assigned to, in a pattern are taken back.
  settleNames(frame, token) {
    const isCover = frame.kind === 'group' || frame.kind === 'array' || frame.kind === 'object';
    if (isCover) {
      const next = this.peek(token.end);
      const isPattern = next.is('=>') || (next.c === '=' && !next.is('==')) ||
        (this.top.kind === 'header' && frame.kind !== 'group' && (this.isWordAt(next, 'of') || this.isWordAt(next, 'in')));
      if (!isPattern) return;
      for (const index of this.cancellable.slice(frame.cancelFrom)) this.edits[index].text = null;
    }
    this.cancellable.length = frame.cancelFrom;
  }

  afterStatementPart() {
    this.expectOperand();
    this.state.atStatement = true;
  }
  afterParams(frame) {
    if (frame.made === 'statement') return this.afterStatementPart();
    this.top.body = frame.made;
    this.endOperand(false);
  }
  afterBlock() {
    if (this.top.kind === 'class') {
      this.top.expectsKey = true;
      this.expectOperand();
    } else {
      this.endStatement();
    }
  }
  afterBody(frame) {
    const { made } = frame;
    if (made.isMethod) {
      if (this.top.kind === 'class') {
        this.top.expectsKey = true;
        this.expectOperand();
      } else {
        this.endOperand(false);
      }
    } else if (made.isArrow) {
      this.endOperand(false);
    } else if (made.isExpression) {
      this.operand = { start: made.start, word: '', property: '', optional: false, skip: false, madeAt: -1 };
      this.endOperand(true);
    } else {
      this.endStatement();
    }
  }
  // A call, an index, or a value in brackets.
  afterValue(frame) {
    this.operand = { ...frame.operand, word: '' };
    if (frame.kind === 'call' && this.operand.madeAt >= 0) {
      this.operand.start = this.operand.madeAt;
      this.operand.madeAt = -1;
    }
    this.endOperand(true);
  }

  wrap(start, opening, end, closing, cancellable = false) {
    this.edit(start, OPENER, opening);
    if (cancellable) this.cancellable.push(this.edits.length - 1);
    this.edit(end, CLOSER, closing);
    if (cancellable) this.cancellable.push(this.edits.length - 1);
  }
  edit(at, rank, text, until = at) {
    this.grown += text.length;
    this.edits.push({ at, rank, text, until, order: rank === OPENER ? -this.edits.length : this.edits.length });
  }

  finish() {
    const edits = this.edits.filter((one) => one.text !== null);
    if (edits.length === 0 || this.grown > MOST_GROWTH) return null;
    edits.sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order);
    const { source } = this;
    let out = '';
    let copied = 0;
    for (const { at, text, until, rank } of edits) {
      out += source.slice(copied, at);
      // "return(a).location": a name must not grow.
      if (rank === OPENER && out !== '' && isNameEnd(out)) out += ' ';
      out += text;
      copied = until;
    }
    return out + source.slice(copied);
  }
}

function isNameEnd(text) {
  const code = text.charCodeAt(text.length - 1);
  return isWordCode(code) || (code >= 0x30 && code <= 0x39);
}
const ASSIGNMENTS = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '**=', '<<=', '>>=', '>>>=', '&&=', '||=', '??='];
function isAssignment(next) {
  if (next.c === '=') return !next.is('==') && !next.is('=>');
  return ASSIGNMENTS.some((one) => next.is(one));
}
// As a string of a script, which may stand in markup.
function scriptString(text) {
  return JSON.stringify(text).replace(/</g, '\\u003c').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
}

function rewriteScript(source, options) {
  const out = new ScriptRewriter(source, options).run();
  return out === null ? source : out;
}
