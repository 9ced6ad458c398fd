import { adaptText, HAS_UNREAD } from './word-text';

/** The parts of a Word document that have text. */
const TEXTS = /^word\/(document|footnotes|endnotes)\d*\.xml$/;
const MATHS = /\/officeDocument\/(2006\/)?math$/;
/** Elements with text that the author deleted while changes were tracked. */
const DELETED = new Set(['del', 'moveFrom']);

/** A formula's bookmark has this name and the formula's number. */
const FORMULA = 'formula-';

/**
 * Replaces the formulas of a Word document by bookmarks, which mammoth converts to links with an id. It does not read formulas.
 * Adapts the text with {@link adaptText}.
 * @returns the changed document, and its formulas as in Word's HTML, for {@link insertFormulas}
 */
export async function extractFormulas(
  docx: ArrayBuffer,
): Promise<{ docx: ArrayBuffer; formulas: HTMLElement[] }> {
  const { strFromU8, strToU8, unzipSync, zipSync } = await import('fflate');
  const bytes = new Uint8Array(docx);
  const texts = Object.entries(unzipSync(bytes, { filter: ({ name }) => TEXTS.test(name) }));
  const formulas: HTMLElement[] = [];
  const changed = texts.flatMap(([name, text]) => {
    const xml = strFromU8(text);
    if (!xml.includes('oMath') && !HAS_UNREAD.test(xml)) return [];
    const page = new DOMParser().parseFromString(xml, 'application/xml');
    adaptText(page);
    for (const formula of ['oMathPara', 'oMath'].flatMap((name) => elementsOf(page, name))) {
      if (!isMath(formula) || !page.contains(formula)) continue;
      const word = page.documentElement.namespaceURI;
      const bookmark = page.createElementNS(word, 'w:bookmarkStart');
      bookmark.setAttributeNS(word, 'w:name', `${FORMULA}${formulas.push(toHtml(formula)) - 1}`);
      formula.replaceWith(bookmark);
    }
    return [[name, strToU8(new XMLSerializer().serializeToString(page))] as const];
  });
  if (changed.length === 0) return { docx, formulas };
  const files = { ...unzipSync(bytes), ...Object.fromEntries(changed) };
  return { docx: Uint8Array.from(zipSync(files, { level: 0 })).buffer, formulas };
}

/** Puts the formulas where mammoth's HTML has links with their ids. */
export function insertFormulas(body: HTMLElement, formulas: readonly HTMLElement[]): void {
  for (const link of body.querySelectorAll(`a[id^="${FORMULA}"]`)) {
    const formula = formulas[Number(link.id.slice(FORMULA.length))];
    if (formula) link.replaceWith(formula);
  }
}

const elementsOf = (page: Document, name: string) => [...page.getElementsByTagNameNS('*', name)];

const isMath = ({ namespaceURI }: Element) => MATHS.test(namespaceURI ?? '');

/** Names and attributes of elements have a prefix in Word's HTML. */
function toHtml(element: Element): HTMLElement {
  const html = document.createElement(isMath(element) ? `m:${element.localName}` : 'span');
  for (const { localName, value } of element.attributes) html.setAttribute(`m:${localName}`, value);
  for (const child of element.childNodes) {
    if (child instanceof Text) html.append(child.data);
    else if (child instanceof Element && !DELETED.has(child.localName)) html.append(toHtml(child));
  }
  return html;
}
