import { useSyncExternalStore } from 'react';
import type { MaskDocument } from './mask-document';

const never = () => () => undefined;

/** Renders again after each step of a mask. @returns its revision; -1 without a mask */
export const useMaskStep = (mask: MaskDocument | null): number =>
  useSyncExternalStore(mask?.onStep ?? never, () => mask?.revision ?? -1);
