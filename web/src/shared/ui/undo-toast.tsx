import toast from 'react-hot-toast';
import { buttonClass } from './button';

/** How long Undo is offered. */
const UNDO_MS = 10_000;

/** A toast that offers to undo an action. */
export function showUndo(text: string, undo: () => void): void {
  toast(
    ({ id }) => (
      <span className="flex items-center gap-3">
        <span className="line-clamp-2 min-w-0 flex-1">{text}</span>
        <button
          type="button"
          onClick={() => {
            toast.dismiss(id);
            undo();
          }}
          className={buttonClass('plain', 'small')}
        >
          Undo
        </button>
      </span>
    ),
    { duration: UNDO_MS },
  );
}
