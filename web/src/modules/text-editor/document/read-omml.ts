import { escapeTex, FUNCTIONS } from './read-mathml';

/** Commands for the combining marks above a letter. */
const ACCENTS: Record<string, string> = {
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u20d7': 'vec',
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
      return `\\left${bracket(property('begchr') ?? '(')}${inner.join(separator)}\\right${bracket(property('endchr') ?? ')')}`;
    }
    case 'func':
      return `${part('fname')} ${part('e')}`;
    case 'acc':
      return `\\${ACCENTS[property('chr') ?? ''] ?? 'hat'}${group('e')}`;
    case 'bar':
      return `\\${property('pos') === 'top' ? 'overline' : 'underline'}${group('e')}`;
    case 'groupchr':
      return `\\${property('pos') === 'top' ? 'overbrace' : 'underbrace'}${group('e')}`;
    case 'limlow':
      return `${limits(part('e'))}_${group('lim')}`;
    case 'limupp':
      return `${limits(part('e'))}^${group('lim')}`;
    case 'm':
      return `\\begin{matrix}${parts.filter(isContent).map(readOmml).join(' \\\\ ')}\\end{matrix}`;
    case 'mr':
      return parts.filter(isContent).map(readOmml).join(' & ');
    case 'eqarr': {
      const lines = parts.filter(isContent).map((line) => readOmml(line).replaceAll('\\&', '&'));
      return `\\begin{aligned}${lines.join(' \\\\ ')}\\end{aligned}`;
    }
    case 'phant':
      return '';
    default:
      return parts.filter(isContent).map(readOmml).filter(Boolean).join(' ');
  }
}

/** HTML has the names in lower case. */
const nameOf = ({ localName }: Element) => localName.replace(/^m:/, '');

const isContent = (element: Element) => !nameOf(element).endsWith('pr');

const partsOf = (element: Element): Element[] =>
  [...element.children].flatMap((child) => (child.localName.startsWith('m:') ? [child] : partsOf(child)));

function textOf(run: Element): string {
  const text = run.textContent.replace(/\s+/g, ' ');
  if (FUNCTIONS.has(text.trim())) return `\\${text.trim()}`;
  return run.querySelector('m\\:nor') === null ? escapeTex(text.trim()) : `\\text{${escapeTex(text)}}`;
}

/** An operator takes limits below and above it only without braces. */
const limits = (tex: string) => (/^\\\w+$/.test(tex) ? tex : `{${tex}}`);

const bracket = (character: string) => (character === '' ? '.' : `${escapeTex(character)} `);
