import { useState } from 'react';
import type { MaskLook, MaskPurpose } from './mask-look';
import type { Size } from '../../../shared/lib/picture';

export type EditorShape = 'brush' | 'box' | 'point';

/** What the person has chosen in the editor's bar. */
export interface EditorSettings {
  shape: EditorShape;
  adds: boolean;
  /** Of the brush, from 0 to 100. */
  size: number;
  /** In percent. */
  hardness: number;
  look: MaskLook;
  /** Shows the picture without the mask. */
  before: boolean;
}

const START: Record<MaskPurpose, EditorSettings> = {
  remove: { shape: 'brush', adds: true, size: 72, hardness: 100, look: 'red', before: false },
  keep: { shape: 'brush', adds: false, size: 56, hardness: 80, look: 'checkerboard', before: false },
};

export function useEditorSettings(purpose: MaskPurpose) {
  const [settings, setSettings] = useState(START[purpose]);
  return {
    settings,
    change: (changes: Partial<EditorSettings>) => setSettings((before) => ({ ...before, ...changes })),
  };
}

/** The brush's diameter for the smallest and the largest size, as parts of the picture's shorter side. */
const SMALLEST = 0.002;
const LARGEST = 0.3;

/** In whole pixels of the mask. Every size is larger than the one before by the same factor. */
export function diameterOf(size: number, { width, height }: Size): number {
  const part = SMALLEST * (LARGEST / SMALLEST) ** (size / 100);
  return Math.max(1, Math.round(Math.min(width, height) * part));
}

/** A size or hardness changed by a key. */
export const stepped = (value: number, by: number) => Math.min(100, Math.max(0, value + by));
