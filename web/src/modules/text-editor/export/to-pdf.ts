import { create } from 'fontkit';
import type { List, Nodes, Root } from 'mdast';
import pdfMake from 'pdfmake/build/pdfmake.min.js';
import type { Content, ContentImage, TDocumentDefinitions, TVirtualFileSystem } from 'pdfmake/interfaces';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { dataUrlOf, diagramKey, readOwnImages, type EmbeddedImage } from './own-images';
import {
  footnotesOf,
  parseForExport,
  inlineTexts,
  xmlText,
  type InlineText,
  type TextStyle,
  type Block,
} from './parse-for-export';
import { formulasIn } from '../document/formula';
import { fontFile } from './pdf-font-files';
import { BASE_FONT, filesOf, PdfFonts } from './pdf-fonts';

/** Width and height of the text area in points. */
const PAGE_WIDTH = 467;
const PAGE_HEIGHT = 680;
const POINTS_PER_PIXEL = 0.75;
const SIZES = [22, 17, 14, 12, 11, 11];
const INK = '#1B1A17';
const LINE = '#E4DED3';
const ACCENT = '#C23B1C';
/** Returns a new object for each use, since pdfmake modifies the objects that it gets. */
const rule = (): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: PAGE_WIDTH, y2: 0, lineWidth: 0.75, lineColor: LINE }],
  margin: [0, 6, 0, 14],
});

/** A PDF, or the characters for which the product has no font, such as those of scripts that run right to left. */
export type PdfExport = { pdf: Blob } | { missing: string[] };

/** Converts Markdown to a PDF with embedded fonts. They load by the characters of the text. */
export async function toPdf(markdown: string, title: string): Promise<PdfExport> {
  const root = parseForExport(xmlText(markdown));
  const fonts = new PdfFonts(async (file) => create(await fontFile(file)));
  if (!hasTooManyFormulas(markdown)) await writeFormulas(root);
  const { sans, mono } = textsIn(root);
  await fonts.prepare(`${sans}0123456789[x]`);
  await fonts.prepare(mono, 'mono');
  const writer = new Writer(root, await readOwnImages(root), fonts);
  const content = writer.content();
  if (fonts.missing.size > 0) return { missing: [...fonts.missing] };
  await addFonts(writer.used);
  const definition: TDocumentDefinitions = {
    pageSize: 'A4',
    pageMargins: [64, 64, 64, 72],
    info: { title, creator: 'Pressroom' },
    displayTitle: true,
    language: await detectLanguage(markdown),
    defaultStyle: { font: BASE_FONT, fontSize: 11, lineHeight: 1.35, color: INK },
    content,
    // Moves a heading to the next page if no text would follow it on this page.
    pageBreakBefore: ({ headlineLevel }, { getFollowingNodesOnPage }) =>
      headlineLevel !== undefined && getFollowingNodesOnPage().length === 0,
    footer: (page, pages) =>
      pages === 1
        ? null
        : {
            text: `${page} / ${pages}`,
            alignment: 'center',
            fontSize: 9,
            color: '#5F594F',
            margin: [0, 24, 0, 0],
          },
  };
  return { pdf: await pdfMake.createPdf(definition).getBlob() };
}

/** The ISO 639-1 code of the text's language; undefined if it is not recognised. */
async function detectLanguage(markdown: string): Promise<string | undefined> {
  const { eld } = await import('eld/extrasmall');
  const { language } = eld.detect(markdown.slice(0, DETECTED_CHARACTERS));
  return language || undefined;
}
const DETECTED_CHARACTERS = 5_000;

/** Replaces the TeX of all formulas by text that can be read. */
async function writeFormulas(root: Root): Promise<void> {
  if (formulasIn(root).length === 0) return;
  const { formulaText } = await import('./formula-text');
  const write = (node: Nodes) => {
    if (node.type === 'math' || node.type === 'inlineMath') node.value = formulaText(node.value);
    if ('children' in node) node.children.forEach(write);
  };
  write(root);
}

