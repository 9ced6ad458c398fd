import { z } from 'zod';

/** One movement of the brush, in pixels of the image: `x, y` pairs in a row. */
export const strokeSchema = z.object({
  size: z.number().positive(),
  points: z.array(z.number()).min(2),
});
export type Stroke = z.infer<typeof strokeSchema>;

/** Draws strokes in one opaque colour. The context's unit is a pixel of the image. */
export function drawStrokes(
  context: Pick<
    CanvasRenderingContext2D,
    'beginPath' | 'moveTo' | 'lineTo' | 'stroke' | 'lineCap' | 'lineJoin' | 'lineWidth' | 'strokeStyle'
  >,
  strokes: readonly Stroke[],
  colour: string,
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = colour;
  for (const { size, points } of strokes) {
    context.lineWidth = size;
    context.beginPath();
    context.moveTo(points[0] ?? 0, points[1] ?? 0);
    // A line to where it begins is a dot.
    if (points.length === 2) context.lineTo(points[0] ?? 0, points[1] ?? 0);
    for (let at = 2; at < points.length; at += 2) context.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
    context.stroke();
  }
}

/** The mask that the API takes: a PNG of the image's own size, white where it is painted, else transparent. */
export async function maskOf(
  strokes: readonly Stroke[],
  { width, height }: { width: number; height: number },
): Promise<Blob> {
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
