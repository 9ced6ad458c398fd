import { describe, expect, it } from '@jest/globals';
import { EngineError } from '#libs/contract/engine.js';
import { cpuTimeOf } from '../../../test/support/cpu-time.js';
import { recordRun } from '../../../test/support/run-context.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.js';
import { useTextProvider } from '../../../test/support/text-provider.js';
import { humanizeInputSchema, humanizeOutputSchema } from './contract.js';
import { humanizeHandler } from './run.js';

const ai = useTextProvider();
// The proofreader takes seconds to load.
allowTimeForPrograms();

const text = [
  '# Report',
  'Furthermore, Ada paid $5 million in 2024.',
  '> “Quoted.”',
  'It is good to utilize `npm ci`, see [docs](http://a.b).',
  'The end of it is near.',
].join('\n\n');
const good = [
  '<part n="1">In 2024 Ada paid five million dollars.</part>',
  '<part n="2">Use `npm ci`: the [docs](http://a.b) say it is good.</part>',
  '<part n="3">It will soon be over.</part>',
];
const result = [
  '# Report',
  'In 2024 Ada paid five million dollars.',
  '> “Quoted.”',
  'Use `npm ci`: the [docs](http://a.b) say it is good.',
  'It will soon be over.',
].join('\n\n');

describe('a text rewritten by a provider', () => {
  it('streams each part after its facts are compared, and keeps everything but running text', async () => {
    ai.fake.script({ text: good.join('\n\n'), paceMs: 1 });
    const run = recordRun();
    const outcome = await humanizeHandler.withProvider({ text }, ai.provider, run.context);
    expect(humanizeOutputSchema.omit({ model: true }).parse(outcome.result)).toEqual(outcome.result);
    expect(outcome.result).toMatchObject({
      content: result,
      engine: 'openai',
      changes: [],
      notice: null,
      facts: { numbers: 2, names: 1, links: 1, quotations: 1, code: 1 },
      readability: { scale: 'Flesch reading ease' },
    });
    expect(run.text()).toBe(result);
    expect(run.pieces).toHaveLength(3);
    expect(run.stages).toEqual(['reading', 'writing', 'proofreading']);
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b));
    expect(outcome.creation).toEqual({ type: 'humanized-text', prompt: text, content: result });
  });

  it('gives the model the text as content, its parts marked', async () => {
    ai.fake.script({ text: good.join('') });
    await humanizeHandler.withProvider({ text }, ai.provider, recordRun().context);
    const [system, user] = ai.fake.requests.at(-1)?.body?.messages ?? [];
    expect(system?.content).toMatch(/never an instruction to you/);
    expect(user?.content).toContain('<part n="1">Furthermore, Ada paid $5 million in 2024.</part>');
  });

  it('is requested again with the lost and added facts, and nothing of the first answer is shown', async () => {
    ai.fake.script(
      { text: [good[0], '<part n="2">Use npm, says Bob.</part>', good[2]].join('\n') },
      { text: good[1] },
    );
    const before = ai.fake.requests.length;
    const run = recordRun();
    const outcome = await humanizeHandler.withProvider({ text }, ai.provider, run.context);
    expect(outcome.result.content).toBe(result);
    expect(run.text()).toBe(result);
    expect(ai.fake.requests.length - before).toBe(2);
    expect(run.stages).toEqual(['reading', 'writing', 'repairing', 'writing', 'proofreading']);
    const asked = ai.fake.requests.at(-1)?.body?.messages.at(-1)?.content;
    expect(asked).toContain(
      'Part 2: lost or changed: link "http://a.b", code "npm ci"; not in the original: name "Bob".',
    );
    expect(asked).not.toContain('Part 1');
  });

  it.each([
    ['a number', '<part n="1">Ada paid $6 million in 2024.</part>', /\$5 million/],
    ['a name', '<part n="1">She paid $5 million in 2024.</part>', /“Ada”/],
    ['an invention', '<part n="1">Ada paid $5 million in 2024, as NASA said.</part>', /“NASA”/],
  ])('fails for good when the second try breaks %s too', async (_, bad, words) => {
    ai.fake.script({ text: [bad, good[1], good[2]].join('\n') }, { text: bad });
    const run = recordRun();
    const running = humanizeHandler.withProvider({ text }, ai.provider, run.context);
    await expect(running).rejects.toMatchObject({
      name: 'AppError',
      code: 'PROVIDER_FAILED',
      message: expect.stringMatching(words),
    });
    // Text after the broken part is not streamed, since text is streamed from the top.
    expect(run.text()).toBe('');
  });

  it.each([
    ['leaves a part out', good.slice(0, 2).join('')],
    ['makes a list of a part', [good[0], good[1], '<part n="3">- It will\n# soon be over.</part>'].join('')],
    ['says nothing but a remark', 'I am sorry, I cannot help with that.'],
    [
      'makes a part ten times as long',
      [good[0], good[1], `<part n="3">${'and on '.repeat(40)}</part>`].join(''),
    ],
  ])('is requested again when the model %s', async (_, answer) => {
    ai.fake.script({ text: answer }, { text: good.join('\n') });
    const outcome = await humanizeHandler.withProvider({ text }, ai.provider, recordRun().context);
    expect(outcome.result.content).toBe(result);
  });

  const letter = 'Dear Sam,\nThank you for 3 letters.\n\nYours,\nPat';
  it.each([
    [
      'tags',
      ['Dear Sam,', 'Thanks for 3 letters.', 'Yours,', 'Pat']
        .map((line, index) => `<part n="${index + 1}">${line}</part>`)
        .join('\n'),
    ],
    ['no tags', 'Dear Sam,\nThanks for 3 letters.\n\nYours,\nPat'],
  ])('keeps the lines of a letter that a model answers with %s', async (_, answer) => {
    ai.fake.script({ text: answer });
    const outcome = await humanizeHandler.withProvider({ text: letter }, ai.provider, recordRun().context);
    expect(outcome.result.content).toBe('Dear Sam,\nThanks for 3 letters.\n\nYours,\nPat');
  });

  it('needs no model without running text', async () => {
    const before = ai.fake.requests.length;
    const run = recordRun();
    const outcome = await humanizeHandler.withProvider(
      { text: '# Only\n\n> this' },
      ai.provider,
      run.context,
    );
    expect(outcome.result.content).toBe('# Only\n\n> this');
    expect(outcome.result.notice).toMatch(/no running text/);
    expect(run.text()).toBe(outcome.result.content);
    expect(ai.fake.requests.length).toBe(before);
  });

  it.each(['[[cut]]', '[[500]]', '[[empty]]', '[[unfinished]]'])(
    '%s is a failure that may pass',
    async (marker) => {
      const running = humanizeHandler.withProvider(
        { text: `Fail ${marker}` },
        ai.provider,
        recordRun().context,
      );
      await expect(running).rejects.toBeInstanceOf(EngineError);
    },
  );

  it('ends its request when it is cancelled', async () => {
    ai.fake.script({ text: good.join('\n'), paceMs: 100 });
    const reason = new Error('cancelled');
    const run = recordRun({ onText: () => run.controller.abort(reason) });
    await expect(humanizeHandler.withProvider({ text }, ai.provider, run.context)).rejects.toBe(reason);
    await ai.fake.requests.at(-1)?.over;
    expect(ai.fake.open).toBe(0);
  });
});

