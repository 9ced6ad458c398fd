import clsx from 'clsx';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import type { Point } from '../../../modules/image-editor/mask-editor/rect';
import type { Choice } from './use-found-mask';

interface ObjectMarkersProps {
  objects: MaskPreview['objects'];
  choice: Choice;
  onChoose: (index: number) => void;
}

export function ClickMarker({ at }: { at: Point }) {
  return (
    <span
      aria-hidden="true"
      className="absolute size-7 -translate-1/2 animate-pulse rounded-full border-4 border-[white] shadow-[0_0_0_1px_black,inset_0_0_0_1px_black]"
      style={{ left: `${100 * at.x}%`, top: `${100 * at.y}%` }}
    />
  );
}

/**
 * Numbered buttons on the found objects, to choose an object. For pointers only: keyboard users have the list in the form.
 */
export function ObjectMarkers({ objects, choice, onChoose }: ObjectMarkersProps) {
  if (objects.length < 2) return null;
  return objects.map(({ box: { left, top, right, bottom } }, index) => (
    <button
      key={index}
      type="button"
      aria-hidden="true"
      tabIndex={-1}
      // Prevent the focus, since the buttons are hidden from screen readers.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(index)}
      className={clsx(
        'absolute grid size-7 -translate-1/2 place-items-center rounded-full border-2 border-[white] text-sm font-bold shadow-[0_0_0_1px_black]',
        choice === 'all' || choice === index ? 'bg-[black] text-[white]' : 'bg-[white] text-[black]',
      )}
      style={{ left: `${50 * (left + right)}%`, top: `${50 * (top + bottom)}%` }}
    >
      {index + 1}
    </button>
  ));
}
