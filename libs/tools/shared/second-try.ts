import { EngineError } from '#libs/contract/engine.js';
import type { FactBreak } from '#libs/local-engine/text/facts/facts.js';

/** Asks a model again for a better answer. If the AI service fails, resolves to `otherwise`, usually the first answer. */
export async function secondTry<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EngineError) return otherwise;
    throw error;
  }
}

/** Text for a prompt that lists the facts that a rewrite lost and added; blank if there are none. */
export function describeBreaks(breaks: readonly FactBreak[]): string {
  const list = (change: FactBreak['change']) =>
    breaks.filter((it) => it.change === change).map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`);
  return [
    ...(list('lost').length > 0 ? [`lost or changed: ${list('lost').join(', ')}`] : []),
    ...(list('added').length > 0 ? [`not in the original: ${list('added').join(', ')}`] : []),
  ].join('; ');
}
