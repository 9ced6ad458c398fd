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
    ['unwraps a text within a tag', '<article>\n# Tea\n\nText.\n</article>', '# Tea\n\nText.'],
    ['unwraps a code block of text', '```text\n# Tea\n\nText.\n```', '# Tea\n\nText.'],
    ['keeps a code block that only begins the text', '```\n# boil\n```\n\nEnd.', '```\n# boil\n```\n\nEnd.'],
    ['keeps a block of another language', '```sh\n# boil\n```', '```sh\n# boil\n```'],
  ])('%s', (_, text, expected) => {
    expect(proofread(text)).toBe(expected);
  });
});

describe('what the model says about its answer', () => {
  const article = '# Tea\n\nTea is a drink.\n\n## Sorts\n\nThere are many.';
  const body = 'Tea is a drink.\n\nThere are many.';
  it.each<[string, string, string?]>([
    ['a preface', `Sure! Here's the article about tea:\n\n${article}`],
    ['a preface and a rule', `Here is your article on tea:\n\n---\n\n${article}`],
    ['a remark', `${article}\n\nLet me know if you'd like any changes!`],
    ['a rule and a remark', `${article}\n\n---\n\nI hope this helps. Feel free to ask for more.`],
    ['a rule alone', `${article}\n\n---`],
    ['both', `Certainly!\n\n${article}\n\nWould you like me to make it longer?`],
    ['a fence with a remark after it', `\`\`\`markdown\n${article}\n\`\`\`\n\nLet me know if you need more.`],
    [
      'a fence with a remark about the article after it',
      `\`\`\`\n${article}\n\`\`\`\n\nThis article has 800 words and follows your brief.`,
    ],
    ['a preface without a heading after it', `Sure! Here's the article about tea:\n\n${body}`, body],
    ['an offer of another tone', `${article}\n\nIf you'd like a different tone, just ask.`],
    ['an invitation to ask', `${article}\n\nFeel free to ask for revisions.`],
    ['a preface before a fence', `Of course. Here it is:\n\`\`\`markdown\n${article}\n\`\`\``],
  ])('is left out: %s', (_, text, expected = article) => {
    expect(proofread(text)).toBe(expected);
  });

  it.each([
    'Sure enough, tea is a drink.\n\nIt is hot.',
    '# Tea\n\nLet me know your secret, said the tea.\n\nIt did not answer.',
    'Of course:\n\nTea is a drink.',
    'Sure, tea is cheap.\n\n## Costs\n\nNot always.',
    'Here is the text of the letter she wrote:\n\n> Come home.',
    'Here is a fact about tea.\n\nIt is hot.',
    '# A story\n\nHe closed the door.\n\nLet me know when you arrive, he wrote. She never did.',
    '# A story\n\nHe closed the door.\n\n“Let me know if you need anything else.”',
    '# A story\n\nHe closed the door.\n\nLet me know, she thought, and went to sleep.',
    '# Tea\n\nTea is a drink.\n\nLet me know in the comments how you would like more of it!',
    '# Tea\n\nTea is a drink.\n\nI hope this helps you to brew a better cup.',
    '# Tea\n\nTea is a drink.\n\nIf you need a plumber, we are happy to come.',
    '# Movers\n\nWe carry.\n\nFeel free to reach out to our team for a quote.',
    '# Movers\n\nWe carry.\n\nFeel free to ask for changes to your booking.',
    '# Movers\n\nWe carry.\n\nIf you need more help, just ask for Sam.',
    '# Movers\n\nWe carry.\n\nLet me know if you have any questions: [write](https://a.b).',
    '# Movers\n\nWe carry.\n\nLet me know if you have any questions at sam@example.com.',
    '# Movers\n\nWe carry.\n\nLet me know if you need more help on (020) 7946 0018.',
    '# Movers\n\nWe carry.\n\nLet me know if you need more help at 12 Old Mill Road.',
    '# Letters\n\nDear Ann,\n\nI wrote to you. Please write back.',
  ])('is not taken for it: %s', (text) => {
    expect(proofread(text)).toBe(text);
  });
});
