import type { WordPlaces } from '#libs/contract/pdf-details.js';
import { toPages, type Block, type PagedText } from './blocks.js';
import { openWord, type WordPackage } from './word-package.js';
import {
  continues,
  PAGE_BREAK,
  readDiagram,
  readParagraph,
  type ParagraphContent,
} from './word-paragraph.js';
import { WordNumbering } from './word-numbering.js';
import { isDataTable, tableBlocks, textOfBlock } from './table-kind.js';
import { readRows } from './word-tables.js';
import { WordStyles } from './word-styles.js';
import { childOf, descendantsOf, elementsOf, isOn, textOf, valueOf, type XmlElement } from './xml-tree.js';
import type { FileDetails } from './file-reading.js';

export interface WordReading extends PagedText {
  details: FileDetails;
  places: WordPlaces;
}

/** Reads a Word document (.docx), as it is with all tracked changes accepted. @throws AppError UNREADABLE_DOCUMENT */
export async function readWord(bytes: Buffer): Promise<WordReading> {
  const file = await openWord(bytes);
  const reader = new WordReader(file);
  const blocks = reader.read();
  return { ...toPages(blocks), details: readDetails(file), places: reader.places };
}

/** A short paragraph without a sentence's end: a line of an address or a list. */
const isLine = (text: string) => text.length < 90 && !/[.!?]\s*$/.test(text);
const TYPED_BULLET = /^\s*[•·▪◦●○■□‣⁃\uf0b7\uf0a7➢►✓]\s*/u;
/** A longer numbered paragraph is a clause rather than an item of a list. */
const MAX_ITEM_CHARACTERS = 200;

class WordReader {
  readonly places: WordPlaces = { hasTextBoxes: false, hasLayoutTables: false, hasHeader: false };
  private readonly styles: WordStyles;
  private readonly numbering: WordNumbering;
  private readonly root: XmlElement | null;
  private readonly notes: Record<'footnote' | 'endnote' | 'comment', Map<string, XmlElement>>;
  private noteCount = 0;

  constructor(private readonly file: WordPackage) {
    this.styles = new WordStyles(this.part('styles'));
    this.numbering = new WordNumbering(this.part('numbering'));
    this.root = file.xml(file.main);
    this.notes = {
      footnote: this.byId('footnotes'),
      endnote: this.byId('endnotes'),
      comment: this.byId('comments'),
    };
  }

  read(): Block[] {
    const body = this.root && childOf(this.root, 'w:body');
    if (!body) return [];
    const sections = descendantsOf(body, 'w:sectPr');
    const header = this.margins(sections, 'header');
    this.places.hasHeader = header.length > 0;
    const footer = this.margins(sections, 'footer');
    return [...header, ...this.blocksOf(body), ...footer];
  }

  /** The texts of headers or footers, each once. */
  private margins(sections: readonly XmlElement[], kind: 'header' | 'footer'): Block[] {
    const ids = sections.flatMap(elementsOf).filter(({ name }) => name === `w:${kind}Reference`);
    const blocks = [...new Set(ids.map(({ attributes }) => attributes.id))].flatMap((id) => {
      const root = this.related(id);
      return root ? this.blocksOf(root).filter(({ kind }) => kind !== 'pageBreak') : [];
    });
    const seen = new Set<string>();
    return blocks.filter((block) => {
      const key = JSON.stringify(block);
      const isNew = !seen.has(key) && !isPageNumber(block);
      seen.add(key);
      return isNew;
    });
  }

  private blocksOf(container: XmlElement): Block[] {
    const blocks: Block[] = [];
    let carried = '';
    for (const element of unwrapped(container)) {
      if (element.name === 'w:tbl') blocks.push(...this.table(element));
      if (element.name === 'w:txbxContent') blocks.push(...this.blocksOf(element));
      if (element.name !== 'w:p') continue;
      const content = readParagraph(element, this.styles);
      const text = carried + content.text;
      carried = continues(element) ? text : '';
      if (carried === '') blocks.push(...this.paragraph(element, text));
      blocks.push(...this.attached(content));
      const section = childOf(childOf(element, 'w:pPr'), 'w:sectPr');
      if (section && valueOf(section, 'w:type') !== 'continuous') blocks.push({ kind: 'pageBreak' });
    }
    return blocks;
  }

  private paragraph(element: XmlElement, text: string): Block[] {
    const properties = childOf(element, 'w:pPr');
    const style = this.styles.get(valueOf(properties, 'w:pStyle'));
    const own = Number(valueOf(properties, 'w:outlineLvl') ?? NaN);
    const heading = own >= 0 && own <= 8 ? own + 1 : style.heading;
    const isEmpty = text.trim() === '';
    const number = isEmpty ? null : this.numbering.next(childOf(properties, 'w:numPr') ?? style.numbering);
    const before: Block[] = isOn(childOf(properties, 'w:pageBreakBefore')) ? [{ kind: 'pageBreak' }] : [];
    const pieces = text.split(PAGE_BREAK);
    const first = pieces.findIndex((piece) => piece.trim() !== '');
    return before.concat(
      pieces.flatMap((piece, index): Block[] => {
        const numbered = number !== null && index === first ? `${number} ${piece}` : piece;
        const block = toBlock(numbered, heading, number !== null, style.isTight);
        return index === 0 ? [block] : [{ kind: 'pageBreak' }, block];
      }),
    );
  }

