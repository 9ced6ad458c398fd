import { useState } from 'react';
import { LogOut, Search, UserRound } from 'lucide-react';
import { useAccounts, type SignedInUser } from '../../shared/account/accounts';
import { useSignOut } from '../../shared/account/use-sign-out';
import { Avatar } from '../../shared/ui/avatar';
import { commandPalette } from '../../shared/lib/command-palette-state';
import { Spinner } from '../../shared/ui/spinner';
import { Menu, menuItemClass } from './menu';

export function UserMenu({ user }: { user: SignedInUser }) {
  const { openProfile } = useAccounts();
  const signOut = useSignOut();
  const [state, setState] = useState<'idle' | 'signing-out' | 'failed'>('idle');

  const handleSignOut = async () => {
    setState('signing-out');
    try {
      await signOut();
    } catch {
      setState('failed');
    }
  };

  return (
    <Menu
      label={`${user.fullName}, account menu`}
      trigger={<Avatar name={user.fullName} imageUrl={user.imageUrl} className="size-8 text-xs" />}
    >
      {(close) => (
        <>
          <p className="truncate border-b border-line px-3 pt-2 pb-3 font-semibold">{user.fullName}</p>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            className={`${menuItemClass} mt-2`}
            onClick={() => {
              close();
              commandPalette.show();
            }}
          >
            <Search aria-hidden="true" className="size-[1.125rem] text-quiet" />
            Search
          </button>
          <button
            type="button"
            className={menuItemClass}
            onClick={() => {
              close();
              openProfile();
            }}
          >
            <UserRound aria-hidden="true" className="size-[1.125rem] text-quiet" />
            Your account
          </button>
          <button
            type="button"
            className={menuItemClass}
            disabled={state === 'signing-out'}
            onClick={() => void handleSignOut()}
          >
            {state === 'signing-out' ? (
              <Spinner className="size-[1.125rem]" />
            ) : (
              <LogOut aria-hidden="true" className="size-[1.125rem] text-quiet" />
            )}
            Sign out
          </button>
          {state === 'failed' && (
            <p role="alert" className="px-3 pb-2 text-sm text-danger">
              Sign-out failed. Try again in a moment.
            </p>
          )}
        </>
      )}
    </Menu>
  );
}
