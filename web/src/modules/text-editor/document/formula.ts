import type { Nodes } from 'mdast';
import type { InlineMath, Math as BlockMath } from '#libs/contract/markdown-math.js';
import { parseMarkdown } from './parse-markdown';

/** A formula in Markdown: its TeX, and its source with the delimiters. */
export interface Formula {
  source: string;
  tex: string;
  display: boolean;
}

/** The formula that a Markdown source is; null if it is none or has other words. */
export function formulaOf(source: string): Formula | null {
  const [block, ...others] = parseMarkdown(source).children;
  if (block === undefined || others.length > 0) return null;
  if (block.type === 'math') return { source, tex: block.value, display: true };
  if (block.type !== 'paragraph' || block.children.length !== 1) return null;
  const [only] = block.children;
  return only?.type === 'inlineMath' ? { source, tex: only.value, display: only.display } : null;
}

/**
 * Writes TeX as Markdown; null if it cannot be a formula, such as an empty text.
 * @param inLine true for a formula beside other words or in a table cell
 */
export function writeFormula(tex: string, display: boolean, inLine = !display): Formula | null {
  const lines = tex.trim().replace(/\n\s*\n/g, '\n');
  const line = lines.replace(/\s*\n\s*/g, ' ');
  const text = inLine ? line : `\n${lines}\n`;
  const sources = display
    ? [`$$${text}$$`, `\\[${text}\\]`]
    : [`$${line}$`, `\\(${line}\\)`, `\\({${line}}\\)`];
  for (const source of sources) {
    const formula = formulaOf(source);
    if (formula !== null && formula.display === display) return formula;
  }
  return null;
}

/** The TeX of all formulas of a syntax tree, in order. */
export function formulasIn(node: Nodes | InlineMath | BlockMath): string[] {
  if (node.type === 'math' || node.type === 'inlineMath') return [node.value];
  return 'children' in node ? node.children.flatMap(formulasIn) : [];
}
