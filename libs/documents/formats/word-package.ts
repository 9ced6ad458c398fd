import { posix } from 'node:path';
import { unreadableDocument } from './refusals.js';
import { decodeXml, elementsOf, parseXml, type XmlElement } from './xml-tree.js';
import { unpack, type PartLimits } from './zip-parts.js';

/** An open Word document (.docx). */
export interface WordPackage {
  /** Name of the main part, usually `word/document.xml`. */
  main: string;
  /** The XML of a part, without a byte order mark; null if there is no such part. */
  text(name: string): string | null;
  /** The root element of a part; null if there is no such part. @throws AppError UNREADABLE_DOCUMENT */
  xml(name: string): XmlElement | null;
  relationships: Relationship[];
}

interface Relationship {
  id: string;
  /** The last segment of the type, such as `styles`. */
  type: string;
  /** Name of the part. */
  target: string;
}

export const PACKAGE_LIMITS: PartLimits = { partBytes: 40 * 2 ** 20, totalBytes: 80 * 2 ** 20 };

/** Opens a Word document. @throws AppError UNREADABLE_DOCUMENT for a file that is damaged, too large or must not be read */
export async function openWord(bytes: Buffer): Promise<WordPackage> {
  const { names, parts } = await unpack(bytes, (name) => /\.(?:xml|rels)$/i.test(name), PACKAGE_LIMITS);
  if (names.some((name) => /(?:^|\/)vbaProject\.bin$/i.test(name))) throw unreadableDocument('macros');
  const text = (name: string) => {
    const part = parts.get(name);
    return part ? decodeXml(part) : null;
  };
  const xml = (name: string) => {
    const part = text(name);
    return part === null ? null : (elementsOf(parseXml(part))[0] ?? null);
  };
  const types = xml('[Content_Types].xml');
  if (types && elementsOf(types).some(({ attributes }) => /macroEnabled/i.test(attributes.ContentType ?? '')))
    throw unreadableDocument('macros');
  for (const name of names) if (name.endsWith('.rels')) checkExternal(xml(name));
  const main = relationshipsOf(xml, '').find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined || !parts.has(main)) throw unreadableDocument('corrupt');
  return { main, text, xml, relationships: relationshipsOf(xml, main) };
}

function relationshipsOf(xml: WordPackage['xml'], part: string): Relationship[] {
  const { dir, base } = posix.parse(part);
  const root = xml(posix.join(dir, '_rels', `${base}.rels`));
  return elementsOf(root ?? parseXml('<none/>')).flatMap(({ attributes }) =>
    attributes.TargetMode === 'External' || attributes.Id === undefined
      ? []
      : [
          {
            id: attributes.Id,
            type: attributes.Type?.split('/').at(-1) ?? '',
            target: posix.resolve('/', dir, attributes.Target ?? '').slice(1),
          },
        ],
  );
}

/** An address on another computer. Word stores the path of a document's template on its author's own computer. */
const REMOTE = /^(?:https?|ftp):|^\\\\|^file:\/\/(?!\/|localhost\/)/i;

/**
 * Refuses a document with parts on another computer, which a word processor would fetch. Hyperlinks are only followed by
 * their reader.
 */
function checkExternal(relationships: XmlElement | null): void {
  for (const { attributes } of relationships ? elementsOf(relationships) : []) {
    const isLink = attributes.TargetMode === 'External' && !/\/hyperlink$/.test(attributes.Type ?? '');
    if (isLink && REMOTE.test(attributes.Target?.trim() ?? '')) throw unreadableDocument('external');
  }
}
