import { z } from 'zod';

/** A brush stroke, in pixels of the image. `points` is a flat list of x and y. */
export const strokeSchema = z.object({
  size: z.number().positive(),
  points: z.array(z.number()).min(2),
  /** Takes away what is under it. */
  erases: z.boolean().optional(),
});
export type Stroke = z.infer<typeof strokeSchema>;

/** What is removed from an image: a mask that was found for it, and strokes over it. */
export interface MaskParts {
  /** Opaque where something was found, else transparent; of any size. */
  found: HTMLCanvasElement | null;
  strokes: readonly Stroke[];
}

type ImageSize = Readonly<Record<'width' | 'height', number>>;

/** Draws a mask in one colour. The context's unit is a pixel of the image. */
export function drawMask(
  context: CanvasRenderingContext2D,
  { found, strokes }: MaskParts,
  { width, height }: ImageSize,
  colour: string,
): void {
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = colour;
  if (found !== null) {
    context.drawImage(found, 0, 0, width, height);
    context.globalCompositeOperation = 'source-in';
    context.fillRect(0, 0, width, height);
  }
  for (const stroke of strokes) {
    context.globalCompositeOperation = stroke.erases ? 'destination-out' : 'source-over';
    drawStroke(context, stroke, colour);
  }
}

function drawStroke(context: CanvasRenderingContext2D, { size, points }: Stroke, colour: string): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.fillStyle = colour;
  context.strokeStyle = colour;
  const [x = 0, y = 0] = points;
  // A dot at the start: canvas draws no line of length 0.
  context.beginPath();
  context.arc(x, y, size / 2, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = size;
  context.beginPath();
  context.moveTo(x, y);
  for (let i = 2; i < points.length; i += 2) context.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
  context.stroke();
}

/** Keyed by found mask and strokes, so that the same ones give the same Blob, which idempotency.ts compares. */
const masks = new WeakMap<object, WeakMap<readonly Stroke[], Promise<Blob>>>();
const NOT_FOUND = {};

/** The mask for the API: a PNG of the image's size, white where something is removed, else transparent. */
export function maskOf(parts: MaskParts, size: ImageSize): Promise<Blob> {
  const byStrokes = masks.get(parts.found ?? NOT_FOUND) ?? new WeakMap<readonly Stroke[], Promise<Blob>>();
  masks.set(parts.found ?? NOT_FOUND, byStrokes);
  const mask = byStrokes.get(parts.strokes) ?? toPng(parts, size);
  byStrokes.set(parts.strokes, mask);
  return mask;
}

const cannotDraw = () => new Error('This browser cannot draw the mask.');

async function toPng(parts: MaskParts, size: ImageSize): Promise<Blob> {
  const { canvas, context } = newCanvas(size);
  drawMask(context, parts, size, '#fff');
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(cannotDraw()) : resolve(blob)), 'image/png'),
  );
}

/** A found mask as it can be drawn: opaque where the PNG is white. @param url of the PNG */
export async function loadMask(url: string): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const { canvas, context } = newCanvas(size);
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, size.width, size.height);
  for (let i = 0; i < pixels.data.length; i += 4) pixels.data[i + 3] = pixels.data[i] ?? 0;
  context.putImageData(pixels, 0, 0);
  return canvas;
}

function newCanvas({ width, height }: ImageSize) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw cannotDraw();
  return { canvas, context };
}
