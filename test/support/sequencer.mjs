import Sequencer from '@jest/test-sequencer';

/** The longest suites: begun last, one would be left over for one worker alone. */
const longest = ['/test/endpoints/', '/test/tools/event-loop'];
/** Folders of long suites by what they mostly do: draw in a browser, wait for programs and times, or compute. */
const drawing = ['/test/browser/'];
const waiting = ['/test/platform/', '/test/start/'];
const computing = ['/test/tools/', '/scripts/quality/', '/libs/local-engine/images/', '/libs/documents/'];

/**
 * Starts the long suites first, the longest of them before all others, and one that draws after one that waits, so that
 * both processor cores have work throughout.
 */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const inside = (folders) => sorted.filter(({ path }) => folders.some((folder) => path.includes(folder)));
    const long = new Set([
      ...inside(longest),
      ...alternate(inside(waiting), inside(drawing)),
      ...inside(computing),
    ]);
    return [...long, ...sorted.filter((test) => !long.has(test))];
  }
}

/** One of each in turn; what is left of the longer list at the end. */
function alternate(ones, others) {
  return Array.from({ length: Math.max(ones.length, others.length) }, (_, index) => [
    ones[index],
    others[index],
  ])
    .flat()
    .filter((test) => test !== undefined);
}
