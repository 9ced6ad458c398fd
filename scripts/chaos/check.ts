import type { Remains } from './evidence.ts';
import type { Evidence, Rule } from './rule.ts';
import { answersAreExpected, clientsReportNoViolation } from './answer-rules.ts';
import { batchesAgreeWithRows } from './batch-rules.ts';
import { ledgersAddUp } from './ledger-rules.ts';
import {
  eventsAgreeWithRows,
  tabsShowEndedJobs,
  textsAgreeWithResults,
  usersReceiveOwnEvents,
} from './live-rules.ts';
import { actsAreRecorded, entriesAgreeWithRows } from './operator-rules.ts';
import {
  deletedStaysDeleted,
  everyAcceptedJobEndsOnce,
  everyCreationHasItsJob,
  flowsContinue,
  groupsAreComplete,
  oneKeyNamesOneJob,
  sourcesAreNamed,
  versionsAgreeWithRows,
} from './stored-work-rules.ts';

/*
 * The checker compares answers and events that clients received with the tables and the store. It shares no code with the
 * product.
 */

const rules: Rule[] = [
  everyAcceptedJobEndsOnce,
  ledgersAddUp,
  everyCreationHasItsJob,
  batchesAgreeWithRows,
  flowsContinue,
  groupsAreComplete,
  versionsAgreeWithRows,
  sourcesAreNamed,
  eventsAgreeWithRows,
  textsAgreeWithResults,
  usersReceiveOwnEvents,
  answersAreExpected,
  oneKeyNamesOneJob,
  tabsShowEndedJobs,
  deletedStaysDeleted,
  clientsReportNoViolation,
  actsAreRecorded,
  entriesAgreeWithRows,
];

/** Violations of a round whose work has ended. */
export const checkRound = (evidence: Evidence): string[] => rules.flatMap((rule) => rule(evidence));

/** Violations in the remaining data, after all work and retention. */
export function checkRemains(remains: Remains): string[] {
  const { objects, creationIds, currentKeys, versionKeys, pictureKeys, documentKeys } = remains;
  const stored = new Set(remains.stored);
  const keys = new Set(objects.map(({ key }) => key));
  const needed = new Set([...pictureKeys, ...documentKeys]);
  const creations = new Set(creationIds);
  const versions = new Set(versionKeys);
  const unused = objects.filter(({ key, kind, isRemoved, creationId }) => {
    if (isRemoved || kind === 'upload') return true;
    const isOfCreation = ['image', 'thumbnail', 'version', 'original'].includes(kind);
    if (kind === 'version' && !versions.has(key)) return true;
    return isOfCreation ? !creations.has(creationId ?? '') : !needed.has(key);
  });
  return [
    ...remains.stored.filter((name) => !keys.has(name)).map((name) => `object ${name} has no row`),
    ...objects
      .filter(({ key, isStored }) => isStored && !stored.has(key))
      .map(({ key, kind }) => `${kind} ${key} has a row, but no object`),
    ...unused.map(({ key, kind }) => `${kind} ${key} is unused, but not deleted`),
    ...new Set(
      [...currentKeys, ...versionKeys]
        .filter((key) => !keys.has(key))
        .map((key) => `${key} is referenced, but has no row`),
    ),
    ...remains.previews.map((id) => `preview ${id} is not deleted`),
    ...remains.queueEntries.map((entry) => `the queue still has ${entry}`),
    ...remains.traces.map((trace) => `a deleted text remains: ${trace}`),
    ...remains.problems,
  ];
}
