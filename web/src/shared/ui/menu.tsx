import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { ChevronDown, type LucideIcon } from 'lucide-react';
import { Button } from './button';
import { popupRoot } from './popup-root';

interface MenuProps {
  label: string;
  icon: LucideIcon;
  busy?: boolean;
  children: ReactNode;
}

/** A small button that opens a menu of actions. */
export function Menu({ label, icon: Icon, busy = false, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small" busy={busy}>
          {!busy && <Icon aria-hidden="true" className="size-4" />}
          {label}
          <ChevronDown aria-hidden="true" className="-mr-1 size-4 text-quiet" />
        </Button>
      </DropdownMenu.Trigger>
      <MenuContent align="end">{children}</MenuContent>
    </DropdownMenu.Root>
  );
}

export const MenuContent = (
  props: Pick<DropdownMenu.DropdownMenuContentProps, 'align' | 'onCloseAutoFocus' | 'children'>,
) => (
  <DropdownMenu.Portal container={popupRoot()}>
    <DropdownMenu.Content
      {...props}
      sideOffset={4}
      collisionPadding={8}
      className="panel popup z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(24rem,var(--radix-dropdown-menu-content-available-width))] min-w-44 animate-fade overflow-y-auto p-1"
    />
  </DropdownMenu.Portal>
);

/** An action in a menu. With `asChild`, the child, such as a link, is the item. */
export const MenuItem = (
  props: Pick<DropdownMenu.DropdownMenuItemProps, 'asChild' | 'onSelect' | 'children'>,
) => (
  <DropdownMenu.Item
    {...props}
    className="flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-3 text-sm outline-none data-highlighted:bg-tint"
  />
);
