import type { Blockquote, List, ListItem, Nodes, Root, Table } from 'mdast';
import type { Column, Content, ContentImage, ContentStack } from 'pdfmake/interfaces';
import { diagramAlt } from '../../../shared/markdown/diagrams/diagram-alt';
import { hasRightToLeft } from './bidi-lines';
import type { FormulaPicture } from './draw-formulas';
import type { FormulaFont } from './formula-font';
import { dataUrlOf, diagramKey, type EmbeddedImage } from './own-images';
import { footnotesOf, inlineTexts, type Block, type InlineText, type TextStyle } from './parse-for-export';
import type { PdfFonts } from './pdf-fonts';
import { StructureElement } from './pdf-structure';
import {
  ACCENT,
  CODE_BACKGROUND,
  PdfTextWriter,
  runsRightToLeft,
  type BlockContext,
  type TextWidth,
  type UsedFaces,
} from './pdf-text-writer';

/** Width and height of the text area in points. */
const PAGE_WIDTH = 467;
const PAGE_HEIGHT = 680;
const POINTS_PER_PIXEL = 0.75;
const SIZES = [22, 17, 14, 12, 11, 11];
export const INK = '#1B1A17';
const LINE = '#E4DED3';
/** What the frame of a quotation or of code, and the lines and margins of a table's cell take from the width. */
const FRAME_WIDTH = 26;
const CELL_WIDTH = 9;
/** Width of `[x]` with the space behind it. */
const TASK_WIDTH = 20;

/** Returns a new object for each use, since pdfmake modifies the objects that it gets. */
const rule = (): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: PAGE_WIDTH, y2: 0, lineWidth: 0.75, lineColor: LINE }],
  margin: [0, 6, 0, 14],
});

const imageOf = (
  picture: EmbeddedImage,
  { width, element }: Pick<BlockContext, 'width' | 'element'>,
): ContentImage => ({
  image: dataUrlOf(picture),
  fit: [Math.min(width, picture.width * POINTS_PER_PIXEL), PAGE_HEIGHT],
  element,
});

const PAGE = { width: PAGE_WIDTH, fontSize: 11, isRightToLeft: false, isInQuotation: false };

const inParagraph = (context: BlockContext): BlockContext => ({
  ...context,
  element: context.element.child('P'),
});

/** Converts the nodes of a text to pdfmake's, and to elements of the PDF's structure tree. */
export class PdfWriter {
  readonly structure = StructureElement.document();
  /** The ids of the headings above the current place, by depth. */
  private readonly headings: (string | undefined)[] = [];
  private headingCount = 0;
  private readonly texts: PdfTextWriter;

  /**
   * @param pictures by path, or by the key of a diagram
   * @param drawnFormulas by their nodes
   * @param used gets the faces in use
   * @param widthOf needed for texts with letters that run from right to left, and with long words
   */
  constructor(
    private readonly root: Root,
    private readonly pictures: ReadonlyMap<string, EmbeddedImage>,
    private readonly drawnFormulas: ReadonlyMap<Nodes, FormulaPicture>,
    fonts: PdfFonts,
    used: UsedFaces,
    widthOf?: TextWidth,
  ) {
    this.texts = new PdfTextWriter(drawnFormulas, fonts, used, widthOf);
  }

  /** True if the width of a word decides whether it must be broken, and `widthOf` is not given. */
  get needsWidths(): boolean {
    return this.texts.needsWidths;
  }

  /** Fonts of the formulas in lines, by name. */
  get formulas(): ReadonlyMap<string, FormulaFont> {
    return this.texts.formulas;
  }

  content(): Content[] {
    const page = { ...PAGE, element: this.structure };
    const text = this.root.children.map((node) => this.block(node, page));
    const notes = footnotesOf(this.root);
    if (notes.length === 0) return text;
    const list = this.items(notes, { ...page, fontSize: 9.5 }, 1, (note, context) => {
      const element = context.element.child('Note', { id: `note-${note.identifier}` });
      return { stack: note.children.map((node) => this.block(node, { ...context, element })) };
    });
    return [...text, rule(), { stack: [list], fontSize: 9.5 }];
  }

  /** The depth of a heading among the bookmarks, which has no gaps. */
  private levelOf(depth: number): number {
    return this.headings.slice(0, depth - 1).filter((id) => id !== undefined).length + 1;
  }

  /** Lists a heading among the bookmarks, under the last one of a lower depth. */
  private bookmark(depth: number, outlineText: string) {
    this.headings.length = depth - 1;
    const outlineParentId = this.headings.findLast((id) => id !== undefined);
    const id = `heading-${(this.headingCount += 1)}`;
    this.headings[depth - 1] = id;
    return {
      id,
      outline: true,
      outlineText,
      outlineExpanded: true,
      ...(outlineParentId && { outlineParentId }),
    };
  }

