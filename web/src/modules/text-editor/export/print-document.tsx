import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import RenderedMarkdown from '../../../shared/markdown/rendered-markdown';
import { ThemeContext } from '../../../shared/theme';
import { languageOf } from './language-of';

interface PrintDocumentProps {
  text: string;
  /** The title of the page while it prints; browsers suggest it as the name of the PDF file. */
  title: string;
  /** Called when the print dialog has closed. */
  onDone: () => void;
  /** Milliseconds after which formulas and diagrams that are not drawn print as their source. */
  drawWithin?: number;
}

const DRAW_WITHIN_MS = 10_000;

/** Not every browser fires `afterprint`. Input events on the page also show that the print dialog has closed. */
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const;

/** Opens the print dialog with only this text on the page, in the light theme. The text uses the system's fonts. */
export function PrintDocument({ text, title, onDone, drawWithin = DRAW_WITHIN_MS }: PrintDocumentProps) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const previousTitle = document.title;
    document.title = title;
    window.addEventListener('afterprint', onDone, { signal });
    const print = async () => {
      const drawn = Promise.all([article.current && untilDrawn(article.current), document.fonts.ready]);
      await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, drawWithin))]);
      if (signal.aborted) return;
      window.print();
      for (const type of INPUT_EVENTS) window.addEventListener(type, onDone, { signal, capture: true });
    };
    void print();
    return () => {
      controller.abort();
      document.title = previousTitle;
    };
  }, [title, onDone, drawWithin]);
  return createPortal(
    <article ref={article} className="print-document" lang={languageOf(text)}>
      <div className="prose">
        <ThemeContext value="light">
          <RenderedMarkdown text={text} />
        </ThemeContext>
      </div>
    </article>,
    document.body,
  );
}

/** Waits for formulas and diagrams. */
async function untilDrawn(element: HTMLElement): Promise<void> {
  const isDrawn = () => element.querySelector('[data-pending]') === null;
  if (!isDrawn())
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isDrawn()) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(element, { subtree: true, childList: true, attributeFilter: ['data-pending'] });
    });
  const diagrams = element.querySelectorAll<HTMLImageElement>('img.diagram');
  await Promise.allSettled(Array.from(diagrams, (image) => image.decode()));
}
