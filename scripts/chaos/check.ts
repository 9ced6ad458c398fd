import type { Remains } from './evidence.ts';
import type { Evidence, Rule } from './rule.ts';
import { answersAreMeant, clientsSawNothingBroken } from './answer-rules.ts';
import { batchesAgreeWithRows } from './batch-rules.ts';
import { ledgersAddUp } from './ledger-rules.ts';
import {
  eventsAgreeWithRows,
  nobodyReceivesAnothersEvents,
  tabsShowTheEnd,
  textsAgreeWithResults,
} from './live-rules.ts';
import {
  deletedStaysDeleted,
  everyAcceptedJobEndsOnce,
  everyCreationHasItsJob,
  flowsGoOn,
  groupsAreWhole,
  oneKeyNamesOneJob,
  sourcesAreNamed,
  versionsAgreeWithRows,
} from './stored-work-rules.ts';

/*
 * The checker: compares what clients were told with the tables and the store. It shares no code with the product.
 */

const rules: Rule[] = [
  everyAcceptedJobEndsOnce,
  ledgersAddUp,
  everyCreationHasItsJob,
  batchesAgreeWithRows,
  flowsGoOn,
  groupsAreWhole,
  versionsAgreeWithRows,
  sourcesAreNamed,
  eventsAgreeWithRows,
  textsAgreeWithResults,
  nobodyReceivesAnothersEvents,
  answersAreMeant,
  oneKeyNamesOneJob,
  tabsShowTheEnd,
  deletedStaysDeleted,
  clientsSawNothingBroken,
];

/** The broken promises of a round whose work is over. */
export const checkRound = (evidence: Evidence): string[] => rules.flatMap((rule) => rule(evidence));

/** The broken promises that show when everything is over and retention has passed. */
export function checkRemains(remains: Remains): string[] {
  const { objects, creationIds, shownKeys, versionKeys, pictureKeys, documentKeys } = remains;
  const stored = new Set(remains.stored);
  const keys = new Set(objects.map(({ key }) => key));
  const needed = new Set([...pictureKeys, ...documentKeys]);
  const creations = new Set(creationIds);
  const versions = new Set(versionKeys);
  const unused = objects.filter(({ key, kind, isRemoved, creationId }) => {
    if (isRemoved || kind === 'upload') return true;
    const isOfCreation = ['image', 'thumbnail', 'version'].includes(kind);
    if (kind === 'version' && !versions.has(key)) return true;
    return isOfCreation ? !creations.has(creationId ?? '') : !needed.has(key);
  });
  return [
    ...remains.stored.filter((name) => !keys.has(name)).map((name) => `object ${name} has no row`),
    ...objects
      .filter(({ key, isStored }) => isStored && !stored.has(key))
      .map(({ key, kind }) => `${kind} ${key} has a row, and no object`),
    ...unused.map(({ key, kind }) => `${kind} ${key} is needed by nothing, and is kept`),
    ...new Set(
      [...shownKeys, ...versionKeys]
        .filter((key) => !keys.has(key))
        .map((key) => `${key} is shown, and has no row`),
    ),
    ...remains.previews.map((id) => `preview ${id} is waited for by nobody, and is kept`),
    ...remains.queueEntries.map((entry) => `the queue still holds ${entry}`),
    ...remains.traces.map((trace) => `deleted, and still there: ${trace}`),
    ...remains.problems,
  ];
}
