import katex from 'katex';
import 'katex/dist/katex.min.css';
import './formula.css';
import { checkedTex, typesetting } from './typesetting';

/** Typesets TeX as HTML, with MathML for screen readers. @throws Error if the TeX is wrong or too long */
export const formulaHtml = (tex: string, display: boolean): string =>
  katex.renderToString(checkedTex(tex), { ...typesetting, displayMode: display });
