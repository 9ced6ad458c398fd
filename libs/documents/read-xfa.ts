import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageItem } from './layout/page-items.js';

/** An element of a form in XFA, which pdf.js describes like an element of HTML. */
interface XfaNode {
  name: string;
  value?: string;
  attributes?: {
    value?: unknown;
    textContent?: string;
    type?: string;
    checked?: boolean;
    selected?: boolean;
    hidden?: boolean;
    'aria-label'?: string;
  } | null;
  children?: XfaNode[];
}

const LINE = 14;
const MAX_NODES = 200_000;

/** Texts and values of a page of a form in XFA, one below the other: pdf.js does not tell their places. */
export async function readXfaItems(page: PDFPageProxy): Promise<PageItem[]> {
  const lines: Pick<PageItem, 'text' | 'source' | 'label'>[] = [];
  const left = [(await page.getXfa()) as XfaNode | null];
  let label = '';
  for (let count = 0; left.length > 0 && count < MAX_NODES; count += 1) {
    const node = left.pop();
    if (!node || node.attributes?.hidden) continue;
    const value = valueOf(node);
    if (value !== null) {
      const named = label || node.attributes?.['aria-label'];
      if (value !== '') lines.push({ text: value, source: 'field', ...(named && { label: named }) });
      // The caption is part of the field's item.
      if (value !== '' && label && lines.at(-2)?.text === label) lines.splice(-2, 1);
      label = '';
      continue;
    }
    const text = (node.name === '#text' ? node.value : node.attributes?.textContent)?.trim();
    if (text) {
      lines.push({ text });
      label = text;
    }
    left.push(...(node.children ?? []).toReversed());
  }
  return lines.map((line, index) => ({
    ...line,
    x: 40,
    y: 40 + LINE * index,
    width: 400,
    height: 10,
    angle: 0,
  }));
}

/** What is filled into a field, blank for nothing; null if the node is no field. */
function valueOf({ name, attributes, children = [] }: XfaNode): string | null {
  const filled = typeof attributes?.value === 'string' ? attributes.value : attributes?.textContent;
  if (name === 'textarea') return filled?.trim() ?? '';
  if (name === 'select') {
    const chosen = children.filter((option) => option.attributes?.selected);
    return chosen
      .map((option) => option.value ?? option.attributes?.textContent ?? '')
      .join(', ')
      .trim();
  }
  if (name !== 'input') return null;
  if (attributes?.type === 'password') return '';
  if (attributes?.type === 'checkbox') return attributes.checked ? 'checked' : '';
  if (attributes?.type === 'radio') return attributes.checked ? 'chosen' : '';
  return filled?.trim() ?? '';
}
