import type { ComponentProps } from 'react';
import { ChevronDown } from 'lucide-react';
import { controlClass } from './field-frame';

/** A native select, styled like the other fields. */
export const Select = (props: Omit<ComponentProps<'select'>, 'className'>) => (
  <div className="relative">
    <select {...props} className={`${controlClass} appearance-none truncate pr-10`} />
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-quiet"
    />
  </div>
);
