import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { Spinner } from './spinner';

interface IconButtonProps {
  label: string;
  icon: LucideIcon;
  /** Keyboard shortcut, shown in the tooltip. */
  keys?: string;
  /** Looks disabled and ignores clicks, but keeps the focus. */
  disabled?: boolean;
  /** Shows a spinner and ignores clicks. */
  busy?: boolean;
  /** True if the panel that the button controls is open. */
  expanded?: boolean;
  iconClass?: string;
  onClick: (button: HTMLButtonElement) => void;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, keys, disabled = false, busy = false, expanded, iconClass = 'size-4' } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      aria-disabled={disabled || busy || undefined}
      aria-expanded={expanded}
      onClick={({ currentTarget }) => !disabled && !busy && props.onClick(currentTarget)}
      className={clsx(
        'grid size-9 shrink-0 place-items-center rounded-control text-quiet transition-colors duration-150 touch:size-11',
        disabled ? 'cursor-default! opacity-50' : 'hover:bg-tint hover:text-ink',
      )}
    >
      {busy ? <Spinner /> : <Icon aria-hidden="true" className={iconClass} />}
    </button>
  );
}
