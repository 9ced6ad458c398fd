import { useState } from 'react';
import type { AdminUserDetails } from '#libs/contract/admin.js';
import { formatExact } from '../../../shared/lib/format';
import { Button } from '../../../shared/ui/button';
import { ActDialog } from './act-dialog';

export function UserKeys({ user: { profile, keys } }: { user: AdminUserDetails }) {
  const [revoked, setRevoked] = useState<string | null>(null);
  if (keys.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <>
      <ul className="border-t border-line">
        {keys.map(({ id, name, scopes, lastUsedAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
          >
            <div className="min-w-0 wrap-anywhere">
              <bdi>{name}</bdi> <span className="font-mono text-sm text-quiet">{id}</span>
              <p className="text-sm text-quiet">
                {scopes.join(', ')}, {lastUsedAt ? `last used ${formatExact(lastUsedAt)}` : 'never used'}
              </p>
            </div>
            <Button size="small" variant="danger" onClick={() => setRevoked(id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoked !== null && (
        <ActDialog
          id={profile.id}
          title={`Revoke the key ${revoked}?`}
          confirmLabel="Revoke"
          act={{ kind: 'revoke', key: revoked }}
          onClose={() => setRevoked(null)}
        >
          Programs with it are refused from now on.
        </ActDialog>
      )}
    </>
  );
}
