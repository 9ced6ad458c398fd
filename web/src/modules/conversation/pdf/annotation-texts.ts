import type { PageViewport, PDFPageProxy } from 'pdfjs-dist';
import type { Box, PageText } from './page-texts';

/** The parts of a PDF.js annotation that have text. PDF.js declares annotations as `any`. */
interface Annotation {
  subtype?: string;
  rect?: [number, number, number, number];
  annotationFlags?: number;
  /** Value of a form field: a text, or the chosen values of a list. */
  fieldValue?: unknown;
  fieldName?: string;
  /** The label of a form field for screen readers. */
  alternativeText?: string;
  password?: boolean;
  options?: { exportValue?: string; displayValue?: string }[];
  /** Lines of the text as drawn, such as a FreeText's. */
  textContent?: string[];
  contentsObj?: { str: string };
  titleObj?: { str: string };
}

/** Flags of annotations that are not displayed: invisible, hidden, and no view. */
const NOT_DISPLAYED = 1 | 2 | 32;

interface AnnotationTexts {
  /** Values of form fields, and comments. */
  values: PageText[];
  /** Labels of fields for screen readers, and authors of comments, which the page may not show. */
  labels: PageText[];
}

/** Texts of form fields and comments on a page. PDF.js draws their appearance, but its text layer doesn't have them. */
export async function readAnnotationTexts(page: PDFPageProxy): Promise<AnnotationTexts> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations = ((await page.getAnnotations()) as Annotation[]).filter(
    ({ subtype = '', annotationFlags = 0 }) =>
      subtype !== 'Link' && subtype !== 'Popup' && (annotationFlags & NOT_DISPLAYED) === 0,
  );
  const read = (textsOf: (annotation: Annotation) => string[]) =>
    annotations.flatMap((annotation) => {
      const { rect } = annotation;
      if (rect === undefined) return [];
      const box = boxOf(rect, viewport);
      return textsOf(annotation).flatMap((text) => (text.trim() === '' ? [] : [{ text, box }]));
    });
  return { values: read(valuesOf), labels: read(labelsOf) };
}

function valuesOf({ subtype, contentsObj, textContent, ...field }: Annotation): string[] {
  if (subtype !== 'Widget') return [contentsObj?.str || (textContent ?? []).join('\n')];
  const { fieldValue, options = [], password } = field;
  if (password) return [];
  return [fieldValue]
    .flat()
    .filter((value) => typeof value === 'string')
    .map((value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value);
}

const labelsOf = ({ subtype, titleObj, alternativeText, fieldName }: Annotation): string[] =>
  subtype === 'Widget' ? [alternativeText || fieldName || ''] : [`Comment by ${titleObj?.str ?? ''}`];

/** A rectangle of a page, in PDF units, as fractions of the page as displayed. */
function boxOf([x1, y1, x2, y2]: readonly number[], viewport: PageViewport): Box {
  const [left, top, right, bottom] = viewport.convertToViewportRectangle([x1, y1, x2, y2]) as number[];
  const { width, height } = viewport;
  const [x, y] = [sorted(left, right), sorted(top, bottom)];
  return { left: x[0] / width, top: y[0] / height, right: x[1] / width, bottom: y[1] / height };
}

const sorted = (a = 0, b = 0): [number, number] => (a < b ? [a, b] : [b, a]);
