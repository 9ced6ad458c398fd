import type { Content, DynamicContent, Style, TDocumentDefinitions } from 'pdfmake/interfaces';
import { toBlob } from 'pdfkit/output';
import LayoutBuilder, { type ListNode } from 'pdfmake/js/LayoutBuilder.js';
import Renderer, { type Line, type Picture } from 'pdfmake/js/Renderer.js';
import { correctShaping } from './font-shaping';
import { FormulaFont } from './formula-font';
import { withWholeVowels } from './pdf-fonts';
import { StructureElement } from './pdf-structure';
import { PdfKitDocument, type PdfFont, type PdfReference, type TextOptions } from './pdfkit-document';

/** Names of pdfmake for the faces of a font. */
type FaceName = 'normal' | 'bold' | 'italics' | 'bolditalics';

/** The files of each font. */
export type FontFiles = Record<string, Partial<Record<FaceName, Uint8Array>>>;

export interface PdfDefinition {
  title: string;
  /** BCP 47 language tag. */
  language: string;
  fonts: FontFiles;
  /** Names of fonts for formulas in a line. */
  formulas: ReadonlyMap<string, FormulaFont>;
  defaultStyle: Style;
  /** In points, from the left, top, right and bottom. */
  margins: [number, number, number, number];
  /** Nodes whose property `element` names the element of their content. What has none is decoration. */
  content: Content;
  structure: StructureElement;
  footer: DynamicContent;
  pageBreakBefore: TDocumentDefinitions['pageBreakBefore'];
}

const A4 = { width: 595.28, height: 841.89 };

/** Lays out and draws a tagged PDF. pdfmake lays out and draws, but writes no tags. */
export async function drawPdf(definition: PdfDefinition): Promise<Blob> {
  const { content, defaultStyle, footer, pageBreakBefore, structure } = definition;
  const document = new TaggedDocument(definition);
  const [left, top, right, bottom] = definition.margins;
  const pages = new TextLayout(A4, { left, top, right, bottom }).layoutDocument(
    content,
    document,
    {},
    defaultStyle,
    undefined,
    undefined,
    footer,
    undefined,
    pageBreakBefore,
  );
  new TaggedRenderer(document).renderPages(pages);
  document.writeStructure(structure);
  const file = toBlob(document);
  document.end();
  return file;
}

/** Node.js imports a CommonJS module as an object with its default export, Vite's development server that export. */
const defaultOf = <T>(module: T): T => (module as { default?: T }).default ?? module;

/** Says that the file follows PDF/UA (ISO 14289-1), which requires a language. */
const PDF_UA = `<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about=""><pdfuaid:part>1</pdfuaid:part></rdf:Description>`;

/** Letters of scripts that draw some vowels before the consonant that they follow. */
const REORDERED =
  /[\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]/u;

/** Tag of what is not content: lines, backgrounds, page numbers and repeated headers. */
const ARTIFACT = 'Artifact';

/** A piece of a line. */
type Inline = Line['inlines'][number] & { element?: StructureElement };

/** Where a link is, in points from the left and the top of the page. */
interface LinkArea {
  element: StructureElement;
  url: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

class TaggedDocument extends PdfKitDocument {
  /** pdfmake enters data URLs. */
  readonly images: Record<string, string> = {};
  private readonly fontFiles: FontFiles;
  private readonly formulas: ReadonlyMap<string, FormulaFont>;
  private readonly fontFaces = new Map<string, PdfFont>();
  private readonly references = new Map<StructureElement, PdfReference>();
  private marked: StructureElement | typeof ARTIFACT | null = null;
  /** Pieces of the current line that are not drawn yet. */
  private inlines: Inline[] = [];
  private isArtifact = false;
  private isDecorated = false;
  /** The actual text of what is drawn now, if its glyphs have another order. */
  private actual: string | null = null;
  private area: LinkArea | null = null;

  constructor({ title, language, fonts, formulas }: PdfDefinition) {
    super({
      pdfVersion: '1.7',
      tagged: true,
      displayTitle: true,
      lang: language,
      autoFirstPage: false,
      info: { Title: title, Creator: 'Pressroom', Producer: 'pdfmake' },
      font: null,
    });
    this.fontFiles = fonts;
    this.formulas = formulas;
  }

  /** Called by pdfmake. */
  provideFont(name: string, bold: boolean, italics: boolean): PdfFont | FormulaFont {
    const formula = this.formulas.get(name);
    if (formula) return formula;
    const face: FaceName = bold && italics ? 'bolditalics' : bold ? 'bold' : italics ? 'italics' : 'normal';
    const key = `${name} ${face}`;
    const known = this.fontFaces.get(key);
    if (known) return known;
    const file = this.fontFiles[name]?.[face];
    if (!file) throw new Error(`There is no font ${key}.`);
    const font = this.font(file)._font;
    correctShaping(font.font);
    this.fontFaces.set(key, font);
    return font;
  }

