import type { ChangedFact } from '#libs/tools/rewrite-text/contract.js';
import { Notice } from '../../../shared/ui/notice';

/** What a rewriting did with the facts of its passage. */
export function ChangedFacts({ facts }: { facts: readonly ChangedFact[] }) {
  const list = (change: ChangedFact['change']) => facts.filter((fact) => fact.change === change);
  return (
    <Notice tone="warning" title="Check the facts">
      {[['No longer in it:', list('lost')] as const, ['Not in it before:', list('added')] as const].map(
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
