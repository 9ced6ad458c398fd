import { lazy, Suspense, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';

/** Loaded when a PDF is first shown, since its engine is large. */
export const PdfViewer = lazy(() => import('./pdf/pdf-viewer'));

interface DocumentContentProps {
  query: Pick<UseQueryResult, 'failureReason' | 'refetch'>;
  /** Null or undefined until the query has data. */
  children: ReactNode;
}

/** The pages of a document or, until they are loaded, that they are loading or why they could not be loaded. */
export function DocumentContent({ query: { failureReason, refetch }, children }: DocumentContentProps) {
  const loading = <Loading label="Loading the document" />;
  if (children) return <Suspense fallback={loading}>{children}</Suspense>;
  if (failureReason === null) return loading;
  return (
    <div className="p-4">
      <Notice tone="danger" title="The document could not be loaded" onRetry={() => refetch()}>
        {failureReason.message}
      </Notice>
    </div>
  );
}
