import { useNavigate } from 'react-router-dom';
import { paths } from '../paths';
import { useAccounts } from './accounts';

/** Signs the user out, which ends on the start page. Rejects when that did not reach the server. */
export function useLeave(): () => Promise<void> {
  const { signOut } = useAccounts();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    await navigate(paths.landing);
  };
}
