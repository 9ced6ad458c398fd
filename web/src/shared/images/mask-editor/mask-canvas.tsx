import { useEffect, useLayoutEffect, useRef } from 'react';
import type { MaskDocument } from './mask-document';
import { drawMask, type Palette } from './mask-look';
import { isEmpty, pixelsIn, union, wholeOf, type Rect, type Size } from './rect';
import type { View } from './view';

interface MaskCanvasProps {
  mask: MaskDocument;
  view: View;
  size: Size;
  palette: Palette;
  hidden: boolean;
}

/** More pixels than two for each of the screen are not seen. */
const MAX_RATIO = 2;

/** The mask over the picture, in pixels of the screen. While it is painted, only what has changed is drawn again. */
export function MaskCanvas({ mask, view, size, palette, hidden }: MaskCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = Math.min(MAX_RATIO, globalThis.devicePixelRatio || 1);
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);

  const draw = (rect: Rect) => {
    const context = canvas.current?.getContext('2d');
    if (!context || isEmpty(rect)) return;
    const image = context.createImageData(rect.right - rect.left, rect.bottom - rect.top);
    const screenView = { scale: view.scale * ratio, x: view.x * ratio, y: view.y * ratio };
    drawMask(mask, screenView, rect, palette, new Uint32Array(image.data.buffer));
    context.putImageData(image, rect.left, rect.top);
  };

  useLayoutEffect(() => draw(wholeOf({ width, height })));

  useEffect(() => {
    let pending: Rect | null = null;
    let frame = 0;
    const stop = mask.onPaint((changed) => {
      pending = union(pending, changed);
      frame ||= requestAnimationFrame(() => {
        const { left, top, right, bottom } = pending ?? wholeOf(mask);
        [pending, frame] = [null, 0];
        const scale = view.scale * ratio;
        // A pixel on the screen may be the mean of two of the mask.
        const onScreen = {
          left: left * scale + view.x * ratio - 1,
          top: top * scale + view.y * ratio - 1,
          right: right * scale + view.x * ratio + 1,
          bottom: bottom * scale + view.y * ratio + 1,
        };
        draw(pixelsIn(onScreen, { width, height }));
      });
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  });

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
