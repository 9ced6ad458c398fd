import { lazy, Suspense, type ReactNode } from 'react';
import clsx from 'clsx';
import { hasLongWord } from './long-words';
import { PlainText } from './plain-text';

/** Loads the Markdown renderer lazily. If it can't be loaded, the text is shown as plain text. */
const RenderedMarkdown = lazy(() => import('./rendered-markdown').catch(() => ({ default: PlainText })));

interface MarkdownProps {
  text: string;
  /** True to show a caret at the end, while the text is still being written. */
  streaming?: boolean;
  className?: string;
  /** Shown while the renderer loads. Default: the plain text. */
  fallback?: ReactNode;
}

export function Markdown({
  text,
  streaming = false,
  className,
  fallback = <PlainText text={text} />,
}: MarkdownProps) {
  return (
    <div
      className={clsx('prose', className)}
      data-streaming={streaming}
      data-long-words={hasLongWord(text) || undefined}
    >
      <Suspense fallback={fallback}>
        <RenderedMarkdown text={text} />
      </Suspense>
    </div>
  );
}
