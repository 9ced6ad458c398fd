import {
  childOf,
  descendantsOf,
  elementsOf,
  isElement,
  isOn,
  textOf,
  valueOf,
  type XmlElement,
} from './xml-tree.js';
import type { WordStyles } from './word-styles.js';

/** A page break in a paragraph's text. */
export const PAGE_BREAK = '\f';

/** What a paragraph contains. */
export interface ParagraphContent {
  /** Lines end with a line feed, pages with {@link PAGE_BREAK}. */
  text: string;
  /** The contents of text boxes, in order. */
  boxes: XmlElement[];
  /** Ids of diagrams, footnotes, endnotes and comments. */
  references: { kind: 'footnote' | 'endnote' | 'comment' | 'diagram'; id: string }[];
}

/** Elements whose text is not part of the document as it is shown: deleted and moved text, instructions of fields, readings. */
const SKIPPED = new Set([
  'w:del',
  'w:moveFrom',
  'w:delText',
  'w:instrText',
  'w:rt',
  'w:pPr',
  'w:rPr',
  'w:sdtPr',
]);

/** Reads a paragraph as Word shows it with all changes accepted. */
export function readParagraph(paragraph: XmlElement, styles: WordStyles): ParagraphContent {
  const content: ParagraphContent = { text: '', boxes: [], references: [] };
  for (const child of elementsOf(paragraph)) read(child, styles, content);
  return content;
}

function read(element: XmlElement, styles: WordStyles, content: ParagraphContent): void {
  const { name, attributes } = element;
  if (!isShown(element, styles)) return;
  switch (name) {
    case 'w:t':
    case 'm:t':
      content.text += textOf(element);
      return;
    case 'w:tab':
    case 'w:ptab':
      content.text += '\t';
      return;
    case 'w:br':
      content.text += attributes.type === 'page' ? PAGE_BREAK : '\n';
      return;
    case 'w:cr':
      content.text += '\n';
      return;
    case 'w:lastRenderedPageBreak':
      content.text += PAGE_BREAK;
      return;
    case 'w:noBreakHyphen':
      content.text += '-';
      return;
    case 'w:sym':
      content.text += symbols[attributes.char?.toUpperCase() ?? ''] ?? '';
      return;
    case 'w:txbxContent':
      content.boxes.push(element);
      return;
    case 'relIds':
      if (attributes.dm !== undefined) content.references.push({ kind: 'diagram', id: attributes.dm });
      return;
    case 'w:footnoteReference':
    case 'w:endnoteReference':
    case 'w:commentReference': {
      const kind = name.slice(2, -'Reference'.length) as 'footnote' | 'endnote' | 'comment';
      if (attributes.id !== undefined) content.references.push({ kind, id: attributes.id });
      return;
    }
    case 'mc:AlternateContent':
      readAlternative(element, styles, content);
      return;
  }
  for (const child of element.children) if (isElement(child)) read(child, styles, content);
}

/** Reads one of several versions of the same content. The fallback is for old versions of Word. */
function readAlternative(element: XmlElement, styles: WordStyles, content: ParagraphContent): void {
  for (const version of elementsOf(element)) {
    const found: ParagraphContent = { text: '', boxes: [], references: [] };
    for (const child of elementsOf(version)) read(child, styles, found);
    if (found.text === '' && found.boxes.length === 0 && found.references.length === 0) continue;
    content.text += found.text;
    content.boxes.push(...found.boxes);
    content.references.push(...found.references);
    return;
  }
}

export const isShown = (element: XmlElement, styles: WordStyles): boolean =>
  !SKIPPED.has(element.name) && !isHidden(element, styles);

function isHidden(element: XmlElement, styles: WordStyles): boolean {
  // The prompt of a form field that nobody filled in.
  if (element.name === 'w:sdt') return isOn(childOf(childOf(element, 'w:sdtPr'), 'w:showingPlcHdr'));
  if (element.name !== 'w:r') return false;
  const properties = childOf(element, 'w:rPr');
  const vanish = childOf(properties, 'w:vanish');
  const style = valueOf(properties, 'w:rStyle');
  return vanish ? isOn(vanish) : style !== undefined && styles.get(style).isHidden;
}

/** True if the end of the paragraph was deleted, so that the next paragraph continues it. */
export const continues = (paragraph: XmlElement): boolean =>
  childOf(childOf(childOf(paragraph, 'w:pPr'), 'w:rPr'), 'w:del') !== undefined;

/** The paragraphs of a diagram. */
export const readDiagram = (diagram: XmlElement): string[] =>
  descendantsOf(diagram, 'a:p').map((paragraph) => descendantsOf(paragraph, 'a:t').map(textOf).join(''));

/** Characters of the fonts Symbol and Wingdings. */
const symbols: Record<string, string> = {
  F0B7: '•',
  F0A7: '•',
  F076: '•',
  F0D8: '•',
  F06E: '•',
  F0E0: '→',
  F0FC: '✓',
  F0FB: '✗',
  F0FE: '☑',
  F0FD: '☒',
  F0A8: '☐',
  F06F: '☐',
  F02D: '-',
  F028: '☎',
  F02A: '✉',
};
