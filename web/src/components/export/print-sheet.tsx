import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Markdown } from '../markdown/markdown';

interface PrintSheetProps {
  /** The text in Markdown. */
  text: string;
  /** What browsers call the file by. */
  title: string;
  /** Called once the browser's dialog is closed. */
  onDone: () => void;
}

/** A text alone on paper, for the browser's own print to PDF: it has a font for every script that the machine has. */
export function PrintSheet({ text, title, onDone }: PrintSheetProps) {
  useEffect(() => {
    let current = true;
    const former = document.title;
    document.title = title;
    window.addEventListener('afterprint', onDone);
    void document.fonts.ready.then(() => current && window.print());
    return () => {
      current = false;
      window.removeEventListener('afterprint', onDone);
      document.title = former;
    };
  }, [title, onDone]);
  return createPortal(
    <article className="paper">
      <Markdown text={text} />
    </article>,
    document.body,
  );
}
