import { inOneLine, type Part } from '#libs/local-engine/humanizer/parts.js';
import { hasRemark, withoutPreface, withoutRemark } from '../shared/without-remarks.js';

/** A tag name that does not occur in the text. */
export function tagFor(source: string): string {
  let tag = 'part';
  while (source.toLowerCase().includes(`<${tag}`) || source.toLowerCase().includes(`</${tag}`)) tag += '-x';
  return tag;
}

export function markParts(source: string, parts: Part[], tag: string): string {
  let at = 0;
  let marked = '';
  for (const { number, prose, text } of parts) {
    marked += `${source.slice(at, prose.start)}<${tag} n="${number}">${text}</${tag}>`;
    at = prose.end;
  }
  return marked + source.slice(at);
}

export interface RewrittenPart {
  number: number;
  text: string;
}

type ExpectedPart = Pick<Part, 'number' | 'text'>;

/** Parses the tagged parts of a streamed answer and ignores other text. @param expected in order */
export function createPartReader(tag: string, expected: ExpectedPart[]) {
  const opening = new RegExp(String.raw`<${tag}\s+n\s*=\s*["']?(\d+)["']?\s*>`, 'i');
  const ending = new RegExp(String.raw`</${tag}\s*>|(?=<${tag}\s+n\s*=)`, 'i');
  let rest = '';
  let whole = '';
  let anyTag = false;

  const take = (isWhole: boolean): RewrittenPart[] => {
    const found: RewrittenPart[] = [];
    for (;;) {
      const open = opening.exec(rest);
      if (!open) return found;
      anyTag = true;
      const inside = rest.slice(open.index + open[0].length);
      const close = ending.exec(inside);
      if (!close && !isWhole) return found;
      const text = inside.slice(0, close?.index);
      found.push({ number: Number(open[1]), text: inOneLine(text) });
      rest = close ? inside.slice(close.index + close[0].length) : '';
    }
  };

  return {
    add(piece: string): RewrittenPart[] {
      rest += piece;
      whole += piece;
      return take(false);
    },
    /** Ends the answer. Returns the last part if its tag was not closed; if the answer had no tags, returns all parts. */
    end(): RewrittenPart[] {
      const last = take(true);
      return anyTag ? last : byBlocks(whole, expected);
    },
  };
}

/** For an answer without tags: its blocks, or its lines, are the parts, if they are as many and about as long. */
function byBlocks(answer: string, expected: ExpectedPart[]): RewrittenPart[] {
  const written = withoutPreface(answer.trim());
  const withoutOffer = expected.some(({ text }) => hasRemark(text)) ? written : withoutRemark(written);
  const whole = withoutOffer.replace(/^```\w*\n([\s\S]*)\n```$/, '$1');
  const found = [/\n\s*\n/u, /\n/]
    .map((separator) => whole.split(separator).map(inOneLine).filter(Boolean))
    .find(
      (blocks) =>
        blocks.length === expected.length &&
        blocks.every((block, index) => isNear(block.length, expected[index]!.text.length)),
    );
  return (found ?? []).map((text, index) => ({ number: expected[index]!.number, text }));
}

/** True if a part of this length may be a rewriting of one with the other length. Short parts differ more. */
const isNear = (length: number, original: number): boolean =>
  length >= original / 2 - 10 && length <= original * 2 + 20;