  private block(node: Block, context: BlockContext): Content {
    switch (node.type) {
      case 'heading': {
        const fontSize = SIZES[node.depth - 1]!;
        const element = context.element.child(`H${this.levelOf(node.depth)}`);
        const line = this.text(node.children, { ...context, element, fontSize }, { bold: true });
        // pdfmake fails at a bookmark of a node without text.
        if (line.text.length === 0) return '';
        return {
          ...line,
          fontSize,
          lineHeight: 1.15,
          margin: [0, node.depth === 1 ? 4 : 12, 0, 8],
          headlineLevel: node.depth,
          ...this.bookmark(node.depth, this.wordsOf(node.children)),
        };
      }
      case 'paragraph':
        return this.paragraph(node.children, context);
      case 'blockquote':
        return this.quotation(node, context);
      case 'list':
        return this.list(node, context);
      case 'code': {
        const diagram = this.pictures.get(diagramKey(node));
        if (diagram) {
          const element = context.element.child('Figure', { alt: diagramAlt(node.value) });
          return { ...imageOf(diagram, { ...context, element }), margin: [0, 2, 0, 10] };
        }
        const element = context.element.child('P');
        const inner = { ...context, element, width: context.width - FRAME_WIDTH, fontSize: 9 };
        return this.framed(
          [
            {
              ...this.texts.flow([{ text: node.value, code: true }], inner, {
                codeBackground: null,
                isCode: true,
              }),
              fontSize: 9,
              preserveLeadingSpaces: true,
            },
          ],
          { hLineWidth: () => 0, vLineWidth: () => 0, fillColor: () => CODE_BACKGROUND },
        );
      }
      case 'table':
        return this.table(node, context);
      case 'thematicBreak':
        return rule();
      case 'math': {
        const formula = this.drawnFormulas.get(node);
        if (formula)
          return {
            ...imageOf(formula, {
              ...context,
              element: context.element.child('Formula', { alt: node.value }),
            }),
            alignment: 'center',
            margin: [0, 3, 0, 12],
          };
        return {
          ...this.texts.flow([{ text: node.value, tex: node.value }], inParagraph(context)),
          alignment: 'center',
          margin: [0, 3, 0, 12],
        };
      }
      case 'html':
        return { ...this.texts.flow([{ text: node.value }], inParagraph(context)), margin: [0, 0, 0, 9] };
      default:
        return '';
    }
  }

  /** Puts each image on a line of its own, since pdfmake doesn't support inline images. */
  private paragraph(nodes: readonly Nodes[], outer: BlockContext): Content {
    const context = inParagraph(outer);
    const margin: [number, number, number, number] = [0, 0, 0, 9];
    const stack: Content[] = [];
    let words: InlineText[] = [];
    const endLine = () => {
      if (words.some(({ text }) => text.trim() !== ''))
        stack.push({ ...this.texts.flow(words, context), margin });
      words = [];
    };
    for (const text of inlineTexts(nodes, this.root)) {
      const picture = this.pictures.get(text.picture ?? '');
      if (picture === undefined) words.push(text);
      else {
        endLine();
        const { link, text: alt } = text;
        const around =
          link === undefined ? context.element : context.element.child('Link', { contents: alt });
        const element = around.child('Figure', { alt });
        stack.push({ ...imageOf(picture, { ...context, element }), link, margin });
      }
    }
    endLine();
    return stack.length === 1 ? stack[0]! : { stack };
  }

  private quotation({ children }: Blockquote, context: BlockContext): Content {
    const element = context.element.child('BlockQuote');
    const width = context.width - FRAME_WIDTH;
    const inner = this.within(children, { ...context, element, width, isInQuotation: true });
    const side = inner.isRightToLeft ? 1 : 0;
    return this.framed(
      children.map((child) => this.block(child, inner)),
      {
        vLineColor: () => ACCENT,
        hLineWidth: () => 0,
        vLineWidth: (column: number) => (column === side ? 2 : 0),
      },
    );
  }

  private list({ ordered, start, spread, children }: List, context: BlockContext): Content {
    const first = ordered ? (start ?? 1) : null;
    const list = this.items(children, context, first, (item, inner) =>
      this.item(item, inner, spread === true),
    );
    return { stack: [list], margin: [0, 0, 0, 6] };
  }

  private item({ checked, children }: ListItem, context: BlockContext, isSpread: boolean): ContentStack {
    const isTask = checked != null;
    const mark = isTask && {
      text: this.texts.inline(
        [{ text: checked ? '[x]' : '[ ]', element: context.element.child('Span') }],
        null,
        context,
      ),
      ...(context.isRightToLeft && { alignment: 'right' as const }),
      width: TASK_WIDTH,
    };
    const inner = isTask ? { ...context, width: context.width - TASK_WIDTH } : context;
    const [first, ...rest] = children.map((child, index) =>
      // In a tight list, whose items have no blank lines between them, paragraphs have a smaller margin.
      child.type === 'paragraph' && !isSpread
        ? {
            ...this.text(child.children, inParagraph(index === 0 ? inner : context)),
            margin: [0, 0, 0, 2] as [number, number, number, number],
          }
        : this.block(child, index === 0 ? inner : context),
    );
    const head = first ?? '';
    return { stack: [mark ? this.beside(mark, head, context) : head, ...rest] };
  }

