import katex from 'katex';
import 'katex/dist/katex.min.css';
import './formula.css';

/** Longer formulas are shown as TeX, since typesetting them would freeze the page. */
const MAX_CHARACTERS = 5_000;

/** Typesets TeX as HTML, with MathML for screen readers. @throws Error if the TeX is wrong or too long */
export function formulaHtml(tex: string, display: boolean): string {
  if (tex.length > MAX_CHARACTERS) throw new Error('This formula is too long.');
  return katex.renderToString(tex, {
    displayMode: display,
    // Refuses commands that make links, load images or set HTML attributes.
    trust: false,
    strict: 'ignore',
    maxExpand: 500,
    maxSize: 20,
  });
}
