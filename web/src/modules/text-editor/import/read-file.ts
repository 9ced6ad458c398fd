import { DOMParser as DocumentReader, type Node } from 'prosemirror-model';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { withoutControls } from '#libs/contract/text.js';
import { formatBytes } from '../../../shared/lib/check-file';
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

/** Reads a Word or Markdown file into blocks. Images are left out. @throws ImportError if the file cannot be read */
export async function readFile(file: File): Promise<Node[]> {
  const name = `“${file.name}”`;
  const isWord = WORD_FILE.test(file.name);
  if (!isWord && !MARKDOWN_FILE.test(file.name))
    throw new ImportError(`${name} cannot be imported. Choose a Word document (.docx) or Markdown (.md).`);
  if (file.size === 0) throw new ImportError(`${name} is empty.`);
  if (file.size > MAX_BYTES)
    throw new ImportError(`${name} is too large: ${formatBytes(file.size)}. Import at most 5 MB.`);
  const bytes = await file.arrayBuffer();
  const blocks = isWord ? await readWord(bytes, name) : readMarkdown(bytes, name);
  if (blocks.every(isEmpty)) throw new ImportError(`${name} has no text.`);
  return blocks;
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

async function readWord(bytes: ArrayBuffer, name: string): Promise<Node[]> {
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, ZIP_SIGNATURE.length));
  if (!ZIP_SIGNATURE.every((byte, index) => head[index] === byte))
    throw new ImportError(`${name} is not a Word document (.docx), or has a password.`);
  const { default: mammoth } = await import('mammoth/mammoth.browser.min.js');
  let html: string;
  try {
    ({ value: html } = await mammoth.convertToHtml(
      { arrayBuffer: bytes },
      {
        styleMap: [
          "p[style-name='Title'] => h1:fresh",
          "p[style-name='Quote'] => blockquote:fresh",
          'u => u',
        ],
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      },
    ));
  } catch {
    throw new ImportError(`${name} cannot be read. It may be damaged, or no Word document.`);
  }
  const { body } = new DOMParser().parseFromString(cleanPaste(withoutControls(html)), 'text/html');
  return [...DocumentReader.fromSchema(schema).parse(body).children];
}