const imageOf = (picture: EmbeddedImage): ContentImage => ({
  image: dataUrlOf(picture),
  fit: [Math.min(PAGE_WIDTH, picture.width * POINTS_PER_PIXEL), PAGE_HEIGHT],
});

/** Gives pdfmake the files of the faces that the text has. */
async function addFonts(used: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
  const fonts = [...used].map(([font, faces]) => {
    const files = filesOf(font);
    return [font, [...faces].map((face) => [FACE_NAMES[face], files[face]] as const)] as const;
  });
  const files = new Set(fonts.flatMap(([, faces]) => faces.map(([, file]) => file)));
  const data = await Promise.all(
    [...files].map(async (file = '') => [file, { data: await fontFile(file), encoding: 'binary' }] as const),
  );
  // The types know only base64, which takes long for large fonts.
  pdfMake.addVirtualFileSystem(Object.fromEntries(data) as unknown as TVirtualFileSystem);
  pdfMake.setFonts(Object.fromEntries(fonts.map(([font, faces]) => [font, Object.fromEntries(faces)])));
}

/** pdfmake's names of the faces, in the order of the files. */
const FACE_NAMES = ['normal', 'bold', 'italics', 'bolditalics'] as const;
const faceOf = (bold: boolean | undefined, italics: boolean | undefined) =>
  (bold === true ? 1 : 0) + (italics === true ? 2 : 0);

/** A word that may be longer than a line, such as an address. */
const LONG_WORD = /([\x21-\x7e]{40,})/;

/** All characters of the text, for the fonts: those of code, and the others. */
function textsIn(root: Root): { sans: string; mono: string } {
  const texts = { sans: '', mono: '' };
  const add = (node: Nodes) => {
    if (node.type === 'code' || node.type === 'inlineCode') texts.mono += node.value;
    else if ('value' in node) texts.sans += node.value;
    else if ('alt' in node) texts.sans += node.alt ?? '';
    else if (node.type === 'footnoteReference') texts.sans += `[^${node.label}]`;
    if ('children' in node) node.children.forEach(add);
  };
  add(root);
  return { sans: `${texts.sans}Image`, mono: texts.mono };
}

class Writer {
  /** The faces in use, by font. */
  readonly used = new Map([[BASE_FONT, new Set([0])]]);
  /** The ids of the headings above the current place, by depth. */
  private readonly headings: (string | undefined)[] = [];
  private headingCount = 0;

  constructor(
    private readonly root: Root,
    private readonly pictures: ReadonlyMap<string, EmbeddedImage>,
    private readonly fonts: PdfFonts,
  ) {}

