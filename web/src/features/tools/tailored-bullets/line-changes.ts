import { plainLine, SOURCES_HEADING } from '#libs/contract/markdown.js';
import type { ResumeLineChange } from '#libs/contract/resume-lines.js';

interface Bullet {
  text: string;
  /** Words of the resume; null if the bullet is a line of the resume, word for word. */
  quote: string | null;
}

/**
 * Lines of the resume that the bullets word otherwise. A bullet that rests on several lines replaces the first.
 * @param original the result before the user edited it, which has the words of the lines that were taken as they are
 */
export function lineChangesOf(content: string, original: string): ResumeLineChange[] {
  const bullets = bulletsOf(content);
  const kept = new Set(bullets.map(({ text }) => text));
  const edited = bulletsOf(original).flatMap(({ text, quote }) =>
    quote === null && !kept.has(text) ? [text] : [],
  );
  const own = new Set(bulletsOf(original).map(({ text }) => text));
  return bullets.flatMap(({ text, quote }) => {
    if (quote !== null) return quote === text ? [] : [{ source: quote, text }];
    if (own.has(text)) return [];
    const source = takeClosest(edited, text);
    return source === null ? [] : [{ source, text }];
  });
}

const SOURCE = /^\s+[-*+]\s+[*_]Resume, page \d+:[*_]\s+(.+)$/;

function bulletsOf(content: string): Bullet[] {
  const bullets: Bullet[] = [];
  let text: string | null = null;
  for (const line of content.split('\n')) {
    if (line.trimEnd() === `## ${SOURCES_HEADING}`) break;
    const bullet = /^[-*+]\s+(.+)$/.exec(line)?.[1];
    if (bullet !== undefined) text = plainLine(bullet);
    const source = SOURCE.exec(line)?.[1];
    if (source === undefined || text === null || text === '') continue;
    const quote = /^“(.*)”\s*$/.exec(source)?.[1];
    bullets.push({ text, quote: quote === undefined ? null : plainLine(quote) });
    text = null;
  }
  return bullets;
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Takes the line that shares most words with `text` out of `lines`; null if none shares a third of its words. */
function takeClosest(lines: string[], text: string): string | null {
  const words = wordsOf(text);
  const shares = lines.map((line) => {
    const own = wordsOf(line);
    return [...own].filter((word) => words.has(word)).length / Math.max(own.size, 1);
  });
  const best = Math.max(...shares);
  return best < 1 / 3 || lines.length === 0 ? null : lines.splice(shares.indexOf(best), 1)[0]!;
}
