import type { Part } from './parts.js';

/** A text whose parts are filled in as they get ready, in any order, and handed on from the top without gaps. */
export interface Sheet {
  fill(number: number, text: string): void;
  /** The whole text, once every part is filled; hands on what follows the last part. */
  close(): string;
  /** How many parts are filled, and how many there are. */
  readonly filled: number;
  readonly total: number;
}

/** @param onReady called with each piece of the text that is ready from the top, and how many parts are filled */
export function createSheet(
  source: string,
  parts: Part[],
  onReady: (piece: string, filled: number) => void,
): Sheet {
  const texts = new Map<number, string>();
  let next = 0;
  let at = 0;
  let written = '';
  const hand = (piece: string) => {
    written += piece;
    if (piece) onReady(piece, texts.size);
  };
  return {
    total: parts.length,
    get filled() {
      return texts.size;
    },
    fill(number, text) {
      texts.set(number, text);
      let ready = '';
      for (let part = parts[next]; part && texts.has(part.number); part = parts[next]) {
        ready += source.slice(at, part.prose.start) + (texts.get(part.number) ?? '');
        at = part.prose.end;
        next += 1;
      }
      hand(ready);
    },
    close() {
      if (next < parts.length) throw new Error('A part of the text is missing.');
      hand(source.slice(at));
      at = source.length;
      return written;
    },
  };
}
