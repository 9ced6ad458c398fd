import toast from 'react-hot-toast';
import { buttonClass } from './button';

/** Time for which the toast is shown. */
export const UNDO_MS = 10_000;

/** Shows a toast with an Undo button. @returns the ID of the toast */
export function showUndo(text: string, undo: () => void): string {
  return toast(
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
