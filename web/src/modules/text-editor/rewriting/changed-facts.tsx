import type { ChangedFact } from '#libs/tools/rewrite-text/contract.js';
import { Notice } from '../../../shared/ui/notice';

/** Lists facts, such as names and numbers, that a rewrite removed or added. */
export function ChangedFacts({ facts }: { facts: readonly ChangedFact[] }) {
  const list = (change: ChangedFact['change']) => facts.filter((fact) => fact.change === change);
  return (
    <Notice tone="warning" title="Check the facts">
      {[['Removed:', list('lost')] as const, ['Added:', list('added')] as const].map(
        ([title, found]) =>
          found.length > 0 && (
            <span key={title} className="block">
              {title}{' '}
              {found.map(({ text }, index) => (
                <span key={index} className="text-ink">
                  {index > 0 && ', '}
                  {text}
                </span>
              ))}
            </span>
          ),
      )}
    </Notice>
  );
}
