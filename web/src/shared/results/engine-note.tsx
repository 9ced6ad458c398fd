import { Cpu, Unplug } from 'lucide-react';
import type { EngineName } from '#libs/contract/engine-name.js';
import { useAccount } from '../api/read-account';

/** @param props.past whether the engine has worked already */
export function EngineNote({ engine, past }: { engine: EngineName; past: boolean }) {
  const offline = engine === 'offline';
  const Icon = offline ? Unplug : Cpu;
  const verb = past ? 'Made by' : 'Works with';
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {offline ? (
        <strong className="font-semibold text-warning">{verb} the offline engine</strong>
      ) : (
        `${verb} the connected AI engine`
      )}
    </span>
  );
}

/** Says that rules do the work; to operators also how to connect a service. */
export function OfflineEngineHint({ engine }: { engine: EngineName | undefined }) {
  const account = useAccount();
  if (engine !== 'offline') return null;
  return (
    <p className="mt-2 max-w-md text-sm text-quiet">
      No AI service is connected, so this works by rules.
      {account.data?.role === 'admin' && (
        <>
          {' '}
          As an operator of this Pressroom, you connect one with <code>OPENAI_API_KEY</code>.
        </>
      )}
    </p>
  );
}

export const engineOf = (result: Record<string, unknown> | null): EngineName | null =>
  result?.['engine'] === 'offline' || result?.['engine'] === 'openai' ? result['engine'] : null;
