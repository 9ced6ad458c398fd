import { describe, expect, it } from '@jest/globals';
import { proofread } from './run-proofread.js';

describe('proofreading', () => {
  it.each([
    ['leaves a sound text alone', '# Tea\n\nText.\n', '# Tea\n\nText.\n'],
    ['takes white space off the ends', '\n\n  # Tea\n\nText.  \n\n', '# Tea\n\nText.\n'],
    ['leaves nothing of an empty answer', ' \n\t\n', ''],
    ['leaves nothing of an empty code block around nothing', '```markdown\n```', '```markdown\n```\n'],
    ['closes a code fence left open', '# Tea\n\n```sh\nboil', '# Tea\n\n```sh\nboil\n```\n'],
    [
      'closes a longer fence with its own mark',
      '# Tea\n\n~~~~\n```\nboil',
      '# Tea\n\n~~~~\n```\nboil\n~~~~\n',
    ],
    ['keeps closed fences', '# Tea\n\n```\nboil\n```\n\nEnd.', '# Tea\n\n```\nboil\n```\n\nEnd.\n'],
    ['unwraps a text handed over as a code block', '```markdown\n# Tea\n\nText.\n```', '# Tea\n\nText.\n'],
    ['unwraps one whose end was cut', '```md\n# Tea\n\nText.', '# Tea\n\nText.\n'],
    [
      'unwraps one with code of its own',
      '```markdown\n# Tea\n\n```sh\nboil\n```\n\nEnd.\n```',
      '# Tea\n\n```sh\nboil\n```\n\nEnd.\n',
    ],
    [
      'keeps a code block that only begins the text',
      '```\n# boil\n```\n\nEnd.',
      '```\n# boil\n```\n\nEnd.\n',
    ],
    ['keeps a block of another language', '```sh\n# boil\n```', '```sh\n# boil\n```\n'],
  ])('%s', (_, text, expected) => {
    expect(proofread(text)).toBe(expected);
  });
});
