import sharp from 'sharp';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { objectScenes, type ObjectScene } from './scenes.ts';

export interface FillingFigure {
  name: string;
  hard: boolean;
  /** Peak signal-to-noise ratio of the filled area against the picture without the object, in decibels. */
  decibels: number;
}

// In Jest's realm each access to a global is slow, and these run for every pixel.
const { floor, log10, max } = Math;

/**
 * What takes the place of the model that fills holes, on drawn pictures: only there is it known what was behind the object.
 */
export async function measureFillings(width = 1024): Promise<FillingFigure[]> {
  const figures: FillingFigure[] = [];
  for (const scene of await objectScenes(width)) {
    const { name, hard, photo, mask } = scene;
    const made = await onImageThread('removeObject', { bytes: photo, mask }, new AbortController().signal);
    figures.push({ name, hard, decibels: await psnr(scene, made.image) });
  }
  return figures;
}

async function psnr(scene: ObjectScene, erased: Uint8Array): Promise<number> {
  const [got, wanted, mask] = await Promise.all([
    sharp(erased).removeAlpha().raw().toBuffer(),
    sharp(scene.clean).removeAlpha().raw().toBuffer(),
    sharp(scene.mask).extractChannel(0).raw().toBuffer(),
  ]);
  let [squares, count] = [0, 0];
  for (let i = 0; i < got.length; i += 1) {
    if ((mask[floor(i / 3)] as number) < 128) continue;
    squares += ((got[i] as number) - (wanted[i] as number)) ** 2;
    count += 1;
  }
  return 10 * log10(255 ** 2 / max(squares / count, 1e-9));
}
