import katex from 'katex';
import { checkedTex, typesetting } from './typesetting';

/** Typesets TeX as MathML, which needs no styles and fonts. @throws Error if the TeX is wrong or too long */
export function formulaMathml(tex: string, display: boolean): string {
  const html = katex.renderToString(checkedTex(tex), {
    ...typesetting,
    displayMode: display,
    output: 'mathml',
  });
  return html.slice(html.indexOf('<math'), html.lastIndexOf('</math>') + '</math>'.length);
}
