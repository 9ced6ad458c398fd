import { factKinds, type Fact, type FactKind } from './fact.js';
import { keyOf, namesIn } from './names.js';
import { numbersIn } from './numbers.js';
import { GAP, plainOf } from './plain.js';
import { quotationKey, quotationsIn } from './quotations.js';

/** A fact that a rewriting lost or added. */
export interface FactBreak {
  kind: FactKind;
  change: 'lost' | 'added';
  text: string;
}

const bareDomain =
  /(?<![\p{L}\p{N}@/.])(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|dev|app|ai|co|info|eu|uk|de|fr|es|it|nl|in|us|ca|au|ch|at|jp)(?![\p{L}\p{N}-])(?:\/[^\s<>()]*[^\s<>().,;:!?])?/giu;

export function factsOf(markdown: string): Fact[] {
  return readFacts(markdown).facts;
}

function readFacts(markdown: string): { facts: Fact[]; plain: string } {
  const { plain, facts } = plainOf(markdown);
  let text = plain;
  for (const { text: quotation } of quotationsIn(plain)) {
    facts.push({ kind: 'quotation', key: quotationKey(quotation), text: quotation, weak: false });
    text = text.replace(quotation, GAP);
  }
  text = text.replace(bareDomain, (domain) => {
    facts.push({ kind: 'link', key: domain.toLowerCase(), text: domain, weak: false });
    return GAP;
  });
  return { facts: [...facts, ...numbersIn(text), ...namesIn(text)], plain };
}

/**
 * Compares a rewriting with its original. Each fact must occur at least as often as before, a name at least once; no number,
 * name, link, quotation or code may be new. Numbers are compared by value: "25%" is "twenty-five percent".
 */
export function compareFacts(before: string, after: string): FactBreak[] {
  const [old, fresh] = [readFacts(before), readFacts(after)];
  return factKinds.flatMap((kind) => {
    const from = old.facts.filter((fact) => fact.kind === kind);
    const to = fresh.facts.filter((fact) => fact.kind === kind);
    return [
      ...missing(from, to, kind === 'name' ? 1 : Infinity)
        .filter(({ key }) => kind !== 'name' || !hasWord(fresh.plain, key))
        .map((text) => ({ kind, change: 'lost' as const, text: text.text })),
      ...missing(to, from, 1)
        .filter(({ key }) => kind !== 'name' || !hasWord(old.plain.toLowerCase(), key.toLowerCase()))
        .map((text) => ({ kind, change: 'added' as const, text: text.text })),
    ];
  });
}

/** The facts of one text that the other lacks, or has less often, up to `most` times each. */
function missing(of: Fact[], from: Fact[], most: number): Fact[] {
  const left = new Map<string, number>();
  for (const { key } of from) left.set(key, (left.get(key) ?? 0) + 1);
  const wanted = new Map<string, number>();
  const lacking = new Map<string, Fact>();
  for (const fact of of) {
    if (fact.weak) continue;
    const times = Math.min((wanted.get(fact.key) ?? 0) + 1, most);
    wanted.set(fact.key, times);
    if ((left.get(fact.key) ?? 0) < times) lacking.set(fact.key, fact);
  }
  return [...lacking.values()];
}

/** True if a text has the name as a whole word. */
function hasWord(plain: string, key: string): boolean {
  const escaped = key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'u').test(keyOf(plain));
}

/** The number of different facts of each kind, without uncertain ones. */
export function countFacts(markdown: string): Record<FactKind, number> {
  const facts = factsOf(markdown).filter(({ weak }) => !weak);
  const count = (kind: FactKind) =>
    new Set(facts.filter((fact) => fact.kind === kind).map(({ key }) => key)).size;
  return Object.fromEntries(factKinds.map((kind) => [kind, count(kind)])) as Record<FactKind, number>;
}
