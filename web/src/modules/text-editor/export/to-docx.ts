import {
  AlignmentType,
  BorderStyle,
  convertInchesToTwip,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  HighlightColor,
  ImageRun,
  LevelFormat,
  Math as Equation,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx';
import { latexToMath } from 'docx/math';
import type { List, Nodes, Root, Table as MarkdownTable } from 'mdast';
import { diagramAlt } from '../../../shared/markdown/diagrams/diagram-alt';
import { isRightToLeft } from '../../../shared/markdown/direction';
import { detectLanguage } from './detect-language';
import { diagramKey, readOwnImages, type EmbeddedImage } from './own-images';
import {
  footnotesOf,
  parseForExport,
  inlineTexts,
  xmlText,
  type InlineText,
  type TextStyle,
  type Block,
} from './parse-for-export';

type Piece = Paragraph | Table;

const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;
/** Font sizes of heading levels 1 to 6, in half points. */
const HEADING_SIZES = [40, 30, 26, 24, 22, 22];
const headingStyle = (size: number) => ({
  run: { size, bold: true, color: '1B1A17' },
  paragraph: { spacing: { before: 280, after: 120 }, keepNext: true },
});
const LEVELS = 9;
/** Width of the text area in pixels, the maximum width of images. */
const PAGE_WIDTH = 600;
const LINE = { style: BorderStyle.SINGLE, size: 4, color: 'BFB7A8' };
const TABLE_BORDERS = {
  ...{ top: LINE, bottom: LINE, left: LINE, right: LINE },
  ...{ insideHorizontal: LINE, insideVertical: LINE },
};
const CODE = { font: 'Consolas', size: 20 };
/** Styles of Word, by which other programs and our import know quotations and code. */
const QUOTE_STYLE = 'Quote';
const CODE_BLOCK_STYLE = 'HTMLPreformatted';
const CODE_STYLE = 'HTMLCode';
/** The boxes of tasks, in place of bullets. */
const TASKS = { open: '☐', done: '☑' };

/** Converts Markdown to a Word document. No fonts are embedded. */
export async function toDocx(markdown: string, title: string): Promise<Blob> {
  const root = parseForExport(xmlText(markdown));
  const writer = new Writer(root, await readOwnImages(root));
  const children = root.children.flatMap((node) => writer.block(node));
  return Packer.toBlob(
    new Document({
      title: xmlText(title),
      creator: 'Pressroom',
      styles: {
        default: {
          document: {
            run: { size: 22, language: await wordLanguage(markdown) },
            paragraph: { spacing: { after: 160, line: 300 } },
          },
          ...Object.fromEntries(
            HEADING_SIZES.map((size, index) => [`heading${index + 1}`, headingStyle(size)]),
          ),
        },
        paragraphStyles: [
          { id: QUOTE_STYLE, name: 'Quote', basedOn: 'Normal' },
          { id: CODE_BLOCK_STYLE, name: 'HTML Preformatted', basedOn: 'Normal', run: CODE },
        ],
        characterStyles: [{ id: CODE_STYLE, name: 'HTML Code', run: CODE }],
      },
      footnotes: writer.footnotes(),
      numbering: { config: writer.numberings() },
      sections: [{ children }],
    }),
  );
}

/**
 * The language in which Word checks the spelling and screen readers read, such as `en-US`. Word has one for each kind of script;
 * the others keep Word's own.
 */
async function wordLanguage(markdown: string) {
  const code = await detectLanguage(markdown);
  if (code === undefined) return undefined;
  // Word knows Norwegian only as Bokmål and Nynorsk.
  const { language, region } = new Intl.Locale(code === 'no' ? 'nb' : code).maximize();
  const name = `${language}-${region}`;
  if (/^(ja|ko|zh)$/.test(language)) return { eastAsia: name };
  return /^(ar|fa|he|ur)$/.test(language) ? { bidirectional: name } : { value: name };
}

class Writer {
  private readonly starts: number[] = [];
  /** Numbers of footnotes that have a mark already. Word allows only one mark per footnote. */
  private readonly marked = new Set<number>();

  constructor(
    private readonly root: Root,
    private readonly pictures: ReadonlyMap<string, EmbeddedImage>,
  ) {}

  block(node: Block, options: IParagraphOptions = {}): Piece[] {
    switch (node.type) {
      case 'heading':
        return [this.paragraph(node.children, { ...options, heading: headings[node.depth - 1] })];
      case 'paragraph':
        return [this.paragraph(node.children, options)];
      case 'blockquote':
        return node.children.flatMap((child) =>
          this.block(child, {
            ...options,
            ...(child.type === 'paragraph' && { style: QUOTE_STYLE }),
            indent: { left: 480 },
            border: { left: { style: BorderStyle.SINGLE, size: 12, space: 12, color: 'C23B1C' } },
          }),
        );
      case 'list':
        return this.list(node, 0);
      case 'code': {
        const diagram = this.pictures.get(diagramKey(node));
        if (diagram)
          return [new Paragraph({ ...options, children: [imageRun(diagram, diagramAlt(node.value))] })];
        return node.value.split('\n').map(
          (line, index, lines) =>
            new Paragraph({
              ...options,
              style: CODE_BLOCK_STYLE,
              spacing: { after: index === lines.length - 1 ? 160 : 0 },
              shading: { fill: 'F3EEE5' },
              children: [new TextRun(line)],
            }),
        );
      }
      case 'table':
        return [this.table(node), new Paragraph({})];
      case 'thematicBreak':
        return [new Paragraph({ thematicBreak: true })];
      case 'math':
        return [
          new Paragraph({ ...options, alignment: AlignmentType.CENTER, children: [equation(node.value)] }),
        ];
      case 'html':
        return [new Paragraph({ ...options, children: [new TextRun(node.value)] })];
      default:
        return [];
    }
  }

  private paragraph(nodes: readonly Nodes[], options: IParagraphOptions = {}): Paragraph {
    return new Paragraph({ ...options, ...this.line(nodes) });
  }

  /** Options of a paragraph with this content. The first letter decides whether it runs right to left. */
  private line(nodes: readonly Nodes[], style: TextStyle = {}) {
    const texts = inlineTexts(nodes, this.root, style);
    const bidirectional = isRightToLeft(texts.map(({ text }) => text).join('')) ?? false;
    const children = texts.flatMap((text) => this.runs(text, isRightToLeft(text.text) ?? bidirectional));
    return { children, ...(bidirectional && { bidirectional }) };
  }

  footnotes() {
    const notes = footnotesOf(this.root).map(({ children }) => ({
      children: children.flatMap((node) => this.block(node)).filter((piece) => piece instanceof Paragraph),
    }));
    return Object.fromEntries(notes.map((note, index) => [index + 1, note]));
  }

  private list(list: List, level: number): Piece[] {
    const indentLevel = Math.min(level, LEVELS - 1);
    const numbers = list.ordered ? `numbers-${this.starts.push(list.start ?? 1) - 1}` : undefined;
    return list.children.flatMap((item) => {
      const [first, ...others] = item.children;
      const words = first?.type === 'paragraph' || first?.type === 'heading' ? first : undefined;
      const line = this.line(words?.children ?? []);
      const task = item.checked == null ? undefined : item.checked ? 'done' : 'open';
      // The bullet or number of an item that begins with code or a table has a line of its own.
      const marked = new Paragraph({
        numbering: { reference: numbers ?? task ?? 'bullets', level: indentLevel },
        spacing: { after: 80 },
        ...(words?.type === 'heading' && { heading: headings[words.depth - 1] }),
        ...line,
        children: [...(numbers && task ? [new TextRun(`${TASKS[task]} `)] : []), ...line.children],
      });
      const indent = { left: convertInchesToTwip(0.5 * (indentLevel + 1)) };
      return [
        marked,
        ...(words ? others : item.children).flatMap((child) =>
          child.type === 'list' ? this.list(child, level + 1) : this.block(child, { indent }),
        ),
      ];
    });
  }

  private table({ children, align }: MarkdownTable): Table {
    const words = children.flatMap((row) =>
      row.children.flatMap((cell) => inlineTexts(cell.children, this.root)),
    );
    const alignments = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT };
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      borders: TABLE_BORDERS,
      visuallyRightToLeft: isRightToLeft(words.map(({ text }) => text).join('')) ?? false,
      rows: children.map(
        (row, index) =>
          new TableRow({
            tableHeader: index === 0,
            children: row.children.map((cell, column) => {
              const side = align?.[column];
              return new TableCell({
                margins: { top: 60, bottom: 60, left: 100, right: 100 },
                children: [
                  new Paragraph({
                    spacing: { after: 0 },
                    alignment: side ? alignments[side] : undefined,
                    ...this.line(cell.children, index === 0 ? { bold: true } : {}),
                  }),
                ],
              });
            }),
          }),
      ),
    });
  }

  private runs(text: InlineText, rightToLeft: boolean): ParagraphChild[] {
    const { note, tex } = text;
    if (tex !== undefined) return [equation(tex)];
    if (note !== undefined) {
      const isFirst = !this.marked.has(note);
      this.marked.add(note);
      return [isFirst ? new FootnoteReferenceRun(note) : new TextRun({ text: text.text, superScript: true })];
    }
    const picture = this.pictures.get(text.picture ?? '');
    if (picture === undefined) return runs(text, rightToLeft);
    const image = imageRun(picture, text.text);
    return [text.link === undefined ? image : new ExternalHyperlink({ link: text.link, children: [image] })];
  }

  numberings() {
    const levels = (
      format: (level: number) => { format: 'bullet' | 'decimal'; text: string; start?: number },
    ) =>
      Array.from({ length: LEVELS }, (_, level) => ({
        level,
        alignment: AlignmentType.LEFT,
        ...format(level),
        style: {
          paragraph: {
            indent: { left: convertInchesToTwip(0.5 * (level + 1)), hanging: convertInchesToTwip(0.25) },
          },
        },
      }));
    return [
      {
        reference: 'bullets',
        levels: levels((level) => ({ format: LevelFormat.BULLET, text: ['•', '◦', '▪'][level % 3] ?? '•' })),
      },
      ...Object.entries(TASKS).map(([reference, text]) => ({
        reference,
        levels: levels(() => ({ format: LevelFormat.BULLET, text })),
      })),
      ...this.starts.map((start, index) => ({
        reference: `numbers-${index}`,
        levels: levels((level) => ({ format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start })),
      })),
    ];
  }
}

