import { lazy, Suspense, type ReactNode } from 'react';
import clsx from 'clsx';
import { PlainText } from './plain-text';

/** Renders Markdown; as plain text if the renderer cannot be loaded. */
const RenderedMarkdown = lazy(() => import('./rendered-markdown').catch(() => ({ default: PlainText })));

interface MarkdownProps {
  text: string;
  /** Shows a caret at the end. */
  streaming?: boolean;
  className?: string;
  /** Shown while the renderer loads; by default the plain text. */
  fallback?: ReactNode;
}

export function Markdown({
  text,
  streaming = false,
  className,
  fallback = <PlainText text={text} />,
}: MarkdownProps) {
  return (
    <div className={clsx('prose', className)} data-streaming={streaming}>
      <Suspense fallback={fallback}>
        <RenderedMarkdown text={text} />
      </Suspense>
    </div>
  );
}
