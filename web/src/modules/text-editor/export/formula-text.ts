import { plainScript } from '#libs/contract/inline-tags.js';
import { formulaMathml } from '../../../shared/markdown/formulas/formula-mathml';

/** Writes TeX as one line of text, such as `x² + √(a/b)`. Wrong TeX is returned unchanged. */
export function formulaText(tex: string): string {
  try {
    const page = new DOMParser().parseFromString(formulaMathml(tex, true), 'text/html');
    const text = linear(page.querySelector('semantics > *'));
    return text.replace(/[\s\u2009\u200a]+/g, ' ').trim();
  } catch {
    return tex;
  }
}

const SPACED_OPERATOR = /^[-+=<>±∓×÷⋅∗∘∪∩∧∨⊂⊃⊆⊇∈∉≠≈≡≅∼∝≤≥≪≫→←↔⇒⇐⇔↦−∣:]$|^(mod|if|and|or)$/u;

/** Combining characters for the accents of KaTeX. */
const ACCENTS: Record<string, string> = {
  '^': '\u0302',
  '~': '\u0303',
  ˉ: '\u0304',
  '˙': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '´': '\u0301',
  '`': '\u0300',
  '⃗': '\u20d7',
};

/** Braces over and under terms, which a line of text has no place for. */
const BRACE = /^[⏞⏟]$/u;
const PRIMES = /^[′″‴⁗]+$/u;

function linear(element: Element | null | undefined): string {
  if (element == null) return '';
  const parts = [...element.children];
  const part = (index: number) => linear(parts[index]);
  switch (element.localName) {
    case 'mo':
      return operator(element);
    case 'mi':
      return `${gapBefore(element)}${element.textContent}`;
    case 'mn':
    case 'mtext':
      return element.textContent;
    case 'mspace':
      return ' ';
    case 'annotation':
      return '';
    case 'mfrac':
      return element.getAttribute('linethickness') === '0px'
        ? `${part(0)} over ${part(1)}`
        : `${grouped(part(0))}/${divisor(part(1))}${isTerm(element, element.nextElementSibling) || isBracket(element.nextElementSibling) ? ' ' : ''}`;
    case 'msqrt':
      return `√${divisor(parts.map(linear).join(''))}`;
    case 'mroot':
      return `${plainScript(part(1), 'sup')}√${divisor(part(0))}`;
    case 'msup':
      return base(part(0)) + superscript(part(1)) + gapAfterLetter(element, superscript(part(1)));
    case 'msub':
      return (
        base(part(0)) +
        plainScript(part(1), 'sub') +
        (gapAfter(parts[0]) || gapAfterLetter(element, plainScript(part(1), 'sub')))
      );
    case 'msubsup':
      return (
        base(part(0)) +
        plainScript(part(1), 'sub') +
        superscript(part(2)) +
        (gapAfter(parts[0]) || gapAfterLetter(element, superscript(part(2))))
      );
    case 'munder':
      if (BRACE.test(part(1))) return part(0);
      return `${base(part(0))}${plainScript(part(1), 'sub')} `;
    case 'munderover':
      return `${base(part(0))}${plainScript(part(1), 'sub')}${plainScript(part(2), 'sup')} `;
    case 'mover': {
      if (BRACE.test(part(1))) return part(0);
      const accent = ACCENTS[parts[1]?.textContent ?? ''];
      return accent === undefined
        ? base(part(0)) + plainScript(part(1), 'sup')
        : Array.from(part(0), (character) => character + accent).join('');
    }
    case 'mtable': {
      // KaTeX sets no space between the columns of aligned equations.
      const between = element.getAttribute('columnspacing')?.startsWith('0em') ? ' ' : ', ';
      return parts
        .map((row) => [...row.children].map((cell) => linear(cell).trim()).join(between))
        .join('; ');
    }
    default:
      return parts.map(linear).join('');
  }
}

/** An operator between two terms has spaces around it, a sign has none. */
function operator(element: Element): string {
  // KaTeX writes the invisible application of a function, as in `sin x`.
  const text = element.textContent.replace('\u2061', ' ');
  const before = element.previousElementSibling;
  const isSign = before === null || (before.localName === 'mo' && !/^[)\]}|!]$/.test(before.textContent));
  if (text === ',' || text === ';') return `${text} `;
  return SPACED_OPERATOR.test(text) && !isSign && element.nextElementSibling !== null ? ` ${text} ` : text;
}

/** The limits of an integral or a sum end at a space. */
const gapAfter = (element: Element | undefined): string => (element?.localName === 'mo' ? ' ' : '');

/** A script of one letter, such as in `w_i`, ends at a space if another factor follows. */
const gapAfterLetter = (element: Element, script: string): string =>
  /^[_^].$/u.test(script) && isTerm(element, element.nextElementSibling) ? ' ' : '';

/** The name of a function, such as `log`, begins at a space. */
const gapBefore = (element: Element): string =>
  /^\p{L}{2,}$/u.test(element.textContent) && isTerm(element, element.previousElementSibling) ? ' ' : '';

/** True if the neighbour of an element in its row is another factor. */
const isTerm = ({ parentElement }: Element, neighbour: Element | null): boolean =>
  neighbour !== null &&
  neighbour.localName !== 'mo' &&
  /^m(row|style|td)$/.test(parentElement?.localName ?? '');

const isBracket = (neighbour: Element | null) => /^[([{]$/.test(neighbour?.textContent ?? '');

const superscript = (text: string) => (PRIMES.test(text) ? text : plainScript(text, 'sup'));

const isSimple = (text: string) => /^(?:[\p{L}\p{N}]\p{M}*|[.,])+$/u.test(text) || /^\([^()]*\)$/.test(text);

const grouped = (text: string) => (isSimple(text.trim()) ? text.trim() : `(${text.trim()})`);

/** A divisor or a radicand of several factors needs brackets. */
const divisor = (text: string) =>
  /^(?:[\d.,]+|\p{L}\p{M}*\p{No}*)$/u.test(text.trim())
    ? text.trim()
    : `(${text.trim().replace(/^\(([^()]*)\)$/, '$1')})`;

/** The base of a script. Operators such as ∑ need no brackets. */
const base = (text: string) => (text.length > 2 && /\s/.test(text.trim()) ? grouped(text) : text.trimEnd());
