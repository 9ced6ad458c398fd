import { DOMParser as DocumentReader, type Node } from 'prosemirror-model';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { withoutControls } from '#libs/contract/text.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatCount } from '../../../shared/lib/format';
import { cleanPaste } from '../document/clean-paste';
import { readBlocks } from '../document/read-markdown';
import { schema } from '../document/schema';
import { readListMarks, type ItemMark } from './list-marks';
import { extractFormulas, insertFormulas } from './word-formulas';

/** Value of the `accept` attribute of the file input. */
export const IMPORTED_FILES = '.md,.markdown,.docx';
const MAX_BYTES = 5 * 1024 * 1024;
const WORD_FILE = /\.docx$/i;
const MARKDOWN_FILE = /\.(md|markdown)$/i;
/** The first bytes of a ZIP file, which a Word document is. */
const ZIP_SIGNATURE = [0x50, 0x4b, 0x03, 0x04];

/** A file that cannot be imported. The message is for the user. */
export class ImportError extends Error {}

export interface ImportedText {
  blocks: Node[];
  /** What the file has and the blocks lack, such as "2 pictures"; empty if there is nothing. */
  leftOut: string;
}

/** Reads a Word or Markdown file into blocks. @throws ImportError if the file cannot be read */
export async function readFile(file: File): Promise<ImportedText> {
  const name = `“${file.name}”`;
  const isWord = WORD_FILE.test(file.name);
  if (!isWord && !MARKDOWN_FILE.test(file.name))
    throw new ImportError(`${name} cannot be imported. Choose a Word document (.docx) or Markdown (.md).`);
  if (file.size === 0) throw new ImportError(`${name} is empty.`);
  if (file.size > MAX_BYTES)
    throw new ImportError(`${name} is too large: ${formatBytes(file.size)}. Import at most 5 MB.`);
  const bytes = await file.arrayBuffer();
  const text = isWord ? await readWord(bytes, name) : { blocks: readMarkdown(bytes, name), leftOut: '' };
  if (text.blocks.every(isEmpty)) throw new ImportError(`${name} has no text.`);
  return text;
}

const isEmpty = (node: Node): boolean => node.type === schema.nodes.paragraph && node.childCount === 0;

function readMarkdown(bytes: ArrayBuffer, name: string): Node[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ImportError(`${name} is not a text in UTF-8.`);
  }
  if (text.includes('\0')) throw new ImportError(`${name} is not a text.`);
  const markdown = withoutControls(text.replace(/\r\n?/g, '\n'));
  if (!isWithinMarkdownLimits(markdown))
    throw new ImportError(`${name} is too long, or has too many lines, links or marks.`);
  return readBlocks(markdown);
}

async function readWord(bytes: ArrayBuffer, name: string): Promise<ImportedText> {
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, ZIP_SIGNATURE.length));
  if (!ZIP_SIGNATURE.every((byte, index) => head[index] === byte))
    throw new ImportError(`${name} is not a Word document (.docx), or has a password.`);
  const { default: mammoth } = await import('mammoth/mammoth.browser.min.js');
  let html: string;
  let messages: readonly { message: string }[];
  let pictures = 0;
  const marks = await readListMarks(bytes).catch(() => []);
  let formulas: HTMLElement[] = [];
  try {
    const extracted = await extractFormulas(bytes);
    formulas = extracted.formulas;
    ({ value: html, messages } = await mammoth.convertToHtml(
      { arrayBuffer: extracted.docx },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          ...QUOTES.map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
          ...CODE_BLOCKS.map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
          ...CODE_WORDS.map((name) => `r[style-name='${name}'] => code`),
          'u => u',
          'highlight => mark',
        ],
        transformDocument: (page: WordElement) => markItems(page, marks),
        convertImage: mammoth.images.imgElement(() => {
          pictures += 1;
          return Promise.resolve({ src: '' });
        }),
      },
    ));
  } catch {
    throw new ImportError(`${name} cannot be read. It may be damaged, or no Word document.`);
  }
  const { body } = new DOMParser().parseFromString(
    cleanPaste(adaptWordHtml(withoutControls(html), formulas)),
    'text/html',
  );
  const ignored = messages.filter(({ message }) => message.includes('element was ignored'));
  const leftOut = (
    [
      [pictures, 'picture'],
      [ignored.length, 'other object'],
    ] as const
  ).flatMap(([count, noun]) => (count > 0 ? [formatCount(count, noun)] : []));
  return {
    blocks: [...DocumentReader.fromSchema(schema).parse(body).children],
    leftOut: leftOut.join(' and '),
  };
}

