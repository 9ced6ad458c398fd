import * as openCv from '@techstark/opencv-js';
import type { CV } from '@techstark/opencv-js';

// The package's default export, which its types leave out, is a promise of the ready WebAssembly module.
const loading = (openCv as unknown as { default: Promise<TypedCv> }).default;

/** The constants in use; the package types them as `any`. */
type Constants = Record<
  | 'CV_8UC1'
  | 'CV_8UC4'
  | 'CV_32FC1'
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
  | 'CC_STAT_WIDTH'
  | 'CC_STAT_HEIGHT'
  | 'THRESH_BINARY'
  | 'INPAINT_TELEA'
  | 'INTER_LINEAR'
  | 'INTER_AREA'
  | 'BORDER_REPLICATE',
  number
>;
type TypedCv = Omit<CV, keyof Constants> & Constants;

/** OpenCV computes on the calling thread, so only modules of the image thread import this. */
export const cv = await loading;

export type CvMat = InstanceType<typeof cv.Mat>;

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

/** A matrix of bytes. */
export function toMat(plane: { values: ArrayLike<number>; width: number; height: number }) {
  const mat = new cv.Mat(plane.height, plane.width, cv.CV_8UC1);
  mat.data.set(plane.values);
  return mat;
}

/** Computes a matrix from one of floating-point numbers. */
export const computeFloats = (
  plane: { values: Float32Array; width: number; height: number },
  compute: (from: CvMat, to: CvMat) => void,
): Float32Array =>
  withFreedMemory((track) => {
    const [from, to] = [track(new cv.Mat(plane.height, plane.width, cv.CV_32FC1)), track(new cv.Mat())];
    from.data32F.set(plane.values);
    compute(from, to);
    return Float32Array.from(to.data32F);
  });
