import { describe, expect, it } from '@jest/globals';
import { proofread } from './proofread.js';

describe('proofreading', () => {
  it.each([
    ['leaves a sound text alone', '# Tea\n\nText.', '# Tea\n\nText.'],
    ['takes white space off the ends', '\n\n  # Tea\n\nText.  \n\n', '# Tea\n\nText.'],
    ['leaves nothing of an empty answer', ' \n\t\n', ''],
    ['leaves nothing of an empty code block around nothing', '```markdown\n```', '```markdown\n```'],
    ['closes a code fence left open', '# Tea\n\n```sh\nboil', '# Tea\n\n```sh\nboil\n```'],
    ['closes a longer fence with its own mark', '# Tea\n\n~~~~\n```\nboil', '# Tea\n\n~~~~\n```\nboil\n~~~~'],
    ['keeps closed fences', '# Tea\n\n```\nboil\n```\n\nEnd.', '# Tea\n\n```\nboil\n```\n\nEnd.'],
    ['unwraps a text handed over as a code block', '```markdown\n# Tea\n\nText.\n```', '# Tea\n\nText.'],
    ['unwraps one whose end was cut', '```md\n# Tea\n\nText.', '# Tea\n\nText.'],
    [
      'unwraps one with code of its own',
      '```markdown\n# Tea\n\n```sh\nboil\n```\n\nEnd.\n```',
      '# Tea\n\n```sh\nboil\n```\n\nEnd.',
    ],
    ['keeps a code block that only begins the text', '```\n# boil\n```\n\nEnd.', '```\n# boil\n```\n\nEnd.'],
    ['keeps a block of another language', '```sh\n# boil\n```', '```sh\n# boil\n```'],
  ])('%s', (_, text, expected) => {
    expect(proofread(text)).toBe(expected);
  });
});
