import * as openCv from '@techstark/opencv-js';
import type { CV } from '@techstark/opencv-js';

// The package's default export, which its types leave out, is a promise of the ready WebAssembly module.
const loading = (openCv as unknown as { default: Promise<CV> }).default;

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
