import { useLayoutEffect, useRef } from 'react';
import type { Size } from '../../../shared/lib/picture';
import type { MaskDocument } from './mask-document';
import { drawMask, type Palette } from './mask-style';
import { isEmpty, pixelsIn, union, wholeOf, type Rect } from './rect';
import type { View } from './view';

interface MaskCanvasProps {
  mask: MaskDocument;
  view: View;
  size: Size;
  palette: Palette;
  hidden: boolean;
}

/** Maximum device pixel ratio to draw at, since higher ratios make no visible difference. */
const MAX_RATIO = 2;

/** Draws the mask over the image at the resolution of the screen. A stroke redraws only the changed part. */
export function MaskCanvas({ mask, view: { scale, x, y }, size, palette, hidden }: MaskCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = Math.min(MAX_RATIO, globalThis.devicePixelRatio || 1);
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);

  // The effect redraws everything when the view changes. Changes of the mask redraw only their rectangle, through `onPaint`.
  useLayoutEffect(() => {
    const view = { scale: scale * ratio, x: x * ratio, y: y * ratio };
    const draw = (rect: Rect) => {
      const context = canvas.current?.getContext('2d');
      if (!context || isEmpty(rect)) return;
      const image = context.createImageData(rect.right - rect.left, rect.bottom - rect.top);
      drawMask(mask, view, rect, palette, new Uint32Array(image.data.buffer));
      context.putImageData(image, rect.left, rect.top);
    };
    draw(wholeOf({ width, height }));

    let pending: Rect | null = null;
    let frame = 0;
    const stop = mask.onPaint((changed) => {
      pending = union(pending, changed);
      frame ||= requestAnimationFrame(() => {
        const { left, top, right, bottom } = pending ?? wholeOf(mask);
        [pending, frame] = [null, 0];
        // Add one pixel on each side: a screen pixel can be the mean of a changed and an unchanged mask pixel.
        const onScreen = {
          left: left * view.scale + view.x - 1,
          top: top * view.scale + view.y - 1,
          right: right * view.scale + view.x + 1,
          bottom: bottom * view.scale + view.y + 1,
        };
        draw(pixelsIn(onScreen, { width, height }));
      });
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [mask, scale, x, y, ratio, width, height, palette]);

  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={width}
      height={height}
      hidden={hidden}
      className="pointer-events-none absolute inset-0 size-full"
    />
  );
}
