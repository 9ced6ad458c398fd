import type { ReactNode } from 'react';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { authErrorMessage } from '../api/auth-error-message';

interface QueryStatusProps {
  /** The error of the last attempt; null while the first one runs. */
  failure: Error | null;
  loading: string;
  failed: string;
}

/** The loading or error state of a query that retries automatically. */
export function QueryStatus({ failure, loading, failed }: QueryStatusProps): ReactNode {
  if (failure === null) return <Loading label={loading} />;
  return (
    <Notice tone="warning" title={failed}>
      {authErrorMessage(failure).message} Retrying automatically.
    </Notice>
  );
}
