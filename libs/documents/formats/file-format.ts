import { decodeText } from './decode-text.js';
import type { TextFormat } from './file-reading.js';
import { unreadableDocument, unsupportedDocument } from './refusals.js';
import { unpack } from './zip-parts.js';

/** The first bytes of a compound file: an old Office document, or an encrypted new one. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const PICTURES = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  Buffer.from([0xff, 0xd8, 0xff]),
  Buffer.from('GIF8'),
  Buffer.from('II*\0'),
  Buffer.from('MM\0*'),
];

/**
 * Detects a file's format from its bytes.
 * @param isMarkdown true if a text is Markdown, which its bytes do not tell
 * @throws AppError UNSUPPORTED_FILE for other formats, UNREADABLE_DOCUMENT for an encrypted file
 */
export async function formatOf(bytes: Buffer, isMarkdown: boolean): Promise<TextFormat | 'pdf'> {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 8).equals(COMPOUND_FILE)) throw compoundFile(bytes);
  if (bytes.subarray(0, 5).equals(Buffer.from('{\\rtf'))) throw unsupportedDocument('rtf');
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return zipFormat(bytes);
  if (PICTURES.some((start) => bytes.subarray(0, start.length).equals(start)))
    throw unsupportedDocument('image');
  const text = decodeText(bytes);
  // Many Markdown texts begin with a picture or a heading in HTML.
  if (isMarkdown && !IS_WEB_PAGE.test(text)) return 'markdown';
  return isHtml(text) ? 'html' : 'text';
}

function compoundFile(bytes: Buffer): Error {
  const has = (stream: string) => bytes.includes(Buffer.from(stream, 'utf16le'));
  if (has('EncryptedPackage')) return unreadableDocument('encrypted');
  if (has('WordDocument')) return unsupportedDocument('oldWord');
  if (has('Workbook')) return unsupportedDocument('spreadsheet');
  return unsupportedDocument(has('PowerPoint Document') ? 'presentation' : 'unknown');
}

async function zipFormat(bytes: Buffer): Promise<'docx'> {
  const limits = { partBytes: 200, totalBytes: 200 };
  const { names, parts } = await unpack(bytes, (name) => name === 'mimetype', limits);
  const type = parts.get('mimetype')?.toString() ?? '';
  if (type.startsWith('application/vnd.oasis.opendocument.')) throw unsupportedDocument('odt');
  if (names.includes('[Content_Types].xml')) {
    if (names.some((name) => name.startsWith('xl/'))) throw unsupportedDocument('spreadsheet');
    if (names.some((name) => name.startsWith('ppt/'))) throw unsupportedDocument('presentation');
    return 'docx';
  }
  throw unsupportedDocument('zip');
}

/** True if a browser would recognise the text as HTML, see https://mimesniff.spec.whatwg.org. */
const isHtml = (text: string) =>
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|article|section|main|ul|ol)[\s/>]/i.test(
    text.slice(0, SAMPLE_CHARACTERS),
  );
const SAMPLE_CHARACTERS = 16 * 1024;

const IS_WEB_PAGE = /^\s*<(?:!doctype html|html)[\s/>]/i;
