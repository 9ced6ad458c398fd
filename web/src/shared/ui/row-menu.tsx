import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { EllipsisVertical } from 'lucide-react';
import { MenuContent } from './menu';

/** A button without text at the end of a row, which opens a menu of actions on it. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={label}
        title={label}
        className="grid size-9 shrink-0 touch:size-11 place-items-center rounded-control text-quiet transition-colors duration-150 hover:bg-tint hover:text-ink"
      >
        <EllipsisVertical aria-hidden="true" className="size-4" />
      </DropdownMenu.Trigger>
      <MenuContent align="end">{children}</MenuContent>
    </DropdownMenu.Root>
  );
}
