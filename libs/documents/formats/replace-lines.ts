import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { ResumeLineChange } from '#libs/contract/resume-lines.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { editableParagraphs, findLine, type EditableParagraph, type Range } from './editable-paragraphs.js';
import { openWord, PACKAGE_LIMITS } from './word-package.js';
import { WordStyles } from './word-styles.js';
import { parseXml, type XmlElement } from './xml-tree.js';
import { unpack } from './zip-parts.js';

export interface Replacement {
  file: Uint8Array;
  /** The whole lines that were replaced, with their new text. */
  replaced: ResumeLineChange[];
  /** Sources that were not found. */
  missing: string[];
}

type NewText = Range & { text: string };

interface Edit extends Range {
  xml: string;
}

/**
 * Replaces lines in the body of a Word document. A new line has the formatting of the first text of the old one. All other
 * parts of the file keep their bytes.
 * @throws AppError UNREADABLE_DOCUMENT
 */
export async function replaceLines(
  bytes: Buffer,
  changes: readonly ResumeLineChange[],
): Promise<Replacement> {
  const word = await openWord(bytes);
  const source = word.text(word.main) ?? '';
  const stylesPart = word.relationships.find(({ type }) => type === 'styles');
  const styles = new WordStyles(stylesPart ? word.xml(stylesPart.target) : null);
  const paragraphs = editableParagraphs(parseXml(source), styles);
  const texts = new Map<EditableParagraph, NewText[]>();
  const isFree = (paragraph: EditableParagraph, { start, end }: Range) =>
    !texts.get(paragraph)?.some((other) => other.start < end && start < other.end);
  const result: Omit<Replacement, 'file'> = { replaced: [], missing: [] };
  for (const change of changes) {
    const whole = findLine(paragraphs, change.source, isFree);
    const found = whole ?? findLine(paragraphs, withoutNumber(change.source), isFree);
    if (!found) {
      result.missing.push(change.source);
      continue;
    }
    const { paragraph, range } = found;
    const old = paragraph.text.slice(range.start, range.end);
    const line = oneLine(change.text);
    const text = withEndOf(old, whole ? line : withoutNumber(line));
    for (const twin of twinsOf(paragraph, paragraphs))
      texts.set(twin, [...(texts.get(twin) ?? []), { ...range, text }]);
    result.replaced.push({ source: oneLine(old), text });
  }
  const edits = Array.from(texts, ([paragraph, own]) => editsOf(paragraph, own, source)).flat();
  const file = edits.length === 0 ? bytes : await repack(bytes, word.main, applyEdits(source, edits));
  return { file, ...result };
}

/** The number of an item is no text of the document; Word counts it. */
const withoutNumber = (text: string) => text.replace(/^(?:(?:\d+\.)*\d+[.)]|\p{L}{1,4}[.)])\s+/u, '');

/** A line ends as the line that it replaces, so that all lines of a list end alike. */
function withEndOf(old: string, text: string): string {
  const end = /[.;]$/.exec(old.trimEnd())?.[0];
  return end === undefined || /\p{P}$/u.test(text) ? text : text + end;
}

/** The paragraph and, in a text box, the same one for other versions of Word. */
const twinsOf = (paragraph: EditableParagraph, all: readonly EditableParagraph[]) =>
  paragraph.versions === null
    ? [paragraph]
    : all.filter(({ text, versions }) => versions === paragraph.versions && text === paragraph.text);

function editsOf({ pieces }: EditableParagraph, texts: readonly NewText[], source: string): Edit[] {
  const changed = texts
    .toSorted((a, b) => a.start - b.start)
    .map((range) => {
      const own = pieces.filter(
        ({ element, start, text }) =>
          element.name === 'w:t' && start < range.end && start + text.length > range.start,
      );
      // A line that starts with a link does not become a link.
      return { ...range, holder: own.find(({ isLink }) => !isLink) ?? own[0] };
    });
  return pieces.flatMap((piece): Edit[] => {
    const end = piece.start + piece.text.length;
    let text = '';
    let at = piece.start;
    for (const range of changed) {
      if (range.start >= end || range.end <= piece.start) continue;
      text += piece.text.slice(at - piece.start, Math.max(at, range.start) - piece.start);
      if (range.holder === piece) text += range.text;
      at = Math.min(end, range.end);
    }
    text += piece.text.slice(at - piece.start);
    if (text === piece.text) return [];
    const { element } = piece;
    return [
      { start: element.start, end: element.end, xml: text === '' ? '' : textXml(element, text, source) },
    ];
  });
}

function textXml({ start }: XmlElement, text: string, source: string): string {
  const name = /^<([^\s/>]+)/.exec(source.slice(start, start + 100))?.[1] ?? 'w:t';
  const escaped = text
    .replace(/[\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return `<${name} xml:space="preserve">${escaped}</${name}>`;
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, xml } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(source.slice(at, start), xml);
    at = end;
  }
  // The part may have been in UTF-16.
  return (pieces.join('') + source.slice(at)).replace(
    /^(<\?xml[^>]*\sencoding=)(?:"[^"]*"|'[^']*')/,
    '$1"UTF-8"',
  );
}

async function repack(bytes: Buffer, main: string, xml: string): Promise<Buffer> {
  const { parts } = await unpack(bytes, () => true, PACKAGE_LIMITS);
  const zip = new ZipFile();
  for (const [name, content] of parts) zip.addBuffer(name === main ? Buffer.from(xml) : content, name);
  zip.end();
  return buffer(zip.outputStream);
}
