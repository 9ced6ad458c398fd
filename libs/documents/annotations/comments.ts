import type { PageItem } from '../layout/page-items.js';
import type { Annotation, Box } from './annotation.js';

/** Annotations that hold no text of their own: links, windows of other annotations, and media. */
const WITHOUT_TEXT = new Set([
  'Link',
  'Popup',
  'Widget',
  'Screen',
  'Movie',
  'Sound',
  '3D',
  'RichMedia',
  'TrapNet',
  'PrinterMark',
]);
/** Flag of an annotation that is never shown (ISO 32000-2, table 167). */
const HIDDEN = 2;
const MAX_NAME_CHARACTERS = 60;

/**
 * The comments of a page: notes, text on the page, stamps, and marks with a comment, each with its author. Answers follow what
 * they answer.
 * @param appearances texts that annotations show, by their ids
 */
export function toComments(
  annotations: readonly Annotation[],
  boxOf: (annotation: Annotation) => Box | null,
  appearances: ReadonlyMap<string, string>,
): PageItem[] {
  const comments = annotations.filter(
    ({ subtype, stateModel, replyType, annotationFlags = 0 }) =>
      !(annotationFlags & HIDDEN) && !WITHOUT_TEXT.has(subtype) && !stateModel && replyType !== 'Group',
  );
  const answers = Map.groupBy(comments, ({ inReplyTo }) => inReplyTo ?? null);
  const ids = new Set(comments.map(({ id }) => id));
  const seen = new Set<Annotation>();
  const items: PageItem[] = [];
  const left = comments.filter(({ inReplyTo }) => !inReplyTo || !ids.has(inReplyTo)).reverse();
  for (let comment = left.pop(); comment; comment = left.pop()) {
    if (seen.has(comment)) continue;
    seen.add(comment);
    const text = commentText(comment, appearances);
    const box = boxOf(comment) ?? { left: 0, top: 0, right: 0, bottom: 0 };
    if (text) items.push(toItem(write(comment, text), box));
    left.push(...(answers.get(comment.id) ?? []).toReversed());
  }
  return items;
}

export const commentText = (
  { id, contentsObj, textContent = [] }: Annotation,
  appearances: ReadonlyMap<string, string>,
): string =>
  toLine(contentsObj?.str ?? '') || toLine(textContent.join(' ')) || toLine(appearances.get(id) ?? '');

function write({ subtype, inReplyTo, titleObj }: Annotation, text: string): string {
  const kind = inReplyTo ? 'Reply' : subtype === 'Stamp' ? 'Stamp' : 'Comment';
  const name = toLine(titleObj?.str ?? '').slice(0, MAX_NAME_CHARACTERS);
  return `[${kind}${name && ` by ${name}`}: ${text}]`;
}

const toItem = (text: string, { left, top, right, bottom }: Box): PageItem => ({
  text,
  x: left,
  y: bottom,
  width: right - left,
  height: Math.min(bottom - top, 11),
  angle: 0,
  source: 'comment',
});

const toLine = (text: string) => text.replace(/\s+/gu, ' ').trim();
