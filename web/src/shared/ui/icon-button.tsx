import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';

interface IconButtonProps {
  label: string;
  icon: LucideIcon;
  /** The shortcut, shown in the tooltip. */
  keys?: string;
  /** Ignores clicks and looks disabled, but keeps the focus. */
  disabled?: boolean;
  /** The classes of the icon. */
  iconClass?: string;
  className?: string;
  onClick: () => void;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, keys, disabled = false, iconClass = 'size-4', className, onClick } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onClick()}
      className={clsx(
        'grid size-9 shrink-0 place-items-center rounded-control text-quiet transition-colors duration-150',
        'not-aria-disabled:hover:bg-tint not-aria-disabled:hover:text-ink aria-disabled:cursor-default! aria-disabled:opacity-50',
        className,
      )}
    >
      <Icon aria-hidden="true" className={iconClass} />
    </button>
  );
}
