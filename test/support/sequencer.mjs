import Sequencer from '@jest/test-sequencer';

/** Folders of long suites, the longest first. */
const long = ['/test/browser/', '/test/platform/', '/test/start/', '/test/endpoints/'];

/** Starts the long suites first, so that none is left over for one worker alone at the end. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = long.findIndex((folder) => path.includes(folder));
      return index < 0 ? long.length : index;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}
