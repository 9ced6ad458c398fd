import { Cpu, Server } from 'lucide-react';
import type { EngineName } from '#libs/contract/engine.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useConfig } from '../../../shared/account/read-config';

/** Engine and model that created a result. Results of older versions have no `model`. */
export interface ResultEngine {
  engine: EngineName;
  model?: string | null;
}

interface EngineNoteProps extends ResultEngine {
  /** True if the result exists already; the note is then in the past tense. */
  past: boolean;
}

export function EngineNote({ engine, model, past }: EngineNoteProps) {
  const Icon = engine === 'offline' ? Server : Cpu;
  const where =
    engine === 'offline'
      ? `${past ? 'Made' : 'Works'} on this server`
      : `${past ? 'Made by' : 'Works with'} the connected AI service`;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {model ? `${where} · ${model}` : where}
    </span>
  );
}

interface NoServiceHintProps {
  engine: EngineName | undefined;
  /** Text on how the server works without an AI service. */
  does?: string;
}

/** Hint that no AI service does the work of a tool. Operators also see how to connect one. */
export function NoServiceHint({ engine, does = 'this works by rules' }: NoServiceHintProps) {
  const account = useAccount();
  const isConnected = useConfig().data?.engine === 'openai';
  if (engine !== 'offline') return null;
  return (
    <p className="mt-2 max-w-md text-sm text-quiet">
      {isConnected ? 'The connected AI service is not used here' : 'No AI service is connected'}, so {does}.
      {!isConnected && account.data?.role === 'admin' && (
        <>
          {' '}
          As an operator, you can connect one with <code>OPENAI_API_KEY</code>.
        </>
      )}
    </p>
  );
}

export function resultEngineOf(result: Record<string, unknown> | null): ResultEngine | null {
  const engine = result?.['engine'];
  if (engine !== 'offline' && engine !== 'openai') return null;
  const model = result?.['model'];
  return { engine, model: typeof model === 'string' ? model : null };
}
