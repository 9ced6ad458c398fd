import { escapeTex, FUNCTIONS, writeText } from './read-mathml';

/** Commands for the marks above a letter. */
const ACCENTS: Record<string, string> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030a': 'mathring',
  '\u030c': 'check',
  '\u0332': 'underline',
  '\u033f': 'overline',
  '\u20d0': 'overleftharpoon',
  '\u20d1': 'overrightharpoon',
  '\u20d6': 'overleftarrow',
  '\u20d7': 'vec',
  '\u20db': 'dddot',
  '\u20dc': 'ddddot',
  '\u20e1': 'overleftrightarrow',
  '`': 'grave',
  '´': 'acute',
  '^': 'hat',
  ˆ: 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '¯': 'bar',
  '‾': 'overline',
  '˘': 'breve',
  '˙': 'dot',
  '¨': 'ddot',
  '˚': 'mathring',
  ˇ: 'check',
  '→': 'vec',
  '⏞': 'overbrace',
  '⏟': 'underbrace',
};
/** Commands for marks above several letters. */
const WIDE_ACCENTS: Record<string, string> = {
  hat: 'widehat',
  tilde: 'widetilde',
  check: 'widecheck',
  bar: 'overline',
  vec: 'overrightarrow',
};

/** Commands for arrows with a text above or below. */
const ARROWS: Record<string, string> = {
  '→': 'xrightarrow',
  '←': 'xleftarrow',
  '↔': 'xleftrightarrow',
  '⇒': 'xRightarrow',
  '⇐': 'xLeftarrow',
  '⇔': 'xLeftrightarrow',
  '⇌': 'xrightleftharpoons',
};

/** Commands for alphabets. */
const SCRIPTS: Record<string, string> = {
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
};

/** Writes an equation of Word's HTML (Office Math Markup) as TeX. Spans are between its elements. */
export function readOmml(element: Element): string {
  const parts = partsOf(element);
  const part = (name: string) =>
    parts
      .filter((one) => nameOf(one) === name)
      .map(readOmml)
      .join('');
  const group = (name: string) => `{${part(name)}}`;
  const script = (mark: string, name: string) => (part(name) === '' ? '' : `${mark}${group(name)}`);
  /** @returns the value of a property; undefined if the equation does not name it */
  const property = (name: string) =>
    element.querySelector(`:scope > m\\:${nameOf(element)}pr m\\:${name}`)?.getAttribute('m:val') ??
    undefined;
  const isOn = (name: string) => {
    const named = element.querySelector(`:scope > m\\:borderboxpr > m\\:${name}`);
    return named !== null && !OFF.includes(named.getAttribute('m:val') ?? '');
  };
  switch (nameOf(element)) {
    case 'r':
      return textOf(element);
    case 'f': {
      const type = property('type');
      if (type === 'lin') return `${group('num')}/${group('den')}`;
      return type === 'noBar'
        ? `{${part('num')} \\atop ${part('den')}}`
        : `\\frac${group('num')}${group('den')}`;
    }
    case 'ssup':
    case 'ssub':
    case 'ssubsup':
      return group('e') + script('_', 'sub') + script('^', 'sup');
    case 'spre':
      return `{}${script('_', 'sub')}${script('^', 'sup')}${group('e')}`;
    case 'rad':
      return `\\sqrt${part('deg') === '' ? '' : `[${part('deg')}]`}${group('e')}`;
    case 'nary':
      return `${property('chr') ?? '∫'}${script('_', 'sub')}${script('^', 'sup')} ${part('e')}`;
    case 'd': {
      const inner = parts.filter((one) => nameOf(one) === 'e').map(readOmml);
      const separator = ` ${escapeTex(property('sepchr') ?? '|')} `;
      return (
        bracket('left', property('begchr') ?? '(') +
        inner.join(separator) +
        bracket('right', property('endchr') ?? ')')
      );
    }
    case 'func':
      return `${part('fname')} ${part('e')}`;
    case 'acc':
      return accent(property('chr') ?? '\u0302', part('e'));
    case 'bar':
      return `\\${property('pos') === 'top' ? 'overline' : 'underline'}${group('e')}`;
    case 'groupchr': {
      const sign = property('chr') ?? '⏟';
      const isAbove = property('pos') === 'top';
      const arrow = ARROWS[sign];
      // The position is that of the arrow.
      if (arrow) return isAbove ? `\\${arrow}[${part('e')}]{}` : `\\${arrow}${group('e')}`;
      if (sign === '⏟' || sign === '⏞') return `\\${isAbove ? 'overbrace' : 'underbrace'}${group('e')}`;
      return `\\${isAbove ? 'overset' : 'underset'}{${escapeTex(sign)}}${group('e')}`;
    }
    case 'borderbox': {
      const rising = isOn('strikebltr');
      const strike = isOn('striketlbr') ? (rising ? 'xcancel' : 'bcancel') : rising ? 'cancel' : null;
      const content = strike === null ? part('e') : `\\${strike}${group('e')}`;
      const hasBox = !['hidetop', 'hidebot', 'hideleft', 'hideright'].some(isOn);
      return hasBox ? `\\boxed{${content}}` : content;
    }
    case 'limlow':
      return limit(part('e'), '_', part('lim'));
    case 'limupp':
      return limit(part('e'), '^', part('lim'));
    case 'm':
      return `\\begin{matrix}${parts.filter(isContent).map(readOmml).join(' \\\\ ')}\\end{matrix}`;
    case 'mr':
      return parts.filter(isContent).map(readOmml).join(' & ');
    case 'eqarr': {
      // The sign # is before the number of an equation.
      const lines = parts
        .filter(isContent)
        .map((line) => readOmml(line).replaceAll('\\&', '&').replace('\\#', '\\qquad '));
      return `\\begin{aligned}${lines.join(' \\\\ ')}\\end{aligned}`;
    }
    case 'omathpara': {
      const lines = parts.filter(isContent).map(readOmml).filter(Boolean);
      return lines.length > 1 ? `\\begin{gathered}${lines.join(' \\\\ ')}\\end{gathered}` : lines.join('');
    }
    case 'phant':
      return OFF.includes(property('show') ?? '') ? `\\phantom${group('e')}` : part('e');
    default:
      return parts.filter(isContent).map(readOmml).filter(Boolean).join(' ').replace(UPRIGHT_JOINTS, '');
  }
}

