import { decodePicture } from '../../../shared/lib/picture';
import { alphaOf, colourUnder, composeCutOut } from './cut-out-pixels';
import { serveRequests } from '../../../shared/lib/worker-client';
import type { MaskAnswers, MaskRequest } from './run-mask-worker';

// A web worker that decodes, composes and encodes images, so that the page stays responsive.
serveRequests(run, (answer) => ('pixels' in answer ? [answer.pixels.buffer] : []));

async function run(request: MaskRequest): Promise<MaskAnswers[MaskRequest['kind']]> {
  switch (request.kind) {
    case 'encode-mask': {
      const { width, height, pixels } = request;
      const image = new ImageData(width, height);
      const white = new Uint32Array(image.data.buffer);
      for (let i = 0; i < pixels.length; i += 1) {
        const value = pixels[i] ?? 0;
        if (value > 0) white[i] = (value << 24) | 0xffffff;
      }
      return toPng(image);
    }
    case 'read-mask': {
      const image = await decode(request.png);
      const pixels = new Uint8Array(image.width * image.height);
      for (let i = 0; i < pixels.length; i += 1)
        pixels[i] = ((image.data[4 * i] ?? 0) * (image.data[4 * i + 3] ?? 0)) / 255;
      return { width: image.width, height: image.height, pixels };
    }
    case 'open-cut-out': {
      const cutOut = await decode(request.cutOut);
      const { width, height } = cutOut;
      const original = request.original === null ? null : await decode(request.original).catch(() => null);
      const pixels = alphaOf(cutOut.data);
      if (original === null || original.width !== width || original.height !== height)
        return { width, height, pixels, colours: null };
      colourUnder(cutOut.data, original.data);
      const colours = await canvasOf(cutOut).convertToBlob({ type: 'image/jpeg', quality: 0.95 });
      return { width, height, pixels, colours };
    }
    case 'compose-cut-out': {
      const cutOut = await decode(request.cutOut);
      composeCutOut(cutOut.data, request.original && (await decode(request.original)).data, request.pixels);
      return toSmallEnough(cutOut, request.maxBytes);
    }
  }
}

/** The pixels of an image, rotated according to its EXIF orientation. */
async function decode(file: Blob): Promise<ImageData> {
  const bitmap = await decodePicture(file);
  const { width, height } = bitmap;
  const { context } = newCanvas(width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

const toPng = (image: ImageData) => canvasOf(image).convertToBlob({ type: 'image/png' });

/** Encodes as PNG, or as WebP if the PNG exceeds `maxBytes`. Quality 1 is lossless in Chromium. */
async function toSmallEnough(image: ImageData, maxBytes: number): Promise<Blob> {
  const canvas = canvasOf(image);
  let file = await canvas.convertToBlob({ type: 'image/png' });
  for (const quality of [1, 0.97, 0.92]) {
    if (file.size <= maxBytes) break;
    file = await canvas.convertToBlob({ type: 'image/webp', quality });
  }
  return file;
}

function canvasOf(image: ImageData): OffscreenCanvas {
  const { canvas, context } = newCanvas(image.width, image.height);
  context.putImageData(image, 0, 0);
  return canvas;
}

function newCanvas(width: number, height: number) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser cannot draw the mask.');
  return { canvas, context };
}
