import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export interface WordParts {
  /** XML of the parts in `word/`, by type of their relationship, such as `numbering`. */
  parts?: Record<string, string>;
  /** Other files of the ZIP. */
  files?: Record<string, string | Buffer>;
  /** Other relationships of the document, as XML. */
  relationships?: string;
}

/** A Word document (.docx). @param body XML of the body's content */
export async function wordFile(body: string, { parts = {}, files = {}, relationships = '' }: WordParts = {}) {
  const zip = new ZipFile();
  const add = (name: string, content: string | Buffer) => zip.addBuffer(Buffer.from(content), name);
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  );
  add(
    '_rels/.rels',
    relationshipsXml(`<Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/>`),
  );
  add('word/document.xml', documentXml(body));
  const own = Object.keys(parts).map(
    (type) => `<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="${type}.xml"/>`,
  );
  add('word/_rels/document.xml.rels', relationshipsXml(own.join('') + relationships));
  for (const [type, xml] of Object.entries(parts)) add(`word/${type}.xml`, xml.replace('>', ` ${W}>`));
  for (const [name, content] of Object.entries(files)) add(name, content);
  zip.end();
  return buffer(zip.outputStream);
}

export const documentXml = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document ${W} xmlns:r="${OFFICE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`;

export const externalRelationship = (type: string, target: string) =>
  `<Relationship Id="x${type}" Type="${OFFICE}/${type}" Target="${target}" TargetMode="External"/>`;

const relationshipsXml = (entries: string) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${entries}</Relationships>`;

/** A run. */
export const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A paragraph. @param content XML, or the text of its only run */
export const paragraph = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content.startsWith('<') ? content : run(content)}</w:p>`;

/** A table. @param rows the XML of its cells' contents */
export const table = (rows: string[][]) =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;
