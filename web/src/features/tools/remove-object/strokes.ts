import { z } from 'zod';

/** A brush stroke, in pixels of the image. `points` is a flat list of x and y. */
export const strokeSchema = z.object({
  size: z.number().positive(),
  points: z.array(z.number()).min(2),
});
export type Stroke = z.infer<typeof strokeSchema>;

/** Draws strokes in one colour. The context's unit is a pixel of the image. */
export function drawStrokes(
  context: Pick<
    CanvasRenderingContext2D,
    | 'beginPath'
    | 'arc'
    | 'fill'
    | 'moveTo'
    | 'lineTo'
    | 'stroke'
    | 'lineCap'
    | 'lineJoin'
    | 'lineWidth'
    | 'fillStyle'
    | 'strokeStyle'
  >,
  strokes: readonly Stroke[],
  colour: string,
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.fillStyle = colour;
  context.strokeStyle = colour;
  for (const { size, points } of strokes) {
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
}

type ImageSize = Readonly<Record<'width' | 'height', number>>;

/** Keyed by the strokes, so that the same strokes give the same Blob, which idempotency.ts compares. */
const masks = new WeakMap<readonly Stroke[], Promise<Blob>>();

/** The mask for the API: a PNG of the image's size, white where it is painted, else transparent. */
export function maskOf(strokes: readonly Stroke[], size: ImageSize): Promise<Blob> {
  const mask = masks.get(strokes) ?? drawMask(strokes, size);
  masks.set(strokes, mask);
  return mask;
}

async function drawMask(strokes: readonly Stroke[], { width, height }: ImageSize): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw the mask.');
  drawStrokes(context, strokes, '#fff');
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('This browser cannot draw the mask.')) : resolve(blob)),
      'image/png',
    ),
  );
}
