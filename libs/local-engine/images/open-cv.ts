import * as openCv from '@techstark/opencv-js';
import type { CV } from '@techstark/opencv-js';

// The package's default export, which its types leave out, is a promise of the ready WebAssembly module.
const loading = (openCv as unknown as { default: Promise<TypedCv> }).default;

/** The constants in use; the package types them as `any`. */
type Constants = Record<
  | 'CV_8UC1'
  | 'CV_8UC4'
  | 'COLOR_RGBA2RGB'
  | 'GC_BGD'
  | 'GC_FGD'
  | 'GC_PR_BGD'
  | 'GC_PR_FGD'
  | 'GC_INIT_WITH_MASK'
  | 'MORPH_RECT'
  | 'MORPH_ELLIPSE'
  | 'MORPH_OPEN'
  | 'MORPH_CLOSE'
  | 'CC_STAT_AREA'
  | 'INPAINT_TELEA',
  number
>;
type TypedCv = Omit<CV, keyof Constants> & Constants;

/** OpenCV computes on the calling thread, so only modules of the image thread import this. */
export const cv = await loading;

/** An object in WebAssembly memory, which is not garbage collected. */
interface Freeable {
  delete(): void;
}

/** Runs a computation and frees every object passed to `track` when it ends. */
export function withFreedMemory<T>(compute: (track: <F extends Freeable>(object: F) => F) => T): T {
  const tracked: Freeable[] = [];
  try {
    return compute((object) => {
      tracked.push(object);
      return object;
    });
  } finally {
    for (const object of tracked.reverse()) object.delete();
  }
}