function imageRun({ type, data, width, height }: EmbeddedImage, alt: string): ImageRun {
  const scale = Math.min(1, PAGE_WIDTH / width);
  return new ImageRun({
    type,
    data,
    transformation: { width: Math.round(width * scale), height: Math.round(height * scale) },
    altText: { name: 'Picture', description: alt },
  });
}

/** An equation that Word edits, or the TeX if the library does not know one of its commands. */
function equation(tex: string): ParagraphChild {
  try {
    return new Equation({ children: latexToMath(tex) });
  } catch {
    return new TextRun({ text: tex, ...CODE });
  }
}

function runs(
  { text, bold, italics, strike, code, link, sup, sub, underline, highlight }: InlineText,
  rightToLeft: boolean,
): ParagraphChild[] {
  const style = {
    ...{ bold, italics, strike, superScript: sup, subScript: sub },
    ...(underline && { underline: {} }),
    ...(highlight && { highlight: HighlightColor.YELLOW }),
    ...(rightToLeft && { rightToLeft }),
    ...(code && { ...CODE, style: CODE_STYLE }),
  };
  const children = text
    .split('\n')
    .map(
      (line, index) =>
        new TextRun({ text: line, ...style, ...(link && { style: 'Hyperlink' }), break: index > 0 ? 1 : 0 }),
    );
  return link === undefined ? children : [new ExternalHyperlink({ link, children })];
}
