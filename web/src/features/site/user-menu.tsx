import { useState } from 'react';
import { LogOut, Search, UserRound } from 'lucide-react';
import { useAccounts, type SignedInUser } from '../../shared/session/accounts';
import { useLeave } from '../../shared/session/use-leave';
import { Avatar } from '../../shared/ui/avatar';
import { palette } from '../../shared/lib/palette-state';
import { Spinner } from '../../shared/ui/spinner';
import { Menu, menuItemClass } from './menu';

/** Who is here, their account, and the way out, which ends on the start page. */
export function UserMenu({ user }: { user: SignedInUser }) {
  const { openProfile } = useAccounts();
  const signOut = useLeave();
  const [leaving, setLeaving] = useState<'no' | 'now' | 'failed'>('no');

  const leave = async () => {
    setLeaving('now');
    try {
      await signOut();
    } catch {
      setLeaving('failed');
    }
  };

  return (
    <Menu
      label={`${user.fullName}, your menu`}
      face={<Avatar name={user.fullName} imageUrl={user.imageUrl} className="size-8 text-xs" />}
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
              palette.show();
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
            disabled={leaving === 'now'}
            onClick={() => void leave()}
          >
            {leaving === 'now' ? (
              <Spinner className="size-[1.125rem]" />
            ) : (
              <LogOut aria-hidden="true" className="size-[1.125rem] text-quiet" />
            )}
            Sign out
          </button>
          {leaving === 'failed' && (
            <p role="alert" className="px-3 pb-2 text-sm text-danger">
              Signing out did not reach the server. Try again in a moment.
            </p>
          )}
        </>
      )}
    </Menu>
  );
}
