import { shortcutKey } from '../../../shared/lib/shortcut-key';
import { clampStep, type EditorSettings } from './editor-settings';
import type { MaskDocument } from './mask-document';
import type { MaskStyle } from './mask-style';
import type { Pane } from './use-pane';

export type Direction = readonly [x: number, y: number];

const directions: Record<string, Direction> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const panDirections: Record<string, Direction> = {
  a: [1, 0],
  d: [-1, 0],
  w: [0, 1],
  s: [0, -1],
};
const looks: readonly MaskStyle[] = ['red', 'checkerboard', 'black-and-white'];

const PAN_STEP = 80;
const SIZE_STEP = 4;
const HARDNESS_STEP = 10;

export interface KeyTarget {
  mask: MaskDocument;
  pane: Pane;
  settings: EditorSettings;
  change: (changes: Partial<EditorSettings>) => void;
  canAdd: boolean;
  canPoint: boolean;
  /** Moves the keyboard cursor. Paints along the way if `paints` is true. */
  move: (direction: Direction, paints: boolean) => void;
  apply: () => void;
  /** Called while the user holds the key (Space) that makes the pointer pan. */
  holdPan: () => void;
  /** Cancels the unfinished box; null if there is no box. */
  dropBox: (() => void) | null;
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Inputs that use no letters. */
const LETTERLESS = new Set(['checkbox', 'radio', 'range', 'button']);

/** True if the key works although the focus is on another control of the editor, which does not use the key itself. */
export const worksOn = ({ key }: Key, target: EventTarget | null): boolean =>
  /^[^\s]$/u.test(key) &&
  target instanceof HTMLElement &&
  !target.matches('textarea, select, [contenteditable]') &&
  !(target instanceof HTMLInputElement && !LETTERLESS.has(target.type));

/** @returns true if the key was handled; then prevent its default */
export function pressKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Key, target: KeyTarget): boolean {
  const { mask, pane, settings, change, canAdd, canPoint, dropBox } = target;
  const letter = shortcutKey({ key, code });
  if (ctrlKey || metaKey) {
    if (letter === 'y' || (letter === 'z' && shiftKey)) mask.redo();
    else if (letter === 'z' && mask.canUndo) mask.undo();
    else return false;
    return true;
  }
  if (altKey) return false;
  const arrow = directions[key];
  const pan = panDirections[letter];
  if (arrow !== undefined) target.move(arrow, shiftKey);
  else if (pan !== undefined) pane.pan({ x: pan[0] * PAN_STEP, y: pan[1] * PAN_STEP });
  else if (code === 'Space') target.holdPan();
  else if (key === 'Enter') target.apply();
  else if (key === 'Escape' && dropBox !== null) dropBox();
  else if (key === '[') change({ size: clampStep(settings.size, -SIZE_STEP) });
  else if (key === ']') change({ size: clampStep(settings.size, SIZE_STEP) });
  else if (key === '{') change({ hardness: clampStep(settings.hardness, -HARDNESS_STEP) });
  else if (key === '}') change({ hardness: clampStep(settings.hardness, HARDNESS_STEP) });
  else if (key === '+' || key === '=') pane.zoom(1.5);
  else if (key === '-') pane.zoom(1 / 1.5);
  else if (key === '0') pane.fit();
  else if (key === '1') pane.showPixels();
  else if (key === 'Delete' || key === 'Backspace') mask.reset();
  else if (letter === 'k' && canAdd) change({ adds: true });
  else if (letter === 'e') change({ adds: false });
  else if (letter === 'b') change({ shape: 'brush' });
  else if (letter === 'r') change({ shape: 'box' });
  else if (letter === 'p' && canPoint) change({ shape: 'point' });
  else if (letter === 'c') change({ before: !settings.before });
  else if (letter === 'm')
    change({ maskStyle: looks[(looks.indexOf(settings.maskStyle) + 1) % looks.length], before: false });
  else return false;
  return true;
}
