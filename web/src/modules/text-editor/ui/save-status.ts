import type { SaveState } from '../saving/text-saver';

export function saveStatus(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return 'Saved';
    case 'unsaved':
    case 'saving':
      return 'Saving…';
    case 'waiting':
      return 'Offline: saved on this device';
    case 'conflict':
      return 'Changed elsewhere: choose what to keep';
    case 'empty':
      return 'Empty text is not saved';
    case 'refused':
      return `Not saved: ${state.message} It is saved on this device.`;
  }
}

const WORDS_PER_MINUTE = 230;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts words, also in scripts that don't separate words by spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}

export function lengthText(words: number): string {
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  return `${words.toLocaleString('en')} ${words === 1 ? 'word' : 'words'} · ${minutes} min read`;
}
