import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import RenderedMarkdown from '../../../shared/markdown/rendered-markdown';
import { languageOf } from './language-of';

interface PrintDocumentProps {
  text: string;
  /** The title of the page while it prints; browsers suggest it as the name of the PDF file. */
  title: string;
  /** Called when the print dialog has closed. */
  onDone: () => void;
}

/** Not every browser fires `afterprint`. Input events on the page also show that the print dialog has closed. */
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const;

/** Opens the print dialog with only this text on the page. The text uses the system's fonts. */
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
