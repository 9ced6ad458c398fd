import { useNavigate } from 'react-router-dom';
import { paths } from '../paths';
import { useAccounts } from './accounts';

/** Returns a function that signs out and opens the start page. It rejects if the server can't be reached. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useAccounts();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    await navigate(paths.landing);
  };
}