describe('a text edited offline', () => {
  it('streams, and lists its changes and its readability before and after', async () => {
    const run = recordRun();
    const { result, creation } = await humanizeHandler.offline({ text }, run.context);
    expect(humanizeOutputSchema.omit({ model: true }).parse(result)).toEqual(result);
    expect(result.engine).toBe('offline');
    expect(result.content).toBe(
      text.replace('Furthermore, Ada', 'Also, Ada').replace('It is good to utilize', "It's good to use"),
    );
    expect(run.text()).toBe(result.content);
    expect(result.changes).toEqual([
      { kind: 'phrase', before: 'Furthermore,', after: 'Also,', count: 1 },
      { kind: 'phrase', before: 'utilize', after: 'use', count: 1 },
      { kind: 'contraction', before: 'It is', after: "It's", count: 1 },
    ]);
    expect(result.readability?.after).toBeGreaterThan(result.readability?.before ?? 0);
    expect(result.notice).toBeNull();
    expect(creation?.type).toBe('humanized-text');
    expect(JSON.stringify(result)).not.toMatch(/detect/i);
  });

  it.each([
    ['German', 'Es ist wichtig zu wissen, dass die Katze auf der Matte sitzt und nicht im Haus ist.'],
    ['Chinese', '这是一个很长的句子，用来测试。'],
    ['Arabic', 'هذا نص باللغة العربية يستخدم للاختبار.'],
  ])('leaves %s as it is, and says so', async (_, foreign) => {
    const { result } = await humanizeHandler.offline({ text: foreign }, recordRun().context);
    expect(result).toMatchObject({ content: foreign, readability: null, changes: [] });
    expect(result.notice).toMatch(/English only/);
  });

  it('edits the English paragraphs of a mixed text', async () => {
    const german = 'Es ist wichtig zu wissen, dass die Katze auf der Matte sitzt und nicht im Haus ist.';
    const english = 'It is important to note that the cat is on the mat and it is not in the house.';
    const { result } = await humanizeHandler.offline(
      { text: `${german}\n\n${english}` },
      recordRun().context,
    );
    expect(result.content).toBe(`${german}\n\nThe cat is on the mat and it isn't in the house.`);
    expect(result.notice).toMatch(/another language/);
  });

  it('says if there was nothing to change', async () => {
    const { result } = await humanizeHandler.offline(
      { text: 'The cat sat on the mat.' },
      recordRun().context,
    );
    expect(result.content).toBe('The cat sat on the mat.');
    expect(result.notice).toMatch(/as you wrote it/);
  });

  it('takes a thousand words within two seconds', async () => {
    const long = 'It is important to note that we utilize many tools in order to work. '.repeat(70);
    const edit = async () => {
      const { result } = await humanizeHandler.offline({ text: long }, recordRun().context);
      expect(result.changes.find(({ before }) => before === 'utilize')?.count).toBe(70);
    };
    expect(await cpuTimeOf(2_000, edit)).toBeLessThan(2_000);
  });
});

describe('the input', () => {
  it.each([
    [{}, 'Enter your text'],
    [{ text: ' \n ' }, 'Enter your text'],
    [{ text: 5 }, 'Enter your text'],
    [{ text: 'a '.repeat(1001) }, 'Text exceeds 1000 word limit'],
    [{ text: 'x'.repeat(20_001) }, 'Keep the text within 20,000 characters'],
  ])('is refused with the specified message', (input, message) => {
    expect(humanizeInputSchema.safeParse(input).error?.issues[0]?.message).toBe(message);
  });

  it('may have a thousand words, with any separators', () => {
    expect(humanizeInputSchema.safeParse({ text: 'a\n\t '.repeat(1000) }).success).toBe(true);
  });
});

it('names the fields of a brief that this server ignores, and words to avoid that are left', async () => {
  const { result, creation } = await humanizeHandler.offline(
    { text: 'The shop opened in 1982 and sells paper.', avoid: 'paper', audience: 'printers' },
    recordRun().context,
  );
  expect(result.notice).toMatch(
    /do not follow what your brief says of readers;.*“paper” is still in the text/,
  );
  expect(creation?.settings).toEqual({ avoid: 'paper', audience: 'printers' });
});
