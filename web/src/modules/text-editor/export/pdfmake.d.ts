/** Modules of pdfmake 0.3.11 and PDFKit 0.20.2 without published types, as far as this folder uses them. */

declare module 'pdfkit/output' {
  export function toBlob(document: object): Promise<Blob>;
}

declare module 'pdfmake/js/LayoutBuilder.js' {
  import type { Content, DynamicContent, Style, TDocumentDefinitions } from 'pdfmake/interfaces';

  interface ListItem {
    listMarker?: { canvas?: object[]; _inlines?: object[] };
    label?: object;
  }
  export interface ListNode {
    ul?: ListItem[];
    ol?: ListItem[];
  }

  export default class LayoutBuilder {
    constructor(
      pageSize: { width: number; height: number },
      pageMargins: { left: number; top: number; right: number; bottom: number },
    );
    layoutDocument(
      content: Content,
      document: object,
      styles: object,
      defaultStyle: Style,
      background: undefined,
      header: undefined,
      footer: DynamicContent,
      watermark: undefined,
      pageBreakBefore: TDocumentDefinitions['pageBreakBefore'],
    ): object[];
    processList(isOrdered: boolean, node: ListNode): void;
  }
}

declare module 'pdfmake/js/Renderer.js' {
  export interface Line {
    inlines: { background?: unknown; decoration?: unknown }[];
  }
  export interface Picture {
    x: number;
    y: number;
    _width: number;
    _height: number;
    link?: string;
  }

  export default class Renderer<Document> {
    constructor(document: Document);
    readonly pdfDocument: Document;
    renderPages(pages: object[]): void;
    renderLine(line: Line, x: number, y: number): void;
    renderVector(vector: object): void;
    renderImage(image: Picture): void;
  }
}