  /** Called by pdfmake. */
  provideImage(name: string): object {
    return this.openImage(name);
  }

  /** Called by pdfmake. */
  resolveColor(color: string | null | undefined, instead: string | undefined) {
    return color ?? instead;
  }

  /** Called by pdfmake. Texts have no patterns. */
  providePattern(): null {
    return null;
  }

  override openImage(source: string): object {
    return super.openImage(this.images[source] ?? source);
  }

  /** Marks what `draw` draws as content of an element, or as an artifact. */
  drawMarked(element: StructureElement | undefined, draw: () => void) {
    this.mark(element ?? ARTIFACT);
    draw();
    this.mark(null);
  }

  /** Marks each piece of a line that `draw` draws as content of its element. */
  drawLine(inlines: Inline[], isArtifact: boolean, draw: () => void) {
    this.inlines = [...inlines];
    this.isArtifact = isArtifact;
    this.isDecorated = inlines.some(({ decoration }) => decoration);
    const hasBackground = inlines.some(({ background }) => background);
    this.mark(hasBackground ? ARTIFACT : this.contentOf(inlines[0]));
    draw();
    this.endLink();
    this.mark(null);
  }

  /** pdfmake calls it for each piece of a line, between backgrounds and underlines. */
  override text(text: string, x: number, y: number, { link, ...options }: TextOptions) {
    const inline = this.inlines.shift();
    this.mark(this.contentOf(inline));
    if (this._font instanceof FormulaFont) this.drawFormula(this._font, x, y, inline?.element);
    else this.drawText(text, x, y, options);
    const element = inline?.element?.parent;
    if (link && element) {
      const end = { right: x + options.textWidth, bottom: y + this.currentLineHeight() };
      this.addLink({ element, url: link, left: x, top: y, ...end });
    } else this.endLink();
    if (this.isDecorated && this.inlines.length === 0) this.mark(ARTIFACT);
    return this;
  }

  /** Where glyphs have another order, adds the text itself, which viewers copy and find in place of the glyphs. */
  private drawText(text: string, x: number, y: number, options: TextOptions) {
    const actual = withWholeVowels(text);
    if (actual !== text || REORDERED.test(text)) this.actual = actual.replaceAll('\u200b', '');
    super.text(text, x, y, options);
    this.actual = null;
  }

  /** Poppler places the actual text by the coordinates in force at the end of its mark, so the mark ends with the text object. */
  override addContent(content: string) {
    const { actual } = this;
    if (actual !== null && content === 'BT') this.markContent('Span', { actual });
    super.addContent(content);
    if (actual !== null && content === 'ET') this.endMarkedContent();
    return this;
  }

  linkPicture(area: LinkArea) {
    this.addLink(area);
    this.endLink();
  }

  private drawFormula(formula: FormulaFont, x: number, y: number, element: StructureElement | undefined) {
    const { left, top, width, height } = formula.boxAt(x, y, this._fontSize);
    this.image(formula.source, left, top, { width, height });
    if (!element) return;
    const bottom = this.page.height - top - height;
    const box = [left, bottom, left + width, bottom + height];
    element.options.attributes = { O: 'Layout', Placement: 'Inline', BBox: box };
  }

  /** Writes the elements, which refer to the marked content. */
  writeStructure(document: StructureElement) {
    const root = this.getStructTreeRoot();
    root.data['K'] = [this.writeElement(document, root)];
    const notes = [...this.references].flatMap(([{ options }, reference]) =>
      options.id === undefined ? [] : [[options.id, reference] as const],
    );
    if (notes.length > 0) {
      notes.sort(([one], [other]) => (one < other ? -1 : 1));
      root.data['IDTree'] = { Names: notes.flatMap(([id, reference]) => [textOf(id), reference]) };
    }
  }

  override endMetadata() {
    // PDFKit writes the title into the XML as it is.
    this.info['Title'] = String(this.info['Title']).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    this.appendXML(PDF_UA);
    super.endMetadata();
  }

  private contentOf(inline: Inline | undefined) {
    return this.isArtifact ? ARTIFACT : (inline?.element ?? ARTIFACT);
  }

