import { useState, type FormEvent } from 'react';
import { appScopes, type KeyScope } from '#libs/contract/api-keys.js';
import { useConfig } from '../../../shared/account/read-config';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { DialogButtons } from '../../../shared/ui/dialog-buttons';
import { Notice } from '../../../shared/ui/notice';
import { useAllowApp, useApiKeys } from './api-keys';
import { ScopeFields } from './scope-fields';

interface App {
  clientId: string;
  name: string;
}

/** Apps that sign in through Clerk, whose scopes are chosen here. Nothing with local accounts. */
export function ClerkApps() {
  const apps = useConfig().data?.accounts.apps ?? [];
  const { data: keys } = useApiKeys();
  const [allowed, setAllowed] = useState<App | null>(null);
  const rest = apps.filter(({ clientId }) => !keys?.some((key) => key.clientId === clientId));
  if (keys === undefined || rest.length === 0) return null;
  return (
    <section className="mt-10">
      <h2 className="text-xl">Apps</h2>
      <p className="mt-1 max-w-xl text-quiet">Allow an app here before you sign in with it.</p>
      <ul className="mt-4 border-t border-line">
        {rest.map((app) => (
          <li
            key={app.clientId}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
          >
            <bdi className="min-w-0 font-semibold wrap-anywhere">{app.name}</bdi>
            <Button size="small" aria-label={`Allow “${app.name}”`} onClick={() => setAllowed(app)}>
              Allow
            </Button>
          </li>
        ))}
      </ul>
      {allowed && <AllowDialog app={allowed} onClose={() => setAllowed(null)} />}
    </section>
  );
}

function AllowDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const allow = useAllowApp();
  const [scopes, setScopes] = useState<KeyScope[]>(['images', 'read']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    allow.mutate({ clientId: app.clientId, scopes }, { onSuccess: onClose });
  };
  return (
    <Dialog label={`Allow “${app.name}”`} guarded={allow.isPending} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-5">
        <h2 aria-hidden="true" className="pr-10 text-2xl wrap-anywhere">
          Allow “{app.name}”
        </h2>
        <ScopeFields offered={appScopes} scopes={scopes} onChange={setScopes} />
        {allow.error && <Notice tone="danger">{allow.error.message}</Notice>}
        <DialogButtons busy={allow.isPending} disabled={scopes.length === 0} onClose={onClose}>
          Allow
        </DialogButtons>
      </form>
    </Dialog>
  );
}
