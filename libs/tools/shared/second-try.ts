import { EngineError } from '#libs/contract/engine.js';
import type { FactBreak } from '#libs/local-engine/text/facts/facts.js';

/** What a model gives when it is asked once more; `otherwise` where it fails, since the first answer will do. */
export async function secondTry<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EngineError) return otherwise;
    throw error;
  }
}

/** Tells a model which facts its rewriting lost and added; blank without any. */
export function describeBreaks(breaks: readonly FactBreak[]): string {
  const list = (change: FactBreak['change']) =>
    breaks.filter((it) => it.change === change).map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`);
  return [
    ...(list('lost').length > 0 ? [`lost or changed: ${list('lost').join(', ')}`] : []),
    ...(list('added').length > 0 ? [`not in the original: ${list('added').join(', ')}`] : []),
  ].join('; ');
}
