import { useNavigate } from 'react-router-dom';
import { paths } from '../paths';
import { useAccounts } from './accounts';

/** Signs out and goes to the start page. Rejects when the server cannot be reached. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useAccounts();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    await navigate(paths.landing);
  };
}
