import type { FontkitFont } from 'fontkit';
import PDFKit from 'pdfkit';

/** Part of a PDF that others refer to. */
export interface PdfReference {
  data: Record<string, unknown>;
  end(): void;
}

export interface PdfFont {
  name: string;
  font: FontkitFont;
}

export interface TextOptions {
  textWidth: number;
  link?: string | null;
}

/** What this folder uses of PDFKit 0.20. Its published types lack much of it. */
interface Document {
  readonly info: Record<string, unknown>;
  readonly page: { height: number; dictionary: PdfReference; readonly structParentTreeKey: number };
  readonly _font: PdfFont;
  readonly _fontSize: number;
  font(data: Uint8Array): this;
  openImage(source: string): object;
  image(source: string, x: number, y: number, options: { width: number; height: number }): this;
  text(text: string, x: number, y: number, options: TextOptions): this;
  addContent(content: string): this;
  currentLineHeight(): number;
  link(x: number, y: number, width: number, height: number, url: string, options: object): this;
  ref(data: object): PdfReference;
  markContent(tag: string, options: { type: string } | { actual: string }): this;
  markStructureContent(tag: string): { refs: { pageRef: PdfReference; mcid: number }[] };
  endMarkedContent(): this;
  getStructTreeRoot(): PdfReference;
  getStructParentTree(): { get(key: number): unknown[]; add(key: number, value: unknown): void };
  createStructParentTreeNextKey(): number;
  appendXML(xml: string): void;
  endMetadata(): void;
  end(): void;
}

export const PdfKitDocument = PDFKit as unknown as new (options: object) => Document;
