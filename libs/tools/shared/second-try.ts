import { EngineError } from '#libs/contract/engine.js';
import type { FactBreak } from '#libs/local-engine/text/facts/facts.js';

/** The result of asking a model again; `otherwise` if the AI service fails, since there is a first answer. */
export async function secondTry<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EngineError) return otherwise;
    throw error;
  }
}

/** Lists for a model the facts that its rewriting lost and added; blank without any. */
export function describeBreaks(breaks: readonly FactBreak[]): string {
  const list = (change: FactBreak['change']) =>
    breaks.filter((it) => it.change === change).map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`);
  return [
    ...(list('lost').length > 0 ? [`lost or changed: ${list('lost').join(', ')}`] : []),
    ...(list('added').length > 0 ? [`not in the original: ${list('added').join(', ')}`] : []),
  ].join('; ');
}
