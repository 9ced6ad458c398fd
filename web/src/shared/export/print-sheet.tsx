import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Markdown } from '../markdown/markdown';
import { languageOf } from './language-of';

interface PrintSheetProps {
  /** The text in Markdown. */
  text: string;
  /** What browsers call the file by. */
  title: string;
  /** Called once the browser's dialog is closed. */
  onDone: () => void;
}

/** Not every browser tells that its dialog is closed. Whoever presses something in the page is back in it. */
const BACK_IN_PAGE = ['pointerdown', 'keydown'] as const;

/** A text alone on paper, for the browser's own print to PDF: it has a font for every script that the machine has. */
export function PrintSheet({ text, title, onDone }: PrintSheetProps) {
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const former = document.title;
    document.title = title;
    window.addEventListener('afterprint', onDone, { signal });
    void document.fonts.ready.then(() => {
      if (signal.aborted) return;
      window.print();
      for (const sign of BACK_IN_PAGE) window.addEventListener(sign, onDone, { signal, capture: true });
    });
    return () => {
      over.abort();
      document.title = former;
    };
  }, [title, onDone]);
  return createPortal(
    <article className="paper" lang={languageOf(text)}>
      <Markdown text={text} />
    </article>,
    document.body,
  );
}
