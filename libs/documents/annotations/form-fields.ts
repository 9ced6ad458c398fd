import type { PageItem } from '../layout/page-items.js';
import type { Annotation, Box } from './annotation.js';
import { FieldLabels, cleanLabel, type Label } from './field-labels.js';

/** A filled field, and its rectangle on the page. */
export interface FilledField {
  field: Annotation;
  value: string;
  box: Box;
}

/** Size of text in a field, at most. */
const TEXT_SIZE = 11;
/** Names that programs give to fields. */
const GENERATED =
  /^(?:text|field|check ?box|undefined|untitled|topmostsubform|button|group|choice|dropdown|list ?box|fill|f|c|t|cb|p)?[\s_\-.#\d[\]]*$/i;

/**
 * Places the values of form fields between the texts of the page, each with its label. A label beside or above a field becomes
 * part of the field's item, so that both stay together.
 * @param boxes rectangles of all fields of the page, also of empty ones
 */
export function placeFields(
  texts: PageItem[],
  fields: readonly FilledField[],
  boxes: readonly Box[],
): PageItem[] {
  const labels = new FieldLabels(texts, boxes);
  const taken = new Set<PageItem>();
  const placed = new Map<PageItem, PageItem[]>();
  const others: PageItem[] = [];
  for (const filled of fields) {
    const { label, near, after } = labelOf(filled, labels, taken);
    near?.items.forEach((item) => taken.add(item));
    const items = toItems(filled, label, near?.items ?? []);
    if (near) placed.set(near.items[0]!, items);
    else if (after && !placed.has(after)) placed.set(after, [after, ...items]);
    else others.push(...items);
  }
  return [...texts.flatMap((item) => placed.get(item) ?? (taken.has(item) ? [] : [item])), ...others];
}

interface Labelling {
  label?: string;
  /** The text of the page that is the label. */
  near?: Label;
  /** The text before a field within a sentence, which needs no label. */
  after?: PageItem;
}

function labelOf({ field, box }: FilledField, labels: FieldLabels, taken: ReadonlySet<PageItem>): Labelling {
  const isBox = field.fieldType === 'Btn';
  const after = isBox ? null : labels.sentenceBefore(box);
  if (after) return { after };
  const near = (
    isBox ? [labels.rightOf(box), labels.leftOf(box)] : [labels.leftOf(box), labels.above(box)]
  ).find((label) => label && !label.items.some((item) => taken.has(item)));
  const described = cleanLabel(field.alternativeText ?? '');
  const hasDescription = described !== '' && !GENERATED.test(described);
  if (near && (isBox || !hasDescription || areAlike(described, near.text))) return { label: near.text, near };
  const label = hasDescription ? described : readableName(field.fieldName);
  return label === '' ? {} : { label };
}

function areAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''));
  return a!.includes(b!) || b!.includes(a!);
}

/** The last part of a field's name, such as `form1[0].Surname[0]`; blank for a name that a program gave. */
function readableName(name = ''): string {
  const last = name
    .slice(-200)
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]/g, '')
    .replaceAll('_', ' ')
    .trim();
  return GENERATED.test(last) || !/\p{L}{3}/u.test(last) ? '' : cleanLabel(last);
}

/** One item for each line of the value, within the field's rectangle; the label is before the first. */
function toItems(
  { value, box }: FilledField,
  label: string | undefined,
  beside: readonly PageItem[],
): PageItem[] {
  const lines = value.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const boxHeight = box.bottom - box.top;
  const step = Math.min(boxHeight / lines.length, 1.3 * TEXT_SIZE);
  const isAbove = beside[0] !== undefined && beside[0].y < box.top;
  const height = Math.min(TEXT_SIZE, 0.8 * step);
  const first = isAbove ? undefined : beside[0];
  const left = Math.min(box.left, ...beside.map(({ x }) => x));
  const right = Math.max(box.right, ...beside.map(({ x, width }) => x + width));
  const isSingle = lines.length === 1 && boxHeight < 2.5 * TEXT_SIZE;
  const start = isSingle ? (box.top + box.bottom) / 2 + 0.35 * height : box.top + height;
  return lines.map((text, index) => ({
    text,
    x: index === 0 ? left : box.left,
    y: (first?.y ?? start) + index * step,
    width: index === 0 ? right - left : box.right - box.left,
    height: index === 0 ? (first?.height ?? height) : height,
    angle: 0,
    source: 'field' as const,
    ...(index === 0 && label !== undefined && { label }),
  }));
}
