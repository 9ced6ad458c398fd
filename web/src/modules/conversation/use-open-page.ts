import { useRef, useState } from 'react';
import type { PdfLocation } from './pdf/use-pdf';

interface OpenPage {
  /** The page and quote to show; null if the document is closed. */
  location: PdfLocation | null;
  show: (location: PdfLocation) => void;
  /** Closes the document and returns the focus to the element that opened it. */
  hide: () => void;
}

/** State of the document next to a conversation. When the user switches to another document, it is initially closed. */
export function useOpenPage(documentName: string | null): OpenPage {
  const [opened, setOpened] = useState<{ documentName: string; location: PdfLocation } | null>(null);
  const opener = useRef<Element>(null);
  const location = opened !== null && opened.documentName === documentName ? opened.location : null;
  return {
    location,
    show: (next) => {
      if (documentName === null) return;
      if (location === null) opener.current = document.activeElement;
      setOpened({ documentName, location: next });
    },
    hide: () => {
      setOpened(null);
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
