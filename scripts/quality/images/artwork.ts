import sharp from 'sharp';
import { drawArtwork } from '#libs/local-engine/artwork/draw.js';
import { imageStyles, type ImageStyle } from '#libs/tools/generate-image/contract.js';

/** Seconds to draw and encode a picture of 1024 pixels in each style. */
export async function measureArtwork(): Promise<{ style: ImageStyle; seconds: number }[]> {
  const times: { style: ImageStyle; seconds: number }[] = [];
  for (const style of imageStyles) {
    const started = performance.now();
    const drawing = drawArtwork('a snowy mountain lake with a forest and flowers', style, '1024x1024');
    await sharp(Buffer.from(drawing)).flatten().jpeg({ quality: 92 }).toBuffer();
    times.push({ style, seconds: (performance.now() - started) / 1000 });
  }
  return times;
}
