import { useId, type ReactNode } from 'react';
import clsx from 'clsx';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={clsx('flex justify-between gap-4', hint ? 'items-start' : 'items-center')}>
      <div>
        <label htmlFor={id} className="cursor-pointer text-sm font-semibold">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-sm text-quiet">
            {hint}
          </p>
        )}
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full before:absolute before:inset-x-0 before:top-1/2 before:h-7 before:-translate-y-1/2 before:rounded-full before:border before:border-edge before:bg-sunken before:transition-colors before:duration-150 after:absolute after:top-1/2 after:left-0 after:size-5 after:translate-x-1 after:-translate-y-1/2 after:rounded-full after:bg-quiet after:transition-transform after:duration-150 checked:before:border-accent checked:before:bg-accent checked:after:translate-x-6 checked:after:bg-on-accent touch:h-11"
      />
    </div>
  );
}
