/** Properties of an image according to its header. */
export interface ImageHeader {
  width: number;
  height: number;
  /** Maximum bytes of memory per pixel while the image is decoded. */
  bytesPerPixel: number;
}

/** The header is damaged, or is crafted to use too much time or memory. */
export class BadImageHeader extends Error {
  override name = 'BadImageHeader';
}

/** Reads bytes of an image. Returns fewer bytes than requested at the end of the image. */
export type Read = (position: number, length: number) => Promise<Buffer>;
