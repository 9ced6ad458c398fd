import { DOMParser as DocumentReader, type Node } from 'prosemirror-model';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { withoutControls } from '#libs/contract/text.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatCount } from '../../../shared/lib/format';
import { cleanPaste } from '../document/clean-paste';
import { readBlocks } from '../document/read-markdown';
import { schema } from '../document/schema';

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
  try {
    ({ value: html, messages } = await mammoth.convertToHtml(
      { arrayBuffer: bytes },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          "p[style-name='Quote'] => blockquote:fresh",
          'u => u',
        ],
        convertImage: mammoth.images.imgElement(() => {
          pictures += 1;
          return Promise.resolve({ src: '' });
        }),
      },
    ));
  } catch {
    throw new ImportError(`${name} cannot be read. It may be damaged, or no Word document.`);
  }
  const { body } = new DOMParser().parseFromString(cleanPaste(withoutControls(html)), 'text/html');
  const ignored = messages.filter(({ message }) => message.includes('element was ignored'));
  const formulas = ignored.filter(({ message }) => /\boMath/.test(message)).length;
  const leftOut = (
    [
      [pictures, 'picture'],
      [formulas, 'formula'],
      [ignored.length - formulas, 'other object'],
    ] as const
  ).flatMap(([count, noun]) => (count > 0 ? [formatCount(count, noun)] : []));
  return {
    blocks: [...DocumentReader.fromSchema(schema).parse(body).children],
    leftOut: leftOut.join(' and '),
  };
}
