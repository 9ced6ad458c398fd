import type { Part } from './parts.js';

/** A reorder buffer: it takes the parts of a text in any order and emits the text in order. */
export interface PartAssembler {
  fill(number: number, text: string): void;
  /** Emits the rest and returns the whole text. @throws Error when a part is missing */
  close(): string;
  readonly filled: number;
  readonly total: number;
}

/** @param onReady gets the next piece of the text and the number of filled parts */
export function createPartAssembler(
  source: string,
  parts: Part[],
  onReady: (piece: string, filled: number) => void,
): PartAssembler {
  const texts = new Map<number, string>();
  let next = 0;
  let at = 0;
  let written = '';
  const emit = (piece: string) => {
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
      emit(ready);
    },
    close() {
      if (next < parts.length) throw new Error('A part of the text is missing.');
      emit(source.slice(at));
      at = source.length;
      return written;
    },
  };
}
