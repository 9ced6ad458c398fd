import type { RefObject } from 'react';
import { Dialog } from 'radix-ui';
import { X } from 'lucide-react';
import { SidebarPanel } from './sidebar';

interface DrawerProps {
  /** Button that gets the focus when the drawer closes. */
  trigger: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The sidebar on small screens. */
export default function Drawer({ trigger, onClose }: DrawerProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-[var(--shade)] lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus();
          }}
          className="fixed inset-y-0 left-0 z-40 w-[min(19rem,85vw)] animate-slide border-r border-line bg-page pt-14 outline-none lg:hidden"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Dialog.Close
            aria-label="Close the menu"
            className="absolute top-2.5 left-2 grid size-11 place-items-center rounded-control hover:bg-tint"
          >
            <X aria-hidden="true" className="size-5" />
          </Dialog.Close>
          <SidebarPanel onNavigate={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