/** Styles of Word, LibreOffice and pandoc. */
const QUOTES = ['Quote', 'Intense Quote', 'Quotations', 'Block Text'];
const CODE_BLOCKS = ['HTML Preformatted', 'Preformatted Text', 'Source Code'];
const CODE_WORDS = ['HTML Code', 'Source Text', 'Verbatim Char'];

/** An element of mammoth's document. */
interface WordElement {
  type: string;
  children?: WordElement[];
  numbering?: unknown;
  name?: string;
}

const MARK = 'list-mark-';

/** Adds the marks of list items as bookmarks, which become links with an id. Changes nothing if their count differs. */
function markItems(page: WordElement, marks: readonly ItemMark[]): WordElement {
  const items: WordElement[] = [];
  const find = (element: WordElement) => {
    if (element.type === 'paragraph' && element.numbering) items.push(element);
    element.children?.forEach(find);
  };
  find(page);
  if (items.length === marks.length)
    items.forEach((item, index) => {
      const bookmark = { type: 'bookmarkStart', name: `${MARK}${marks[index]}` };
      item.children = [bookmark, ...(item.children ?? [])];
    });
  return page;
}

/** Gives the list items of mammoth's HTML their marks, and formulas, notes and links the form that pasted ones have. */
function adaptWordHtml(html: string, formulas: readonly HTMLElement[]): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  insertFormulas(body, formulas);
  for (const link of body.querySelectorAll(`[id^="${MARK}"]`)) {
    const item = link.closest('li');
    const mark = link.id.slice(MARK.length);
    link.remove();
    if (item) setMark(item, mark);
  }
  for (const link of body.querySelectorAll<HTMLAnchorElement>(
    'a[id^="footnote-ref-"], a[id^="endnote-ref-"]',
  )) {
    const number = link.textContent.replace(/\D/g, '');
    const note = body.querySelector(`[id="${link.id.replace('-ref', '')}"]`);
    link.setAttribute('href', `#_ftn${number}`);
    note?.querySelector(`a[href="#${link.id}"]`)?.remove();
    const paragraph = body.ownerDocument.createElement('p');
    paragraph.innerHTML = `<a href="#_ftnref${number}"></a>`;
    for (const part of note?.children ?? []) paragraph.append(...part.childNodes, ' ');
    body.append(paragraph);
    const list = note?.parentElement;
    note?.remove();
    if (list?.childElementCount === 0) list.remove();
  }
  // The head of a table is bold by itself.
  for (const strong of body.querySelectorAll('thead strong'))
    if (strong.textContent === strong.closest('th')?.textContent) strong.replaceWith(...strong.childNodes);
  // The field of a link has the place within the page after a switch: `HYPERLINK "https://a.example" \l "place"`.
  for (const link of body.querySelectorAll("a[href*='\" \\\\']")) {
    const [address = '', switches = ''] = (link.getAttribute('href') ?? '').split(/"(?= \\)/);
    const place = /\\l "([^"]*)/.exec(switches)?.[1];
    link.setAttribute('href', place ? `${address}#${place}` : address);
  }
  return body.innerHTML;
}

function setMark(item: HTMLLIElement, mark: string): void {
  const { parentElement: list, previousElementSibling: before, ownerDocument } = item;
  switch (mark) {
    case 'open':
    case 'done': {
      const box = ownerDocument.createElement('input');
      box.type = 'checkbox';
      box.toggleAttribute('checked', mark === 'done');
      item.prepend(box);
      break;
    }
    case 'continued': {
      const paragraph = ownerDocument.createElement('p');
      paragraph.append(...[...item.childNodes].filter((node) => !/^[UO]L$/.test(node.nodeName)));
      item.prepend(paragraph);
      before?.append(...item.childNodes);
      if (before) item.remove();
      break;
    }
    default:
      if (list?.localName === 'ol') item.setAttribute('value', mark);
  }
}