  /**
   * A list with bullets, or numbers from `first`. pdfmake has its markers on the left only, so a list with an item from right to
   * left has columns.
   */
  private items<Item extends Nodes>(
    items: readonly Item[],
    context: BlockContext,
    first: number | null,
    write: (item: Item, inner: BlockContext) => ContentStack,
  ): Content {
    const list = context.element.child('L', {
      attributes: { O: 'List', ListNumbering: first === null ? 'Disc' : 'Decimal' },
    });
    const digits = first === null ? 1 : String(first + items.length - 1).length;
    const markerWidth = (digits + 1.5) * context.fontSize * 0.6;
    const inner = this.within(items, { ...context, width: context.width - markerWidth });
    const written = items.map((item) => {
      const element = list.child('LI');
      const label = element.child('Lbl', first === null ? { actualText: '•' } : {});
      const own = this.within([item], inner);
      return { own, content: { ...write(item, { ...own, element: element.child('LBody') }), label } };
    });
    if (!written.some(({ own }) => own.isRightToLeft)) {
      const contents = written.map(({ content }) => content);
      return first === null ? { ul: contents } : { ol: contents, start: first };
    }
    const bullet = context.fontSize / 6;
    return {
      stack: written.map(({ own, content: { label: element, ...item } }, index) =>
        this.beside(
          first === null
            ? {
                canvas: [
                  {
                    type: 'ellipse',
                    x: own.isRightToLeft ? markerWidth - bullet : bullet,
                    ...{ y: context.fontSize * 0.85, r1: bullet, r2: bullet },
                    color: INK,
                    element,
                  },
                ],
                width: markerWidth,
              }
            : {
                ...this.texts.flow([{ text: `${first + index}.` }], {
                  ...own,
                  element,
                  width: markerWidth,
                }),
                width: markerWidth,
              },
          item,
          own,
        ),
      ),
    };
  }

  /** Puts a marker on the side where the text begins. */
  private beside(marker: Column, content: Content, { isRightToLeft: isRight }: BlockContext): Content {
    return { columns: isRight ? [{ width: '*', stack: [content] }, marker] : [marker, content] };
  }

  private table({ children, align }: Table, context: BlockContext): Content {
    const columns = children[0]?.children.length ?? 0;
    const inner = this.within(children, {
      ...context,
      width: context.width / Math.max(1, columns) - CELL_WIDTH,
      fontSize: 10,
    });
    const table = context.element.child('Table');
    const rows = children.map((row, index) => {
      const rowElement = table.child('TR');
      const cells = Array.from({ length: columns }, (_, column) => {
        const element =
          index === 0
            ? rowElement.child('TH', { attributes: { O: 'Table', Scope: 'Column' } })
            : rowElement.child('TD');
        const cell = this.text(
          row.children[column]?.children ?? [],
          { ...inner, element },
          index === 0 ? { bold: true } : {},
        );
        const alignment = align?.[column] ?? cell.alignment;
        return { ...cell, alignment };
      });
      return inner.isRightToLeft ? cells.reverse() : cells;
    });
    // pdfmake changes the widths of other columns, and so of lines that are broken already.
    const width = hasRightToLeft(this.wordsOf(children)) ? inner.width : '*';
    return {
      table: { headerRows: 1, widths: Array.from({ length: columns }, () => width), body: rows },
      layout: { hLineColor: () => LINE, vLineColor: () => LINE },
      fontSize: 10,
      margin: [0, 2, 0, 12],
    };
  }

  private framed(blocks: Content[], layout: object): Content {
    const last = blocks.at(-1);
    // The frame has a margin of its own, so remove the bottom margin of the last block.
    const stack =
      typeof last === 'object' && 'margin' in last
        ? [...blocks.slice(0, -1), { ...last, margin: [0, 0, 0, 0] as [number, number, number, number] }]
        : blocks;
    return {
      table: { widths: ['*'], body: [[{ stack, margin: [8, 4, 8, 4] }]] },
      layout,
      margin: [0, 2, 0, 10],
    };
  }

  private wordsOf(nodes: readonly Nodes[]): string {
    return inlineTexts(nodes, this.root)
      .map(({ text }) => text)
      .join('');
  }

  /** A context with the direction of the nodes in it. */
  private within(nodes: readonly Nodes[], context: BlockContext): BlockContext {
    return { ...context, isRightToLeft: runsRightToLeft(inlineTexts(nodes, this.root), context) };
  }

  private text(nodes: readonly Nodes[], context: BlockContext, style: TextStyle = {}) {
    return this.texts.flow(inlineTexts(nodes, this.root, style), context);
  }
}
