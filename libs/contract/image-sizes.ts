/** The sizes that image models support, in pixels: square, landscape and portrait. The first is the default. */
export const imageSizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof imageSizes)[number];

export function pixelsOf(size: ImageSize): number {
  const { width, height } = sizeInPixels(size);
  return width * height;
}

export function sizeInPixels(size: ImageSize): { width: number; height: number } {
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { width, height };
}
