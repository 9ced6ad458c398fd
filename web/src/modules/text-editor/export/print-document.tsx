import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import RenderedMarkdown from '../../../shared/markdown/rendered-markdown';
import { languageOf } from './language-of';

interface PrintDocumentProps {
  /** Markdown. */
  text: string;
  /** Browsers use it as the file name. */
  title: string;
  /** Called when the print dialog is closed. */
  onDone: () => void;
}

/** Not every browser fires `afterprint`: input in the page means that the dialog is closed too. */
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const;

/** Prints a text alone on the page, with the system's fonts. */
export function PrintDocument({ text, title, onDone }: PrintDocumentProps) {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const previousTitle = document.title;
    document.title = title;
    window.addEventListener('afterprint', onDone, { signal });
    void document.fonts.ready.then(() => {
      if (signal.aborted) return;
      window.print();
      for (const type of INPUT_EVENTS) window.addEventListener(type, onDone, { signal, capture: true });
    });
    return () => {
      controller.abort();
      document.title = previousTitle;
    };
  }, [title, onDone]);
  return createPortal(
    <article className="print-document" lang={languageOf(text)}>
      <div className="prose">
        <RenderedMarkdown text={text} />
      </div>
    </article>,
    document.body,
  );
}
