import type { ReactNode } from 'react';
import clsx from 'clsx';
import type { MaskDocument } from './mask-document';
import { rectBetween, type Point } from './rect';
import type { Pane } from './use-pane';

interface PictureLayerProps {
  pane: Pane;
  mask: MaskDocument;
  /** True if the layer is above the mask. Only its buttons then receive clicks. */
  over?: boolean;
  children: ReactNode;
}

/** A layer that follows the position and size of the image when the user pans or zooms. */
export function PictureLayer({ pane: { view }, mask, over = false, children }: PictureLayerProps) {
  return (
    <div
      className={clsx('absolute', over && 'pointer-events-none [&_button]:pointer-events-auto')}
      style={{
        left: view.x,
        top: view.y,
        width: mask.width * view.scale,
        height: mask.height * view.scale,
        imageRendering: view.scale > 3 ? 'pixelated' : undefined,
      }}
    >
      {children}
    </div>
  );
}

export function BoxFrame({ corners, mask }: { corners: readonly [Point, Point]; mask: MaskDocument }) {
  const { left, top, right, bottom } = rectBetween(...corners);
  return (
    <span
      aria-hidden="true"
      className="absolute border-2 border-dashed border-[white] shadow-[0_0_0_1px_black,inset_0_0_0_1px_black]"
      style={{
        left: `${(left / mask.width) * 100}%`,
        top: `${(top / mask.height) * 100}%`,
        width: `${((right - left) / mask.width) * 100}%`,
        height: `${((bottom - top) / mask.height) * 100}%`,
      }}
    />
  );
}

/** The keyboard cursor of the box and point tools. The brush shows a ring instead. */
export function Crosshair({ at, mask }: { at: Point; mask: MaskDocument }) {
  return (
    <span
      aria-hidden="true"
      className="absolute size-5 -translate-1/2 rounded-full border-2 border-[white] shadow-[0_0_0_1px_black]"
      style={{ left: `${(at.x / mask.width) * 100}%`, top: `${(at.y / mask.height) * 100}%` }}
    />
  );
}
