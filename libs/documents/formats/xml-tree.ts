import { SaxesParser } from 'saxes';
import { unreadableDocument } from './refusals.js';

export interface XmlElement {
  /** Prefix of {@link namespaces} and local name, such as `w:p`, whatever prefix the file uses. */
  name: string;
  /** By local name. An attribute of a namespace replaces one without. */
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
  /** Offsets of the element in the part's text. */
  start: number;
  end: number;
}

/** The namespaces of Office Open XML, transitional and strict. */
const namespaces: Record<string, string> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'http://schemas.openxmlformats.org/package/2006/relationships': 'rel',
  'http://schemas.openxmlformats.org/package/2006/content-types': 'type',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/dc/terms/': 'dcterms',
};

const MAX_ELEMENTS = 2_000_000;
/** Deeper trees would exhaust the stack of the functions that walk them. */
const MAX_DEPTH = 400;

/** Parses a part. @throws AppError UNREADABLE_DOCUMENT if it is not well formed, too large or has a document type */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], start: 0, end: text.length };
  const open: XmlElement[] = [root];
  let count = 0;
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('error', (error) => {
    throw unreadableDocument('corrupt', error);
  });
  // An entity may expand to gigabytes. Office Open XML has no document types.
  parser.on('doctype', () => {
    throw unreadableDocument('corrupt');
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw unreadableDocument('heavy');
    const prefix = namespaces[uri];
    const own: Record<string, string> = {};
    for (const attribute of Object.values(attributes)) own[attribute.local] = attribute.value;
    const element: XmlElement = {
      name: prefix ? `${prefix}:${local}` : local,
      attributes: own,
      children: [],
      start: text.lastIndexOf('<', parser.position - 1),
      end: 0,
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (piece: string) => open.at(-1)?.children.push(piece);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element) element.end = parser.position;
  });
  parser.write(text).close();
  return root;
}

/** Decodes a part by its byte order mark. @returns the text without the mark */
export function decodeXml(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

export const isElement = (child: XmlElement | string): child is XmlElement => typeof child !== 'string';

export const elementsOf = ({ children }: XmlElement): XmlElement[] => children.filter(isElement);

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child): child is XmlElement => isElement(child) && child.name === name);

/** The `val` attribute of the child `name`. */
export const valueOf = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes.val;

/** The elements `name` below `element`, in order. Does not search within a found element. */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));
}

/** The text of an element and all its descendants. */
export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (isElement(child) ? textOf(child) : child)).join('');

/** True for a property such as `w:vanish`, which is on unless its value says otherwise. */
export const isOn = (property: XmlElement | undefined): boolean =>
  property !== undefined && !['0', 'false', 'off', 'none'].includes(property.attributes.val ?? '1');
