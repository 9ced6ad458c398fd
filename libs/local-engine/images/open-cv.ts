import * as openCv from '@techstark/opencv-js';
import type { CV } from '@techstark/opencv-js';

// The package's default export, which its types leave out, is a promise of the ready WebAssembly module.
const loading = (openCv as unknown as { default: Promise<TypedCv> }).default;

/** The constants that are used here; the package types them as `any`. */
type Constants = Record<
  | 'CV_8UC1'
  | 'CV_8UC4'
  | 'COLOR_RGBA2RGB'
  | 'GC_BGD'
  | 'GC_FGD'
  | 'GC_PR_BGD'
  | 'GC_PR_FGD'
  | 'GC_INIT_WITH_MASK'
  | 'MORPH_ELLIPSE'
  | 'MORPH_OPEN'
  | 'MORPH_CLOSE'
  | 'CC_STAT_AREA'
  | 'INPAINT_TELEA',
  number
>;
type TypedCv = Omit<CV, keyof Constants> & Constants;

/** OpenCV. It computes on the thread that calls it: only modules of the image thread import this. */
export const cv = await loading;

/** Something in OpenCV's own memory, which no garbage collector frees. */
interface Freeable {
  delete(): void;
}

/** Runs a computation with a `keep` that notes what to free at its end, however it ends. */
export function withMemory<T>(compute: (keep: <F extends Freeable>(thing: F) => F) => T): T {
  const kept: Freeable[] = [];
  try {
    return compute((thing) => {
      kept.push(thing);
      return thing;
    });
  } finally {
    for (const thing of kept.reverse()) thing.delete();
  }
}
