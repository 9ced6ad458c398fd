import { useState } from 'react';
import type { MaskStyle, MaskPurpose } from './mask-style';
import type { Size } from '../../../shared/lib/picture';

export type EditorShape = 'brush' | 'box' | 'point';

export interface EditorSettings {
  shape: EditorShape;
  adds: boolean;
  /** The brush size, from 0 to 100. */
  size: number;
  /** Percentage of the radius that has full strength. */
  hardness: number;
  maskStyle: MaskStyle;
  /** True if the mask is hidden, to see the original image. */
  before: boolean;
}

const START: Record<MaskPurpose, EditorSettings> = {
  remove: { shape: 'brush', adds: true, size: 72, hardness: 100, maskStyle: 'red', before: false },
  keep: { shape: 'brush', adds: false, size: 56, hardness: 80, maskStyle: 'checkerboard', before: false },
};

interface Abilities {
  /** False if the user can only erase from the mask. */
  canAdd: boolean;
  canPoint: boolean;
}

export function useEditorSettings(purpose: MaskPurpose, { canAdd, canPoint }: Abilities) {
  const [settings, setSettings] = useState(START[purpose]);
  return {
    settings: {
      ...settings,
      shape: settings.shape === 'point' && !canPoint ? 'brush' : settings.shape,
      adds: settings.adds && canAdd,
    } satisfies EditorSettings,
    change: (changes: Partial<EditorSettings>) => setSettings((before) => ({ ...before, ...changes })),
  };
}

/** Smallest and largest brush diameter, as fractions of the image's shorter side. */
const SMALLEST = 0.002;
const LARGEST = 0.3;

/** Brush diameter in whole pixels of the mask. Grows exponentially with the size, for fine control of small brushes. */
export function diameterOf(size: number, { width, height }: Size): number {
  const part = SMALLEST * (LARGEST / SMALLEST) ** (size / 100);
  return Math.max(1, Math.round(Math.min(width, height) * part));
}

export const clampStep = (value: number, by: number) => Math.min(100, Math.max(0, value + by));
