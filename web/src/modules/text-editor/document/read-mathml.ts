/** Names of functions, which are commands of TeX. */
export const FUNCTIONS = new Set(
  'arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd inf ker lim ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Commands for the marks above a letter. */
const ACCENTS: Record<string, string> = {
  '^': 'hat',
  ˆ: 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '˙': 'dot',
  '¨': 'ddot',
  '→': 'vec',
  '⃗': 'vec',
  '¯': 'overline',
  ˉ: 'overline',
  '‾': 'overline',
  '―': 'overline',
  '⏞': 'overbrace',
};
const BELOW: Record<string, string> = { _: 'underline', '̲': 'underline', '⏟': 'underbrace' };
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

/** Writes MathML without a TeX annotation, such as that of MathJax, as TeX. */
export function readMathml(element: Element): string {
  const parts = [...element.children];
  const part = (index: number) => (parts[index] ? readMathml(parts[index]) : '');
  const group = (index: number) => `{${part(index)}}`;
  const text = escapeTex(element.textContent.replace(INVISIBLE, '').trim());
  const command = (names: Record<string, string>) => names[parts[1]?.textContent.trim() ?? ''];
  switch (element.localName) {
    case 'mi':
      if (FUNCTIONS.has(text)) return `\\${text}`;
      return [...text].length > 1 ? `\\mathrm{${text}}` : text;
    case 'mn':
    case 'mo':
      return FUNCTIONS.has(text) ? `\\${text}` : text;
    case 'mtext':
    case 'ms':
      return writeText(element.textContent);
    case 'mspace':
    case 'mphantom':
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'semantics':
      return part(0);
    case 'mfrac':
      return /^0(\D|$)/.test(element.getAttribute('linethickness') ?? '')
        ? `{${part(0)} \\atop ${part(1)}}`
        : `\\frac${group(0)}${group(1)}`;
    case 'msqrt':
      return `\\sqrt{${all(parts)}}`;
    case 'mroot':
      return `\\sqrt[${part(1)}]${group(0)}`;
    case 'msup':
      return `${group(0)}^${group(1)}`;
    case 'msub':
      return `${group(0)}_${group(1)}`;
    case 'msubsup':
    case 'munderover':
      return `${limits(parts[0])}_${group(1)}^${group(2)}`;
    case 'mover': {
      const accent = command(ACCENTS);
      return accent ? `\\${accent}${group(0)}` : `${limits(parts[0])}^${group(1)}`;
    }
    case 'munder': {
      const line = command(BELOW);
      return line ? `\\${line}${group(0)}` : `${limits(parts[0])}_${group(1)}`;
    }
    case 'mmultiscripts': {
      const at = parts.findIndex(({ localName }) => localName === 'mprescripts');
      const [base, ...after] = at < 0 ? parts : parts.slice(0, at);
      const before = at < 0 ? [] : parts.slice(at + 1);
      return `${before.length > 0 ? `{}${scripts(before)}` : ''}{${base ? readMathml(base) : ''}}${scripts(after)}`;
    }
    case 'mtable':
      return `\\begin{matrix}${parts.map(readMathml).join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
      return parts.map(readMathml).join(' & ');
    case 'mfenced': {
      const [open, close] = ['open', 'close'].map((name) => element.getAttribute(name));
      const separator = (element.getAttribute('separators') ?? ',').trim().charAt(0);
      return `${escapeTex(open ?? '(')} ${parts.map(readMathml).join(`${separator} `)} ${escapeTex(close ?? ')')}`;
    }
    default:
      return parts.length > 0 ? all(parts) : text;
  }
}

const all = (elements: readonly Element[]) => elements.map(readMathml).filter(Boolean).join(' ');

/** Writes pairs of a subscript and a superscript, of which one can be empty. */
function scripts(pairs: readonly Element[]): string {
  const written = pairs.map((script, index) => {
    const tex = readMathml(script);
    return tex === '' ? '' : `${index % 2 === 0 ? '_' : '^'}{${tex}}`;
  });
  // A base has one subscript and one superscript only.
  return written.map((script, index) => (index > 1 && index % 2 === 0 ? `{}${script}` : script)).join('');
}

/** An operator takes limits below and above it only without braces. */
const limits = (base: Element | undefined) => {
  const tex = base ? readMathml(base) : '';
  return base?.localName === 'mo' || base?.localName === 'mi' ? tex : `{${tex}}`;
};

/** Writes words, with their spaces, as TeX. */
export const writeText = (text: string): string => `\\text{${escapeTex(text, TEXT_NAMES)}}`;

/** Escapes the signs of TeX in the text of a formula. */
export const escapeTex = (text: string, names = NAMES) =>
  text.replace(/[\\{}$%&#_^~]/g, (character) => names[character] ?? `\\${character}`);

const NAMES: Record<string, string> = { '\\': '\\backslash ', '^': '\\wedge ', '~': '\\sim ' };
const TEXT_NAMES: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};
