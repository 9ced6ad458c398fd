import { engineVariables } from './engines.js';
import { variables } from './variables.js';

const names = [...Object.keys(variables.shape), ...engineVariables];

/** Shorter names, `PORT` and `HOST`, are too close to those of other programs. */
const MIN_LETTERS = 6;
const LETTERS_FOR_TWO_EDITS = 9;

/**
 * Lines about names in the environment that are close to one of ours, which is not set: other letter case or underscores, one or
 * two edits, or the last words left out.
 */
export function misspeltVariables(environment: Record<string, string | undefined> = process.env): string[] {
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  const missing = names.filter((name) => !isSet(name));
  return Object.keys(environment)
    .filter((name) => isSet(name) && !names.includes(name) && !isServiceLink(name, environment[name]!))
    .flatMap((name) => {
      const meant = closest(name, missing) ?? beginningWith(name, missing);
      return meant ? [`${name} is not a variable of Pressroom; did you mean ${meant}?`] : [];
    });
}

/** True for the variables that Kubernetes and Docker's links set for each service. */
const isServiceLink = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name) || /^(tcp|udp|sctp):\/\//.test(value);

const lettersOf = (name: string) => name.toUpperCase().replace(/[^A-Z\d]/g, '');

function closest(name: string, candidates: string[]): string | undefined {
  const letters = lettersOf(name);
  const near = candidates.flatMap((candidate) => {
    const own = lettersOf(candidate);
    if (own.length < MIN_LETTERS) return [];
    const allowed = own.length < LETTERS_FOR_TWO_EDITS ? 1 : 2;
    if (Math.abs(own.length - letters.length) > allowed) return [];
    const distance = editDistance(letters, own);
    return distance <= allowed ? [{ candidate, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** The first name that begins with the words of `name`, of which there are at least two, such as `RATE_LIMITS`. */
function beginningWith(name: string, candidates: string[]): string | undefined {
  const words = name.toUpperCase().replace(/S$/, '');
  if (!words.includes('_')) return undefined;
  return candidates.find(
    (candidate) => candidate.startsWith(`${words}_`) || candidate.startsWith(`${words}S_`),
  );
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(row[j - 1]! + 1, before[j]! + 1, replaced, isSwap ? twoBefore[j - 2]! + 1 : Infinity),
      );
    }
    [twoBefore, before] = [before, row];
  }
  return before[b.length]!;
}
