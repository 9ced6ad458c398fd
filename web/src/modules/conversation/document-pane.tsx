import { lazy, Suspense, useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import { usePdfFile, useReadPdfWords } from '../creations/api/pdf-chats';
import { IconButton } from '../../shared/ui/icon-button';
import { Notice } from '../../shared/ui/notice';
import type { PdfLocation } from './pdf/use-pdf';
import { Loading } from '../../shared/ui/spinner';

const PdfViewer = lazy(() => import('./pdf/pdf-viewer'));

interface DocumentPaneProps {
  name: string;
  /** The PDF; null if this browser doesn't have the file, which is then fetched from the server. */
  file: File | null;
  location: PdfLocation;
  onClose: () => void;
}

/** Shows the document next to the conversation or, on small screens, in a drawer. Escape closes it. */
export function DocumentPane({ onClose, ...rest }: DocumentPaneProps) {
  const isWide = useMedia('(width >= 64rem)');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isWide) heading.current?.focus({ preventScroll: true });
  }, [isWide, rest.location]);

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
                {rest.name}
              </Radix.Title>
              <IconButton label="Close document" icon={X} iconClass="size-5" onClick={onClose} />
            </header>
            <Content {...rest} />
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
          title={rest.name}
        >
          {rest.name}
        </h2>
        <IconButton label="Close document" icon={X} iconClass="size-5" onClick={onClose} />
      </header>
      <Content {...rest} />
    </aside>
  );
}

function Content({ name, file, location }: Omit<DocumentPaneProps, 'onClose'>) {
  const fetched = usePdfFile(name, file === null);
  const readWords = useReadPdfWords(name);
  const document = file ?? fetched.data;
  if (document === null)
    return (
      <Message>
        <Notice tone="note" title="Only the text of this document is stored">
          Upload it again to see its pages. The conversation continues.
        </Notice>
      </Message>
    );
  if (document !== undefined)
    return (
      <Suspense fallback={<Loading label="Loading the document" />}>
        <PdfViewer file={document} name={name} location={location} readWords={readWords} />
      </Suspense>
    );
  if (fetched.failureReason === null) return <Loading label="Loading the document" />;
  return (
    <Message>
      <Notice tone="danger" title="The document could not be loaded" onRetry={() => fetched.refetch()}>
        {fetched.failureReason.message}
      </Notice>
    </Message>
  );
}

const Message = ({ children }: { children: ReactNode }) => <div className="p-4">{children}</div>;

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}
