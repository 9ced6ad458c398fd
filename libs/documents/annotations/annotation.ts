/** A file within a PDF. `content` is null if the PDF only names the file. */
export interface EmbeddedFile {
  filename: string;
  content: Uint8Array | null;
}

/** An annotation as pdf.js describes it, which declares no type. A form field is an annotation of the subtype `Widget`. */
export interface Annotation {
  id: string;
  subtype: string;
  annotationFlags?: number;
  /** Corners in the coordinates of the PDF. */
  rect?: number[] | null;
  contentsObj?: { str: string };
  /** The author. */
  titleObj?: { str: string };
  /** Lines of its appearance, for text fields and text on the page. */
  textContent?: string[];
  hasAppearance?: boolean;
  /** Id of the annotation that this one answers. */
  inReplyTo?: string | null;
  replyType?: string | null;
  /** A reviewer's mark such as “Accepted”, which is no text. */
  stateModel?: string | null;
  file?: EmbeddedFile;

  fieldType?: 'Tx' | 'Btn' | 'Ch' | 'Sig' | null;
  fieldName?: string;
  fieldValue?: string | string[] | null;
  alternativeText?: string;
  hidden?: boolean;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
  options?: { exportValue: string; displayValue: string }[];
}

/** A rectangle on the page as displayed, from its upper left corner. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Matrix = [number, number, number, number, number, number];

/** The rectangle of an annotation on the displayed page; null if it has none. */
export function toBox(rect: number[] | null | undefined, [a, b, c, d, e, f]: Matrix): Box | null {
  if (rect?.length !== 4 || !rect.every(Number.isFinite)) return null;
  const [x1, y1, x2, y2] = rect as [number, number, number, number];
  const xs = [a * x1 + c * y1 + e, a * x2 + c * y2 + e];
  const ys = [b * x1 + d * y1 + f, b * x2 + d * y2 + f];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
