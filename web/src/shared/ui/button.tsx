import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import clsx from 'clsx';
import { Spinner } from './spinner';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

const dimmed = 'disabled:opacity-50 aria-disabled:opacity-50';
const variantClasses: Record<ButtonVariant, string> = {
  primary:
    'bg-accent text-on-accent enabled:not-aria-disabled:hover:bg-accent-strong disabled:not-aria-busy:bg-line disabled:not-aria-busy:text-quiet aria-disabled:not-aria-busy:bg-line aria-disabled:not-aria-busy:text-quiet',
  plain: `border border-edge text-ink enabled:hover:bg-tint ${dimmed}`,
  danger: `border border-danger text-danger enabled:hover:bg-tint ${dimmed}`,
  quiet: `text-quiet enabled:hover:bg-tint enabled:hover:text-ink ${dimmed}`,
};

/** CSS classes of a button, also for links that look like a button. */
export function buttonClass(variant: ButtonVariant, size: 'regular' | 'small' = 'regular'): string {
  return clsx(
    'inline-flex items-center justify-center gap-2 rounded-control font-semibold whitespace-nowrap',
    'transition-[background-color,color,opacity,transform] duration-150 ease-out enabled:not-aria-disabled:active:translate-y-px aria-disabled:cursor-default',
    size === 'regular' ? 'min-h-11 px-5 text-base' : 'min-h-9 px-3 text-sm touch:min-h-11',
    variantClasses[variant],
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  size?: 'regular' | 'small';
  /** Shows a spinner and ignores clicks. Unlike a disabled button, a busy button keeps the focus. */
  busy?: boolean;
  /** Looks disabled and ignores clicks for a limited time, but keeps the focus. */
  waiting?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'plain',
  size = 'regular',
  busy = false,
  waiting = false,
  className,
  disabled,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      disabled={disabled}
      aria-disabled={busy || waiting || undefined}
      aria-busy={busy || undefined}
      onClick={busy || waiting ? ignore : onClick}
      className={clsx(buttonClass(variant, size), className)}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** Ignores clicks. Also prevents submission by Enter, for which browsers click the submit button. */
const ignore = (event: MouseEvent) => event.preventDefault();
