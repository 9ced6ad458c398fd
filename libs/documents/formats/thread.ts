import type { ResumeLineChange } from '#libs/contract/resume-lines.js';
import { toPages } from './blocks.js';
import { decodeText } from './decode-text.js';
import { formatOf } from './file-format.js';
import type { FileReading } from './file-reading.js';
import { htmlBlocks } from './html-blocks.js';
import { markdownBlocks } from './markdown-blocks.js';
import { readWord } from './read-word.js';
import { unreadableDocument } from './refusals.js';
import { replaceLines, type Replacement } from './replace-lines.js';
import { textBlocks } from './text-blocks.js';

// The entry of a document thread (see thread-pool.ts): each exported function is a task.

export async function read({
  bytes,
  isMarkdown,
}: {
  bytes: Uint8Array;
  isMarkdown: boolean;
}): Promise<FileReading> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = await formatOf(file, isMarkdown);
  if (format === 'pdf') throw new Error('A PDF is read by readPdf.');
  const reading =
    format === 'docx' ? { format, ...(await readWord(file)) } : readText(format, decodeText(file));
  if (!reading.pages.some((page) => /[\p{L}\p{N}]/u.test(page))) throw unreadableDocument('empty');
  return reading;
}

function readText(format: Exclude<FileReading['format'], 'docx'>, text: string): FileReading {
  const { blocks, details } =
    format === 'html'
      ? htmlBlocks(text)
      : format === 'markdown'
        ? markdownBlocks(text)
        : { blocks: textBlocks(text), details: {} };
  return { format, ...toPages(blocks), details };
}

export async function replace({
  bytes,
  changes,
}: {
  bytes: Uint8Array;
  changes: ResumeLineChange[];
}): Promise<Replacement> {
  return replaceLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), changes);
}
