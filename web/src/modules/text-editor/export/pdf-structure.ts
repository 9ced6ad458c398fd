/** Types of ISO 32000-1, 14.8.4. */
export type StructureType =
  | 'Document'
  | `H${number}`
  | 'P'
  | 'BlockQuote'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Span'
  | 'Link'
  | 'Code'
  | 'Formula'
  | 'Figure'
  | 'Reference'
  | 'Note';

export interface ElementOptions {
  /** A text in place of a picture or formula. */
  alt?: string;
  /** The text as it is read, if its glyphs are in another order or are none. */
  actualText?: string;
  /** Text of a link, for its annotations. */
  contents?: string;
  /** Unique in the document. Notes need one. */
  id?: string;
  /** Attributes of one owner, such as a table cell's scope. */
  attributes?: Record<string, unknown>;
}

/** Content on a page, or an annotation there. `page` and `annotation` are references to PDF objects. */
export type ElementContent = { page: object; mcid: number } | { page: object; annotation: object };

/** An element of a PDF's structure tree, which screen readers read in the order of its children. */
export class StructureElement {
  readonly children: (StructureElement | ElementContent)[] = [];

  private constructor(
    /** Null for a part of the parent, which keeps its place between the other children. */
    readonly type: StructureType | null,
    readonly options: ElementOptions,
    readonly parent: StructureElement | null,
  ) {}

  static document(): StructureElement {
    return new StructureElement('Document', {}, null);
  }

  /** Adds a child. */
  child(type: StructureType | null, options: ElementOptions = {}): StructureElement {
    const child = new StructureElement(type, options, this);
    this.children.push(child);
    return child;
  }

  /** The element, or the one that it is a part of. */
  get owner(): StructureElement {
    return this.type === null && this.parent !== null ? this.parent.owner : this;
  }

  /** The children, with the children of parts in their place, and without elements that have no content. */
  get contents(): (StructureElement | ElementContent)[] {
    return this.children.flatMap((child) => {
      if (!(child instanceof StructureElement)) return [child];
      if (child.type === null) return child.contents;
      return child.isEmpty ? [] : [child];
    });
  }

  private get isEmpty(): boolean {
    // Each row of a table has all cells.
    return this.type !== 'TH' && this.type !== 'TD' && this.contents.length === 0;
  }
}

// Properties of pdfmake's nodes that it passes on to what it draws.
declare module 'pdfmake/interfaces' {
  interface ContentBase {
    /** The element of the node's content. */
    element?: StructureElement;
    /** The element of the bullet or number, if the node is a list item. */
    label?: StructureElement;
  }
  interface CanvasEllipse {
    element?: StructureElement;
  }
}
