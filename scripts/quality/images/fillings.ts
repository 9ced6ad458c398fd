import sharp from 'sharp';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { objectScenes, type ObjectScene } from './scenes.ts';

export interface FillingFigure {
  name: string;
  hard: boolean;
  /** Peak signal-to-noise ratio of the filled area against the picture without the object, in decibels. */
  decibels: number;
}

// Jest makes each access to a global slow, and these run for every pixel.
const { floor, log10, max } = Math;

const never = new AbortController().signal;

/** Measures the fallback for the inpainting model on drawn pictures, where the background behind the object is known. */
export async function measureFillings(width = 1024): Promise<FillingFigure[]> {
  const figures: FillingFigure[] = [];
  for (const scene of await objectScenes(width)) {
    const { name, hard, photo, mask } = scene;
    const { image } = await onImageThread('removeObject', { bytes: photo, mask }, never);
    figures.push({ name, hard, decibels: await psnr(scene, image) });
  }
  return figures;
}

async function psnr(scene: ObjectScene, result: Uint8Array): Promise<number> {
  const [actual, expected, mask] = await Promise.all([
    sharp(result).removeAlpha().raw().toBuffer(),
    sharp(scene.clean).removeAlpha().raw().toBuffer(),
    sharp(scene.mask).extractChannel(0).raw().toBuffer(),
  ]);
  let [squares, count] = [0, 0];
  for (let i = 0; i < actual.length; i += 1) {
    if ((mask[floor(i / 3)] as number) < 128) continue;
    squares += ((actual[i] as number) - (expected[i] as number)) ** 2;
    count += 1;
  }
  return 10 * log10(255 ** 2 / max(squares / count, 1e-9));
}
