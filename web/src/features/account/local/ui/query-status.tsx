import type { ReactNode } from 'react';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { authErrorMessage } from '../api/auth-error-message';

interface QueryStatusProps {
  /** Error of the last attempt; null during the first attempt. */
  failure: Error | null;
  loading: string;
  failed: string;
}

/** Shows that a query without data is loading, or has failed and will be retried automatically. */
export function QueryStatus({ failure, loading, failed }: QueryStatusProps): ReactNode {
  if (failure === null) return <Loading label={loading} />;
  return (
    <Notice tone="warning" title={failed}>
      {authErrorMessage(failure).message} Retrying automatically.
    </Notice>
  );
}
