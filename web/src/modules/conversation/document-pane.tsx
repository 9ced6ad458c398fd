import { useEffect, useRef, type ReactNode } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import { useMedia } from '../../shared/lib/use-media';
import type { PdfLocation } from './pdf/use-pdf';

interface DocumentPaneProps {
  name: string;
  location: PdfLocation;
  onClose: () => void;
  children: ReactNode;
}

/** Shows the document next to the conversation or, on small screens, in a drawer. Escape closes it. */
export function DocumentPane({ name, location, onClose, children }: DocumentPaneProps) {
  const isWide = useMedia('(width >= 64rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isWide) heading.current?.focus({ preventScroll: true });
  }, [isWide, location]);

  if (!isWide)
    return (
      <Radix.Root open onOpenChange={(open) => !open && onClose()}>
        <Radix.Portal>
          <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-[var(--shade)]" />
          <Radix.Content
            aria-describedby={undefined}
            // Prevent Radix from moving the focus, since `useOpenPage` restores the focus.
            onCloseAutoFocus={(event) => event.preventDefault()}
            className="fixed inset-x-0 top-10 bottom-0 z-50 flex animate-rise flex-col overflow-hidden rounded-t-panel border-t border-line bg-raised"
          >
            <header className="flex items-center gap-3 border-b border-line py-1.5 pr-2 pl-4">
              <Radix.Title className="min-w-0 flex-1 truncate font-sans text-sm font-semibold tracking-normal">
                {name}
              </Radix.Title>
              <IconButton label="Close document" icon={X} iconClass="size-5" onClick={onClose} />
            </header>
            {children}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    );
  return (
    // Handles Escape from any element inside: it closes the document.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      aria-label="Document"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      className="panel sticky top-20 flex h-[calc(100dvh-8rem-var(--job-tray-height))] min-h-[30rem] animate-fade flex-col overflow-hidden"
    >
      <header className="flex items-center gap-3 border-b border-line py-1 pr-1.5 pl-4">
        <h2
          ref={heading}
          tabIndex={-1}
          className="min-w-0 flex-1 truncate font-sans text-sm font-semibold tracking-normal outline-none"
          title={name}
        >
          {name}
        </h2>
        <IconButton label="Close document" icon={X} iconClass="size-5" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
