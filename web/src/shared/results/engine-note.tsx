import { Cpu, Unplug } from 'lucide-react';
import type { EngineName } from '#libs/contract/engine-name.js';

/** Which engine will work, or worked. */
export function EngineNote({ engine, made }: { engine: EngineName; made: boolean }) {
  const offline = engine === 'offline';
  const Icon = offline ? Unplug : Cpu;
  const verb = made ? 'Made by' : 'Works with';
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

/** What a user can do about the offline engine, before they use it. */
export function EngineAdvice({ engine }: { engine: EngineName | undefined }) {
  if (engine !== 'offline') return null;
  return (
    <p className="mt-2 max-w-md text-sm text-quiet">
      No AI service is connected, so this works by rules. Whoever runs this Pressroom connects one with{' '}
      <code>OPENAI_API_KEY</code>.
    </p>
  );
}

export const engineOf = (result: Record<string, unknown> | null): EngineName | null =>
  result?.['engine'] === 'offline' || result?.['engine'] === 'openai' ? result['engine'] : null;
