import { useState, type ReactNode } from 'react';
import { Dialog as Radix } from 'radix-ui';
import clsx from 'clsx';
import { X } from 'lucide-react';

interface DialogProps {
  label: string;
  wide?: boolean;
  /** True if the dialog fills the screen. */
  full?: boolean;
  /** True if Escape and clicks outside don't close the dialog, because closing it could lose work. */
  guarded?: boolean;
  /**
   * Initial focus. Use `dialog` for dialogs that open by themselves, so that a user who is typing doesn't press a button.
   */
  initialFocus?: 'first control' | 'dialog';
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog. When the dialog closes, the previously focused element gets the focus again. */
export function Dialog({
  label,
  wide = false,
  full = false,
  guarded = false,
  initialFocus = 'first control',
  onClose,
  children,
}: DialogProps) {
  const [opener] = useState(() => document.activeElement);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-[var(--shade)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            if (initialFocus === 'first control') return;
            event.preventDefault();
            (event.target as HTMLElement).focus();
          }}
          onEscapeKeyDown={(event) => guarded && event.preventDefault()}
          onInteractOutside={(event) => guarded && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            // Radix restores the focus only to its own trigger, which we don't use, so restore the focus here.
            event.preventDefault();
            returnFocus(opener);
          }}
          className={clsx(
            'panel fixed z-50 animate-fade overflow-y-auto',
            full
              ? 'inset-0 p-4 max-sm:rounded-none sm:inset-4 sm:p-6'
              : 'top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] -translate-1/2 p-6 sm:p-8',
            !full && (wide ? 'w-[min(38rem,calc(100vw-2rem))]' : 'w-[min(28rem,calc(100vw-2rem))]'),
          )}
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          {children}
          <Radix.Close
            aria-label="Close"
            className="absolute top-2 right-2 grid size-11 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the opener or, if the opener was removed with a closed drawer, the button that opens the drawer. */
function returnFocus(opener: Element | null): void {
  for (const element of [
    opener,
    document.querySelector('[data-drawer-trigger]'),
    document.querySelector('main'),
  ]) {
    if (!(element instanceof HTMLElement) || element === document.body) continue;
    element.focus();
    if (document.activeElement === element) return;
  }
}
