import type { LucideIcon } from 'lucide-react';
import { Spinner } from './spinner';

interface RowActionProps {
  icon: LucideIcon;
  label: string;
  /** Shows a spinner and ignores clicks. */
  busy?: boolean;
  /** Whether the panel of the button is open. */
  expanded?: boolean;
  onClick: (button: HTMLButtonElement) => void;
}

/** A button at the end of a list's row. */
export function RowAction({ icon: Icon, label, busy = false, expanded, onClick }: RowActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={busy || undefined}
      aria-expanded={expanded}
      onClick={({ currentTarget }) => !busy && onClick(currentTarget)}
      className="grid size-9 place-items-center rounded-control text-quiet transition-colors hover:bg-tint hover:text-ink"
    >
      {busy ? <Spinner /> : <Icon aria-hidden="true" className="size-4" />}
    </button>
  );
}