  /** What is attached to a paragraph: text boxes, diagrams, notes and comments. */
  private attached({ boxes, references }: ParagraphContent): Block[] {
    if (boxes.length > 0) this.places.hasTextBoxes = true;
    return [
      ...boxes.flatMap((box) => this.blocksOf(box)),
      ...references.flatMap(({ kind, id }) => (kind === 'diagram' ? this.diagram(id) : this.note(kind, id))),
    ];
  }

  private diagram(id: string): Block[] {
    const root = this.related(id);
    return root ? readDiagram(root).map((text) => ({ kind: 'item', text })) : [];
  }

  private note(kind: 'footnote' | 'endnote' | 'comment', id: string): Block[] {
    const note = this.notes[kind].get(id);
    if (!note) return [];
    // A note may refer to itself.
    this.notes[kind].delete(id);
    const text = this.blocksOf(note).map(textOfBlock).filter(Boolean).join(' ');
    if (text === '') return [];
    if (kind === 'comment')
      return [{ kind: 'paragraph', text: `[Comment by ${note.attributes.author || 'unknown'}: ${text}]` }];
    this.noteCount += 1;
    return [{ kind: 'paragraph', text: `[Note ${this.noteCount}: ${text}]` }];
  }

  private table(table: XmlElement): Block[] {
    const rows = readRows(table, (cell) => this.blocksOf(cell));
    const isSideBySide = rows.some((row) => row.filter((cell) => cell.some(textOfBlock)).length > 1);
    if (isSideBySide && !isDataTable(rows)) this.places.hasLayoutTables = true;
    return tableBlocks(rows);
  }

  private part(type: string): XmlElement | null {
    const found = this.file.relationships.find((one) => one.type === type);
    return found ? this.file.xml(found.target) : null;
  }

  private related(id: string | undefined): XmlElement | null {
    const found = this.file.relationships.find((one) => one.id === id);
    return found ? this.file.xml(found.target) : null;
  }

  private byId(type: string): Map<string, XmlElement> {
    const root = this.part(type);
    const entries = (root ? elementsOf(root) : []).filter(
      ({ attributes }) => attributes.type !== 'separator',
    );
    return new Map(entries.map((entry) => [entry.attributes.id ?? '', entry]));
  }
}

const WRAPPERS = new Set(['w:sdt', 'w:sdtContent', 'w:customXml', 'w:ins', 'w:moveTo', 'w:smartTag']);

/** The paragraphs and tables of a container, also those within content controls and tracked insertions. */
const unwrapped = (container: XmlElement): XmlElement[] =>
  elementsOf(container).flatMap((child) => (WRAPPERS.has(child.name) ? unwrapped(child) : [child]));

function toBlock(text: string, heading: number | null, isNumbered: boolean, isTight: boolean): Block {
  const trimmed = text.trim();
  if (heading !== null) return { kind: 'heading', text: trimmed, level: heading };
  if (TYPED_BULLET.test(trimmed)) return { kind: 'item', text: trimmed.replace(TYPED_BULLET, '• ') };
  if (isNumbered && trimmed.length <= MAX_ITEM_CHARACTERS) return { kind: 'item', text: trimmed };
  return { kind: 'paragraph', text: trimmed, isTight: isTight || isLine(trimmed) };
}

/** “7”, “Page 1 of 3” and the like. */
const PAGE_NUMBER =
  /^(?:(?:page|p\.|seite|s\.|página|pagina|pág\.|strona|str\.)\s*)?\d{0,4}(?:\s*(?:\/|of|von|de|di|van|z|sur)\s*\d{0,4})?$/i;

const isPageNumber = (block: Block) => PAGE_NUMBER.test(textOfBlock(block));

function readDetails(file: WordPackage): FileDetails {
  const core = file.xml('docProps/core.xml');
  const value = (name: string) => {
    const found = core && childOf(core, name);
    return found ? textOf(found).trim() || undefined : undefined;
  };
  const styles = file.relationships.find(({ type }) => type === 'styles')?.target;
  const root = styles === undefined ? null : file.xml(styles);
  return {
    title: value('dc:title'),
    author: value('dc:creator'),
    created: value('dcterms:created'),
    modified: value('dcterms:modified'),
    language: value('dc:language') ?? (root ? descendantsOf(root, 'w:lang')[0]?.attributes.val : undefined),
  };
}