  private mark(content: StructureElement | typeof ARTIFACT | null) {
    if (content === this.marked) return;
    if (this.marked !== null) this.endMarkedContent();
    this.marked = content;
    if (content === ARTIFACT) this.markContent(ARTIFACT, { type: 'Layout' });
    else if (content !== null) {
      const { type } = content.owner;
      const { pageRef: page, mcid } = this.markStructureContent(type ?? 'Span').refs[0]!;
      this.getStructParentTree().get(this.page.structParentTreeKey)[mcid] = this.referenceOf(content.owner);
      content.children.push({ page, mcid });
    }
  }

  /** pdfmake links each word. A link has one annotation on each line, so that it is one stop of the keyboard. */
  private addLink(area: LinkArea) {
    if (this.area?.element !== area.element) {
      this.endLink();
      this.area = area;
      return;
    }
    this.area.right = area.right;
    this.area.top = Math.min(this.area.top, area.top);
    this.area.bottom = Math.max(this.area.bottom, area.bottom);
  }

  private endLink() {
    if (this.area === null) return;
    const { element, url, left, top, right, bottom } = this.area;
    this.area = null;
    const { dictionary: page } = this.page;
    const add = ({ annotationRef }: { annotationRef: PdfReference }) => {
      const key = this.createStructParentTreeNextKey();
      annotationRef.data['StructParent'] = key;
      this.getStructParentTree().add(key, this.referenceOf(element));
      element.children.push({ page, annotation: annotationRef });
    };
    this.link(left, top, right - left, bottom - top, url, {
      Contents: textOf(element.options.contents ?? url),
      structParent: { add },
    });
  }

  private referenceOf(element: StructureElement): PdfReference {
    const reference = this.references.get(element) ?? this.ref({});
    this.references.set(element, reference);
    return reference;
  }

  private writeElement(element: StructureElement, parent: PdfReference): PdfReference {
    const { alt, actualText, id, attributes } = element.options;
    const reference = this.referenceOf(element);
    const { contents } = element;
    const firstPage = contents.find((one) => 'mcid' in one)?.page;
    Object.assign(reference.data, {
      Type: 'StructElem',
      S: element.type,
      P: parent,
      ...(firstPage && { Pg: firstPage }),
      ...(alt !== undefined && { Alt: textOf(alt) }),
      ...(actualText !== undefined && { ActualText: textOf(actualText) }),
      ...(id !== undefined && { ID: textOf(id) }),
      ...(attributes && { A: attributes }),
      K: contents.map((one) => {
        if (one instanceof StructureElement) return this.writeElement(one, reference);
        if ('annotation' in one) return { Type: 'OBJR', Pg: one.page, Obj: one.annotation };
        return one.page === firstPage ? one.mcid : { Type: 'MCR', Pg: one.page, MCID: one.mcid };
      }),
    });
    reference.end();
    return reference;
  }
}

/** PDFKit writes primitive strings as names, and objects of the class as texts. */
const textOf = (text: string): object => Object(text) as object;

class TextLayout extends defaultOf(LayoutBuilder) {
  /** Marks bullets and numbers, which pdfmake draws, as content of the items' labels. */
  override processList(isOrdered: boolean, node: ListNode) {
    for (const { listMarker, label: element } of node.ul ?? node.ol ?? [])
      for (const part of [...(listMarker?.canvas ?? []), ...(listMarker?._inlines ?? [])])
        Object.assign(part, { element });
    super.processList(isOrdered, node);
  }
}

class TaggedRenderer extends defaultOf(Renderer)<TaggedDocument> {
  private readonly drawn = new Set<object>();

  override renderLine(line: Line, x: number, y: number) {
    // pdfmake draws the header of a table on each page of the table.
    const isRepeated = this.drawn.has(line.inlines);
    this.drawn.add(line.inlines);
    this.pdfDocument.drawLine(line.inlines, isRepeated, () => super.renderLine(line, x, y));
  }

  override renderVector(vector: { element?: StructureElement }) {
    this.pdfDocument.drawMarked(vector.element, () => super.renderVector(vector));
  }

  override renderImage(image: Picture & { element?: StructureElement }) {
    const { element, link, x, y, _width: width, _height: height } = image;
    const bottom = this.pdfDocument.page.height - y - height;
    if (element) {
      const box = [x, bottom, x + width, bottom + height];
      element.options.attributes = { O: 'Layout', Placement: 'Block', BBox: box };
    }
    // The link that pdfmake draws has no tag.
    this.pdfDocument.drawMarked(element, () => super.renderImage({ ...image, link: undefined }));
    if (link && element?.parent)
      this.pdfDocument.linkPicture({
        element: element.parent,
        url: link,
        ...{ left: x, top: y, right: x + width, bottom: y + height },
      });
  }
}
