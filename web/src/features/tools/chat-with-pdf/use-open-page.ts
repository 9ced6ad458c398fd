import { useRef, useState } from 'react';
import type { PdfLocation } from './pdf/use-pdf';

interface OpenPage {
  /** Null while no page of the document is shown. */
  location: PdfLocation | null;
  show: (location: PdfLocation) => void;
  /** Hides the document and restores the focus. */
  hide: () => void;
}

/** The page of a document that is shown beside its conversation. Another document starts without one. */
export function useOpenPage(documentName: string | null): OpenPage {
  const [shown, setShown] = useState<{ documentName: string; location: PdfLocation } | null>(null);
  const opener = useRef<Element>(null);
  const location = shown !== null && shown.documentName === documentName ? shown.location : null;
  return {
    location,
    show: (next) => {
      if (documentName === null) return;
      if (location === null) opener.current = document.activeElement;
      setShown({ documentName, location: next });
    },
    hide: () => {
      setShown(null);
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
