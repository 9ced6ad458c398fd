import { describe, expect, it } from '@jest/globals';
import { readJson } from '#libs/ai/read-json.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { boundMarkdown, headingOf, withoutSources } from '#libs/contract/markdown.js';
import { normalisePages } from '#libs/documents/layout/normalise-pages.js';
import { toStandalone } from '#libs/local-engine/pdf-questions/follow-up.js';
import { checkAnswer } from '#libs/local-engine/pdf-search/check-answer.js';
import { parseBounded } from '#libs/local-engine/text/prose.js';
import { articleMessages } from '#libs/tools/generate-article/prompt.js';
import { proofread } from '#libs/tools/generate-article/proofread.js';
import { createTitleReader } from '#libs/tools/generate-blog-title/read-titles.js';
import { QUESTION_MAX_CHARACTERS } from '#libs/tools/chat-with-pdf/contract.js';
import { humanizeText } from '#libs/tools/humanize-text/contract.js';
import { createPartReader } from '#libs/tools/humanize-text/marked-parts.js';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/**
 * Readers of foreign text, with the milliseconds of computing that one of the greatest length may take on a
 * processor of usual speed.
 */
const readers: [string, number, (text: string) => unknown][] = [
  ['the limits of Markdown', 50, boundMarkdown],
  ['Markdown', 1_500, parseBounded],
  ['a heading', 50, (text) => headingOf(`# ${text}`)],
  ['a job’s title', 50, jobTitleFrom],
  ['the input of a tool', 50, (text) => humanizeText.input.safeParse({ text })],
  ['a prompt', 50, (text) => articleMessages({ prompt: text.slice(0, 2_000), length: 800 })],
  ['a text with sources', 50, (text) => withoutSources(`${text}\n\n## What this rests on\n`)],
  ['a page of a PDF', 100, (text) => normalisePages([text])],
  [
    'a question after another',
    100,
    (text) =>
      toStandalone(
        text.slice(0, QUESTION_MAX_CHARACTERS),
        [
          { role: 'user', content: text.slice(0, QUESTION_MAX_CHARACTERS) },
          { role: 'assistant', content: text },
        ],
        { countTerms: () => 0, isBare: () => true, areTogether: () => true },
      ),
  ],
  ['JSON of a model', 100, readJson],
  ['an article of a model', 50, proofread],
  [
    'titles of a model',
    100,
    (text) => {
      const reader = createTitleReader();
      reader.add(text);
      reader.end();
    },
  ],
  [
    'a rewriting of a model',
    100,
    (text) => {
      const reader = createPartReader('part', [{ number: 1, text }]);
      reader.add(text);
      reader.end();
    },
  ],
  [
    'an answer of a model',
    1_000,
    (text) => checkAnswer(text, { pages: [text], question: 'Why?', given: new Set([1]) }),
  ],
];

describe('Time to read a hostile text is limited', () => {
  it.each(readers)('of %s', async (_, limit, read) => {
    read('A text to compile the code with.');
    const slow: Record<string, number> = {};
    for (const [name, text] of Object.entries(hostileTexts)) {
      const ms = await cpuTimeOf(limit, () => read(text));
      if (ms >= limit) slow[name] = Math.round(ms);
    }
    expect(slow).toEqual({});
  });
});
