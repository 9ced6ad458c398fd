import { inOneLine, type Part } from '#libs/local-engine/humanizer/parts.js';

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

/** Parses the tagged parts of a streamed answer and ignores other text. @param numbers of the expected parts, in order */
export function createPartReader(tag: string, numbers: number[]) {
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
      return anyTag ? last : byBlocks(whole, numbers);
    },
  };
}

/** For an answer without tags: its blocks, or its lines, are the parts, if there are as many as expected parts. */
function byBlocks(answer: string, numbers: number[]): RewrittenPart[] {
  const whole = answer.trim().replace(/^```\w*\n([\s\S]*)\n```$/, '$1');
  const found = [/\n\s*\n/u, /\n/]
    .map((separator) => whole.split(separator).filter((block) => block.trim() !== ''))
    .find((blocks) => blocks.length === numbers.length);
  return (found ?? []).map((block, index) => ({ number: numbers[index]!, text: inOneLine(block) }));
}
