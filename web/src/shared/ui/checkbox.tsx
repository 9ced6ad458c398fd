import type { ComponentProps } from 'react';

export function Checkbox({ children, ...input }: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-[var(--accent)]" {...input} />
      <span className="min-w-0">{children}</span>
    </label>
  );
}
