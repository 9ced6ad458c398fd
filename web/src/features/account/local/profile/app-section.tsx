import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { useAccounts } from '../../../../shared/account/accounts';
import { queryKeys } from '../../../../shared/http/query-keys';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { makeRecoveryCodes, removeApp, startApp, type NewApp } from '../api/second-factor-api';
import { PasswordPrompt } from '../ui/forms';
import { NewAppForm } from './new-app-form';
import { RecoveryCodes } from './recovery-codes';

type Step =
  | { kind: 'overview'; message?: string }
  | { kind: 'start' }
  | { kind: 'scan'; app: NewApp }
  | { kind: 'codes'; codes: string[]; isNew: boolean }
  | { kind: 'new-codes' }
  | { kind: 'remove' };

interface AppSectionProps {
  email: string | null;
  isOn: boolean;
  onGuard: (guarded: boolean) => void;
}

export function AppSection({ email, isOn, onGuard }: AppSectionProps) {
  const queries = useQueryClient();
  const { getToken } = useAccounts();
  const [step, setStep] = useState<Step>({ kind: 'overview' });
  const button = useRef<HTMLButtonElement>(null);
  const toOverview = (message?: string) => {
    flushSync(() => setStep({ kind: 'overview', message }));
    button.current?.focus();
  };
  // The server replaces the session when a second factor is set up or removed, so read token and session again.
  const refresh = async () => {
    await getToken({ fresh: true }).catch(() => undefined);
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.ownSession }),
      queries.invalidateQueries({ queryKey: queryKeys.sessions }),
    ]);
  };
  switch (step.kind) {
    case 'start':
      return (
        <PasswordPrompt
          className="mt-4"
          email={email}
          label="Set up an authenticator app"
          action="Continue"
          run={startApp}
          onDone={(app) => setStep({ kind: 'scan', app })}
          onCancel={() => toOverview()}
        />
      );
    case 'scan':
      return (
        <NewAppForm
          app={step.app}
          onVerified={() => {
            setStep({ kind: 'codes', codes: step.app.recoveryCodes, isNew: true });
            void refresh();
          }}
          onCancel={() => toOverview()}
        />
      );
    case 'codes':
      return (
        <RecoveryCodes
          codes={step.codes}
          email={email}
          title={step.isNew ? 'Your authenticator app is set up' : 'Your new recovery codes'}
          onGuard={onGuard}
          onDone={() => toOverview()}
        />
      );
    case 'new-codes':
      return (
        <PasswordPrompt
          className="mt-4"
          email={email}
          label="New recovery codes"
          action="Create new codes"
          run={makeRecoveryCodes}
          onDone={(codes) => setStep({ kind: 'codes', codes, isNew: false })}
          onCancel={() => toOverview()}
        />
      );
    case 'remove':
      return (
        <PasswordPrompt
          className="mt-4"
          email={email}
          label="Turn off the authenticator app"
          action="Turn off"
          variant="danger"
          run={removeApp}
          onDone={() => {
            void refresh().then(() =>
              toOverview('The authenticator app is off. Its codes and your recovery codes no longer work.'),
            );
          }}
          onCancel={() => toOverview()}
        />
      );
    case 'overview':
      return (
        <div className="mt-2 grid gap-4">
          <p className="text-[0.9375rem] text-quiet">
            {isOn ? (
              <>
                <strong className="font-semibold text-success">On.</strong> After your password, Pressroom
                asks for a code from the app.
              </>
            ) : (
              'Off. Turn on to protect your account if your password is stolen: you also enter a code from an app on your phone.'
            )}
          </p>
          {step.message !== undefined && <Notice tone="success">{step.message}</Notice>}
          <div className="flex flex-wrap gap-2">
            {isOn ? (
              <>
                <Button ref={button} size="small" onClick={() => setStep({ kind: 'new-codes' })}>
                  New recovery codes
                </Button>
                <Button size="small" variant="danger" onClick={() => setStep({ kind: 'remove' })}>
                  Turn off
                </Button>
              </>
            ) : (
              <Button ref={button} size="small" variant="primary" onClick={() => setStep({ kind: 'start' })}>
                Set up an app
              </Button>
            )}
          </div>
        </div>
      );
  }
}