/** Where a word of upright letters has several runs. */
const UPRIGHT_JOINTS = /(?<=\\mathrm\{\w+)\} \\mathrm\{(?=\w+\})/g;

/** HTML has the names in lower case. */
const nameOf = ({ localName }: Element) => localName.replace(/^m:/, '');

const isContent = (element: Element) => !nameOf(element).endsWith('pr');

const partsOf = (element: Element): Element[] =>
  [...element.children].flatMap((child) => (child.localName.startsWith('m:') ? [child] : partsOf(child)));

/** Values of a property that is off. */
const OFF = ['0', 'off', 'false'];

function textOf(run: Element): string {
  const text = run.textContent.replace(/[ \t\r\n]+/g, ' ').replace(INVISIBLE, '');
  const value = (name: string) => run.querySelector(`m\\:${name}`)?.getAttribute('m:val');
  if (run.querySelector('m\\:nor')) return writeText(text);
  const words = text.replace(/^ | $/g, '');
  if (FUNCTIONS.has(words)) return `\\${words}`;
  const isScript = run.closest('m\\:sup, m\\:sub') !== null;
  const tex = escapeTex(
    isScript ? words : words.replace(PRIMES, (sign) => "'".repeat(PRIME.indexOf(sign) + 1)),
  )
    .replace(/(?<=[\p{L}\p{N}]) (?=[\p{L}\p{N}])/gu, '\\ ')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f]/g, (space) => SPACES[space] ?? '\\,');
  const style = value('sty');
  const letters = SCRIPTS[value('scr') ?? ''];
  if (/^[A-Za-z0-9 ]+$/.test(words)) {
    if (letters !== undefined) return `\\${letters}{${tex}}`;
    if (style === 'p' && /^[A-Za-z]/.test(words))
      return `\\${run.closest('m\\:fname') ? 'operatorname' : 'mathrm'}{${tex}}`;
  }
  if ((style === 'b' || style === 'bi') && /\p{L}|\p{N}/u.test(words))
    return `\\${style === 'b' ? 'mathbf' : 'boldsymbol'}{${tex}}`;
  return tex;
}

const INVISIBLE = /[\u200b\u2061-\u2064\ufeff]/g;
const PRIME = '′″‴';
const PRIMES = /[′″‴]/g;
/** Spaces that are not thin. */
const SPACES: Record<string, string> = {
  '\u00a0': '\\ ',
  '\u2001': '\\quad ',
  '\u2002': '\\enspace ',
  '\u2003': '\\quad ',
};

/** Writes a mark above an expression. */
function accent(sign: string, tex: string): string {
  const command = ACCENTS[sign];
  if (command === undefined) return `\\overset{${escapeTex(sign)}}{${tex}}`;
  const isLetter = Array.from(tex).length === 1 || /^\\\w+(\{\w\})?$/.test(tex);
  return `\\${(!isLetter && WIDE_ACCENTS[command]) || command}{${tex}}`;
}

/** An operator or brace, perhaps with the other limit. They take limits below and above only without braces. */
const OPERATOR =
  /^(\\(?!over|under)[a-z]+|[∏-∑⋀-⋃⨀-⨆])([_^]\{[^]*\})?$|^\\(operatorname|overbrace|underbrace)\{[^]*\}$/u;

/** Writes an expression below or above another. */
function limit(base: string, sign: '_' | '^', tex: string): string {
  const arrow = ARROWS[base];
  if (arrow !== undefined) return `\\${arrow}${sign === '_' ? `[${tex}]{}` : `{${tex}}`}`;
  if (tex === '⏟' || tex === '⏞') return `\\${ACCENTS[tex]}{${base}}`;
  if (base.startsWith('\\operatorname{')) return `${base.replace('name', 'name*')}${sign}{${tex}}`;
  if (OPERATOR.test(base)) return `${base}${sign}{${tex}}`;
  return `\\${sign === '_' ? 'underset' : 'overset'}{${tex}}{${base}}`;
}

/** Brackets that TeX fits to what is between them. */
const SIZED = '()[]{}|/<>⟨⟩⌊⌋⌈⌉⟮⟯⎰⎱↑↓↕⇑⇓⇕';
const BRACKETS: Record<string, string> = {
  '': '.',
  '∣': '| ',
  '‖': '\\| ',
  '∥': '\\| ',
  '〈': '⟨ ',
  '〉': '⟩ ',
};

function bracket(side: 'left' | 'right', character: string): string {
  const known = BRACKETS[character];
  if (known !== undefined) return `\\${side}${known}`;
  const tex = escapeTex(character);
  if (SIZED.includes(character)) return `\\${side}${tex} `;
  return side === 'left' ? `${tex} \\left.` : `\\right. ${tex} `;
}
