import { createRequire } from 'node:module';
import type * as BmpTs from 'bmp-ts';

/** A part of libheif-js 1.23.2 (LGPL-3.0, 5 MB), the decoder for which no permissive one exists; the package has no types. */
interface HeifDecoder {
  new (): { decode(bytes: Uint8Array): HeifImage[] };
}
interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(
    image: { data: Uint8ClampedArray; width: number; height: number },
    done: (image: unknown) => void,
  ): void;
  free(): void;
}

// Both packages are loaded when their first file arrives.
const require = createRequire(import.meta.url);

/** An image in the form of `RgbaImage`. */
interface Decoded {
  pixels: Buffer;
  width: number;
  height: number;
}

/** Decodes the primary image of a HEIC file, upright. @throws Error if it is damaged */
export async function decodeHeic(bytes: Uint8Array): Promise<Decoded> {
  const { HeifDecoder } = require('libheif-js/wasm-bundle') as { HeifDecoder: HeifDecoder };
  const images = new HeifDecoder().decode(bytes);
  try {
    const image = images.find((image) => image.is_primary()) ?? images[0];
    if (!image) throw new Error('The file has no image.');
    const [width, height] = [image.get_width(), image.get_height()];
    const data = new Uint8ClampedArray(width * height * 4);
    await new Promise<void>((resolve, reject) => {
      image.display({ data, width, height }, (shown) =>
        shown ? resolve() : reject(new Error('The image cannot be decoded.')),
      );
    });
    return { pixels: Buffer.from(data.buffer), width, height };
  } finally {
    for (const image of images) image.free();
  }
}

/** Decodes a bitmap with bmp-ts 1.0.9 (MIT, 0.1 MB), which sharp's libvips cannot. @throws Error if it is damaged */
export function decodeBmp(bytes: Uint8Array): Decoded {
  const { decode } = require('bmp-ts') as typeof BmpTs;
  const { data, width, height } = decode(Buffer.from(bytes), { toRGBA: true });
  // Most programs leave the fourth byte of a pixel empty.
  let isEmpty = true;
  for (let i = 3; isEmpty && i < data.length; i += 4) isEmpty = data[i] === 0;
  if (isEmpty) for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return { pixels: data, width, height };
}
