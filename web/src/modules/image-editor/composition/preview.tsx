import { useEffect, useRef } from 'react';
import { layOut } from './compose';
import { describeSettings, type CutOutSettings } from './settings';
import type { OpenedCutOut } from './use-composer';

/** Longest side of the preview in pixels, sharp on high-density screens. */
const MAX_SIDE = 1_200;

interface PreviewProps {
  opened: OpenedCutOut;
  settings: CutOutSettings;
  /** The background picture that the user chose. Not drawn by this component, but a change redraws the preview. */
  picture: File | null;
}

/** Draws the composition. Changes during a drawing are combined: only the latest settings are drawn next. */
export function Preview({ opened, settings, picture }: PreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const wanted = useRef<CutOutSettings | null>(null);
  const drawing = useRef<OpenedCutOut>(null);

  useEffect(() => {
    wanted.current = settings;
    if (drawing.current === opened) return;
    drawing.current = opened;
    const draw = async () => {
      while (wanted.current !== null && drawing.current === opened) {
        const next = wanted.current;
        wanted.current = null;
        try {
          const bitmap = await opened.composer.ask<'preview'>({
            kind: 'preview',
            settings: next,
            maxSide: MAX_SIDE,
          });
          show(canvas.current, bitmap);
        } catch {
          // The previous preview stays. Saving and downloading will show the error to the user.
        }
      }
      if (drawing.current === opened) drawing.current = null;
    };
    void draw();
  }, [opened, settings, picture]);

  const { width, height, placement } = layOut(opened, settings);
  const enlarged = placement.scale > 1.05;
  return (
    <div className="grid gap-2">
      <div className="grid h-72 place-items-center rounded-control border border-line bg-sunken p-3 @2xl:h-96">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Preview: ${describeSettings(settings)}`}
          className="checker max-h-[calc(18rem-1.5rem)] max-w-full @2xl:max-h-[calc(24rem-1.5rem)]"
        />
      </div>
      <p role="status" className="text-sm text-quiet">
        {width} × {height} pixels
        {enlarged && `, enlarged ${placement.scale.toFixed(1)} times, so it may look soft`}
      </p>
    </div>
  );
}

function show(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (canvas === null) return bitmap.close();
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
}
