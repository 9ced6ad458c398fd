import type { ReactNode } from 'react';
import { DropdownMenu, Toolbar } from 'radix-ui';
import { ChevronDown, type LucideIcon } from 'lucide-react';
import { MenuContent } from './menu';

interface ToolbarMenuProps {
  name: string;
  /** Text next to the icon. */
  label?: string;
  icon?: LucideIcon;
  title?: string;
  /** True if the menu is open; undefined if the menu controls itself. */
  open?: boolean;
  onOpen?: (open: boolean) => void;
  /** Called when the menu has closed; the caller moves the focus. */
  onClosed: () => void;
  children: ReactNode;
}

export const ToolbarMenu = ({
  name,
  label,
  icon: Icon,
  title = Icon && name,
  open,
  onOpen,
  onClosed,
  children,
}: ToolbarMenuProps) => (
  <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpen}>
    <DropdownMenu.Trigger asChild>
      <Toolbar.Button
        aria-label={name}
        title={title}
        className="flex min-h-11 shrink-0 items-center gap-1 rounded-control px-2 text-sm whitespace-nowrap text-quiet hover:bg-tint hover:text-ink sm:min-h-9"
      >
        {Icon && <Icon aria-hidden="true" className="size-4" />}
        {label}
        <ChevronDown aria-hidden="true" className="size-4" />
      </Toolbar.Button>
    </DropdownMenu.Trigger>
    <MenuContent
      align="start"
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        onClosed();
      }}
    >
      {children}
    </MenuContent>
  </DropdownMenu.Root>
);
