import { useRef, useState } from 'react';
import type { PdfLocation } from './pdf/use-pdf';

interface OpenPage {
  /** Null while the document is closed. */
  location: PdfLocation | null;
  show: (location: PdfLocation) => void;
  /** Closes the document and restores the focus. */
  hide: () => void;
}

/** The open page of a conversation's document. Another document starts closed. */
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