  content(): Content[] {
    const notes = footnotesOf(this.root).map((note): Content => ({
      stack: note.children.map((node) => this.block(node)),
    }));
    const text = this.root.children.map((node) => this.block(node));
    return notes.length === 0 ? text : [...text, rule(), { ol: notes, fontSize: 9.5 }];
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

  private block(node: Block): Content {
    switch (node.type) {
      case 'heading':
        return {
          text: this.inline(inlineTexts(node.children, this.root, { bold: true })),
          fontSize: SIZES[node.depth - 1],
          lineHeight: 1.15,
          margin: [0, node.depth === 1 ? 4 : 12, 0, 8],
          headlineLevel: node.depth,
          ...this.bookmark(
            node.depth,
            inlineTexts(node.children, this.root)
              .map(({ text }) => text)
              .join(''),
          ),
        };
      case 'paragraph':
        return this.paragraph(node.children);
      case 'blockquote':
        return this.framed(
          node.children.map((child) => this.block(child)),
          {
            vLineColor: () => ACCENT,
            hLineWidth: () => 0,
            vLineWidth: (column: number) => (column === 0 ? 2 : 0),
          },
        );
      case 'list':
        return this.list(node);
      case 'code': {
        const diagram = this.pictures.get(diagramKey(node));
        if (diagram) return { ...imageOf(diagram), margin: [0, 2, 0, 10] };
        return this.framed(
          [
            {
              text: this.inline([{ text: node.value, code: true }], null),
              fontSize: 9,
              preserveLeadingSpaces: true,
            },
          ],
          { hLineWidth: () => 0, vLineWidth: () => 0, fillColor: () => '#F3EEE5' },
        );
      }
      case 'table': {
        const widths = node.children[0]?.children.map(() => '*') ?? [];
        const rows = node.children.map((row, index) =>
          widths.map((_, column) => ({
            text: this.text(row.children[column]?.children ?? [], index === 0 ? { bold: true } : {}),
            alignment: node.align?.[column] ?? undefined,
          })),
        );
        return {
          table: { headerRows: 1, widths, body: rows },
          layout: { hLineColor: () => LINE, vLineColor: () => LINE },
          fontSize: 10,
          margin: [0, 2, 0, 12],
        };
      }
      case 'thematicBreak':
        return rule();
      case 'math':
        return { text: this.inline([{ text: node.value }]), alignment: 'center', margin: [0, 3, 0, 12] };
      case 'html':
        return { text: this.inline([{ text: node.value }]), margin: [0, 0, 0, 9] };
      default:
        return '';
    }
  }

  /** Puts each image on a line of its own, since pdfmake doesn't support inline images. */
  private paragraph(nodes: readonly Nodes[]): Content {
    const margin: [number, number, number, number] = [0, 0, 0, 9];
    const stack: Content[] = [];
    let words: InlineText[] = [];
    const endLine = () => {
      if (words.some(({ text }) => text.trim() !== '')) stack.push({ text: this.inline(words), margin });
      words = [];
    };
    for (const text of inlineTexts(nodes, this.root)) {
      const picture = this.pictures.get(text.picture ?? '');
      if (picture === undefined) words.push(text);
      else {
        endLine();
        stack.push({ ...imageOf(picture), margin });
      }
    }
    endLine();
    return stack.length === 1 ? stack[0]! : { stack };
  }

  private list({ ordered, start, spread, children }: List): Content {
    const items = children.map((item): Content => {
      const [first, ...rest] = item.children.map((child) =>
        // In a tight list, whose items have no blank lines between them, paragraphs have a smaller margin.
        child.type === 'paragraph' && !spread
          ? { text: this.text(child.children), margin: [0, 0, 0, 2] as [number, number, number, number] }
          : this.block(child),
      );
      const task = item.checked == null ? [] : [{ text: item.checked ? '[x]' : '[ ]', width: 20 }];
      const head = first ?? '';
      return { stack: [task.length > 0 ? { columns: [...task, head] } : head, ...rest] };
    });
    return ordered
      ? { ol: items, start: start ?? 1, margin: [0, 0, 0, 6] }
      : { ul: items, margin: [0, 0, 0, 6] };
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

  private text(nodes: readonly Nodes[], style: TextStyle = {}): Content[] {
    return this.inline(inlineTexts(nodes, this.root, style));
  }

  private inline(texts: InlineText[], codeBackground: string | null = '#F3EEE5'): Content[] {
    return texts.flatMap(
      ({ text, bold, italics, strike, code, link, note, sup, sub, underline, highlight }) =>
        this.fonts.runs(text, code ? 'mono' : 'sans').flatMap((run) => {
          const faces = this.used.get(run.font) ?? new Set();
          this.used.set(run.font, faces.add(faceOf(bold, italics)));
          const style = {
            font: run.font,
            bold,
            italics,
            ...(strike && { decoration: 'lineThrough' as const }),
            ...(underline && { decoration: 'underline' as const }),
            ...((note !== undefined || sup || run.sup) && { sup: true }),
            ...((sub || run.sub) && { sub: true }),
            ...(highlight && { background: '#FFF2A8' }),
            ...(code && codeBackground !== null && { background: codeBackground }),
            ...(link !== undefined && { link, color: ACCENT, decoration: 'underline' as const }),
          };
          return run.text
            .split(LONG_WORD)
            .filter((piece) => piece !== '')
            .map((piece) => ({
              text: piece,
              ...style,
              ...(LONG_WORD.test(piece) && { wordBreak: 'break-all' as const }),
            }));
        }),
    );
  }
}
