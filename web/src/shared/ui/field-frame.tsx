import type { ReactNode } from 'react';

/** Value of `aria-describedby`: the ID of the error or else of the hint; undefined if there is neither. */
export function describedBy(id: string, hint: unknown, error: unknown): string | undefined {
  return error ? `${id}-error` : hint ? `${id}-hint` : undefined;
}

export const controlClass =
  'w-full rounded-control border border-edge bg-page px-3.5 py-2.5 text-base text-ink placeholder:text-quiet ' +
  'transition-colors duration-150 hover:border-ink aria-invalid:border-danger';

interface FieldFrameProps {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string;
  children: ReactNode;
}

export function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
