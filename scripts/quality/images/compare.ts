import sharp from 'sharp';
import type { ObjectScene, SubjectScene } from './scenes.ts';

// In Jest's realm each access to a global is slow, and these run for every pixel.
const { floor, log10, max, min } = Math;

/** Intersection over union of two masks, weighted by alpha: 1 is perfect. */
export async function intersectionOverUnion(scene: SubjectScene, cutOut: Uint8Array): Promise<number> {
  const alpha = await sharp(cutOut).extractChannel('alpha').raw().toBuffer();
  let [both, either] = [0, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    const [a, t] = [alpha[i] as number, scene.truth[i] as number];
    both += min(a, t);
    either += max(a, t);
  }
  return either === 0 ? 0 : both / either;
}

/** Peak signal-to-noise ratio of the filled area against the picture without the object, in decibels. */
export async function fillingPsnr(scene: ObjectScene, erased: Uint8Array): Promise<number> {
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
