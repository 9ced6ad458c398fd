import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageItem, PageItems } from '../layout/page-items.js';
import { toBox, type Annotation, type Box, type Matrix } from './annotation.js';
import { readAppearanceTexts } from './appearance-texts.js';
import { commentText, toComments } from './comments.js';
import { fieldValue } from './field-value.js';
import { placeFields, type FilledField } from './form-fields.js';

/** A page with more stamps and signatures is not drawn for their texts. */
const MAX_DRAWN = 200;
/** Text that a person typed onto a form begins at most so many points after its label. */
const TYPED_WITHIN = 60;

export async function getAnnotations(page: PDFPageProxy): Promise<Annotation[]> {
  return (await page.getAnnotations()) as Annotation[];
}

/** Adds what is filled into the fields of a page, and its comments, to the page's text. */
export async function addAnnotations(
  page: PDFPageProxy,
  { items, ...size }: PageItems,
  annotations: readonly Annotation[],
): Promise<PageItems> {
  if (annotations.every(({ subtype }) => subtype === 'Link')) return { ...size, items };
  const transform = page.getViewport({ scale: 1 / page.userUnit }).transform as Matrix;
  const boxOf = ({ rect }: Annotation) => toBox(rect, transform);
  const drawn = annotations.filter(isKnownByDrawing);
  const appearances =
    drawn.length > 0 && drawn.length <= MAX_DRAWN
      ? await readAppearanceTexts(page)
      : new Map<string, string>();

  const widgets = annotations.filter(({ subtype, hidden }) => subtype === 'Widget' && !hidden);
  const boxes = widgets.flatMap((widget) => boxOf(widget) ?? []);
  const fields = widgets.flatMap((field) =>
    toFilled(field, fieldValue(field) ?? signature(field, appearances), boxOf),
  );
  const typed = annotations
    .filter(({ subtype }) => subtype === 'FreeText')
    .flatMap((note) => {
      const filled = toFilled(note, commentText(note, appearances), boxOf);
      return filled.filter(({ box }) => isTypedIntoForm(items, box));
    });
  const isTyped = new Set(typed.map(({ field }) => field));
  const comments = toComments(
    annotations.filter((each) => !isTyped.has(each)),
    boxOf,
    appearances,
  );
  return { ...size, items: [...placeFields(items, [...fields, ...typed], boxes), ...comments] };
}

const isKnownByDrawing = ({ subtype, fieldType, hidden, contentsObj }: Annotation) =>
  (fieldType === 'Sig' && !hidden) || (subtype === 'Stamp' && !contentsObj?.str);

const signature = ({ id, fieldType }: Annotation, appearances: ReadonlyMap<string, string>) =>
  fieldType === 'Sig' ? (appearances.get(id)?.replace(/\s+/gu, ' ') ?? null) : null;

function toFilled(
  field: Annotation,
  value: string | null,
  boxOf: (field: Annotation) => Box | null,
): FilledField[] {
  const box = boxOf(field);
  return box && value ? [{ field, value, box }] : [];
}

/** True if a text is on the line of a label, such as “Name:”, or of a line to write on. */
const isTypedIntoForm = (items: readonly PageItem[], { left, top, bottom }: Box) =>
  items.some(({ text, x, y, width, angle }) => {
    if (angle !== 0 || y < top || y > bottom + 4 || bottom - top > 30) return false;
    const gap = left - (x + width);
    if (/[:：]\s*$/u.test(text)) return gap > -10 && gap < TYPED_WITHIN;
    return /[_.…]{4}\s*$/u.test(text) && gap < TYPED_WITHIN && left > x;
  });
