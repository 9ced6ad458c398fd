import { describe, expect, it } from '@jest/globals';
import { EngineError } from '#libs/contract/engine.js';
import { JOBS, recordRun } from '../../../test/support/run-context.js';
import { useTextProvider } from '../../../test/support/text-provider.js';
import { suggestTitles } from '#libs/local-engine/blog-titles/suggest-titles.js';
import { titlesOutputSchema } from './contract.js';
import { blogTitleHandler } from './run.js';

const ai = useTextProvider();

const list = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}. Title number ${from + i} about tea`).join(
    '\n',
  );
const input = { prompt: 'tea', category: 'Food' as const };

describe('titles by a provider', () => {
  it('stream line by line, and the streamed text is the result', async () => {
    ai.fake.script({ text: `Here you are:\n\n${list(1, 12)}\n\nEnjoy!`, paceMs: 1 });
    const run = recordRun();
    const { result, creation } = await blogTitleHandler.withProvider(input, ai.provider, run.context);
    expect(titlesOutputSchema.omit({ model: true }).parse(result)).toEqual(result);
    expect(result.content).toBe(`${list(1, 12)}\n`);
    expect(result.engine).toBe('openai');
    expect(run.text()).toBe(result.content);
    expect(run.pieces.length).toBeGreaterThan(6);
    expect(run.stages).toEqual(['briefing', 'writing']);
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b));
    expect(creation).toEqual({
      type: 'blog-title',
      prompt: 'tea',
      content: result.content,
      settings: { category: input.category },
    });
  });

  it('are requested with the unchanged prompt and the chosen category', async () => {
    const prompt = 'Generate a blog title for the keyword tea in the category Food';
    ai.fake.script({ text: list(1, 10) });
    await blogTitleHandler.withProvider({ prompt, category: 'Health' }, ai.provider, recordRun().context);
    const messages = ai.fake.requests.at(-1)?.body?.messages ?? [];
    expect(messages.at(-1)).toEqual({ role: 'user', content: prompt });
    expect(messages[0]?.content).toMatch(/Category: Health\./);
    expect(messages[0]?.content).toMatch(/never fewer than 10.*within 500 words/s);
  });

  it('are requested again in the same attempt if they are too few', async () => {
    ai.fake.script({ text: list(1, 7) }, { text: `${list(3, 3)}\n${list(8, 12)}` });
    const before = ai.fake.requests.length;
    const run = recordRun();
    const { result } = await blogTitleHandler.withProvider(input, ai.provider, run.context);
    expect(ai.fake.requests.length - before).toBe(2);
    expect(result.titles).toHaveLength(12);
    expect(result.content).toBe(`${list(1, 12)}\n`);
    expect(run.text()).toBe(result.content);
    expect(run.stages).toEqual(['briefing', 'writing', 'completing', 'writing']);
    const asked = ai.fake.requests.at(-1)?.body?.messages ?? [];
    expect(asked.at(-2)).toEqual({ role: 'assistant', content: list(1, 7) });
    expect(asked.at(-1)?.content).toMatch(/5 more.*numbered from 8/);
  });

  it('fail as retryable if they stay too few', async () => {
    ai.fake.script({ text: 'I cannot.' }, { text: list(1, 4) });
    const running = blogTitleHandler.withProvider(input, ai.provider, recordRun().context);
    await expect(running).rejects.toMatchObject({ name: 'EngineError', retryable: true });
  });

  it.each([
    ['on one line', (titles: string[]) => JSON.stringify({ titles })],
    ['on several lines', (titles: string[]) => JSON.stringify({ titles }, null, 2)],
    ['as a list', (titles: string[]) => JSON.stringify(titles)],
    [
      'after a preface',
      (titles: string[]) =>
        `Here are the titles:\n\`\`\`json\n${JSON.stringify({ titles }, null, 2)}\n\`\`\`\nAnything else?`,
    ],
    [
      'after two prefaces',
      (titles: string[]) =>
        `Sure! Here are the titles.\n\nI hope you like them.\n\n\`\`\`json\n${JSON.stringify({ titles }, null, 2)}\n\`\`\``,
    ],
    [
      'on one line after a preface',
      (titles: string[]) => `Sure! Here you go.\n${JSON.stringify({ titles })}`,
    ],
    [
      'in a fence, as objects',
      (titles: string[]) =>
        `\`\`\`json\n${JSON.stringify({ titles: titles.map((title) => ({ title })) }, null, 2)}\n\`\`\``,
    ],
  ])('may come as JSON %s', async (_, write) => {
    const titles = Array.from({ length: 12 }, (__, index) => `Tea for winter evenings, part ${index + 1}`);
    ai.fake.script({ text: write(titles) });
    const { result } = await blogTitleHandler.withProvider(input, ai.provider, recordRun().context);
    expect(result.titles).toEqual(titles);
  });

  it('take no longer after many blank lines', async () => {
    ai.fake.script({ text: `Titles:${'\n'.repeat(20_000)}${list(1, 12)}` });
    const before = process.threadCpuUsage();
    const { result } = await blogTitleHandler.withProvider(input, ai.provider, recordRun().context);
    expect(result.titles).toHaveLength(12);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  it('have at most five hundred words for any answer', async () => {
    ai.fake.script({ text: list(1, 300) });
    const { result } = await blogTitleHandler.withProvider(input, ai.provider, recordRun().context);
    expect(result.content.trim().split(/\s+/).length).toBeLessThanOrEqual(500);
    expect(result.titles.length).toBeGreaterThan(50);
  });

  it.each(['[[cut]]', '[[500]]', '[[empty]]', '[[unfinished]]'])('%s is a failure', async (marker) => {
    const running = blogTitleHandler.withProvider(
      { prompt: `Fail ${marker}`, category: 'General' },
      ai.provider,
      recordRun().context,
    );
    await expect(running).rejects.toBeInstanceOf(EngineError);
  });
});

describe('titles offline', () => {
  it('stream one by one, with the name of the engine', async () => {
    const run = recordRun();
    const { result, creation } = await blogTitleHandler.offline(input, run.context);
    expect(titlesOutputSchema.omit({ model: true }).parse(result)).toEqual(result);
    expect(result.engine).toBe('offline');
    expect(result.titles).toHaveLength(12);
    expect(run.pieces).toHaveLength(12);
    expect(run.text()).toBe(result.content);
    expect(result.content).toMatch(/^1\. .*\n2\. .*\n/);
    expect(creation).toMatchObject({ type: 'blog-title', settings: { category: input.category } });
  });

  it('differ between jobs, but not between attempts of one job', async () => {
    const suggest = async (jobId: string) =>
      (await blogTitleHandler.offline(input, recordRun({ jobId }).context)).result.titles;
    const [one, again, other] = [await suggest(JOBS[0]), await suggest(JOBS[0]), await suggest(JOBS[1])];
    expect(again).toEqual(one);
    expect(other.filter((title) => !one.includes(title)).length).toBeGreaterThan(3);
  });

  it('stop when they are cancelled', async () => {
    const reason = new Error('cancelled');
    const run = recordRun({ onText: () => run.controller.abort(reason) });
    await expect(blogTitleHandler.offline(input, run.context)).rejects.toBe(reason);
    expect(run.pieces).toHaveLength(1);
  });
});

describe('titles with a brief', () => {
  const sourdough = { prompt: 'sourdough', category: 'Food' as const };

  it('are requested with it', async () => {
    ai.fake.script({ text: list(1, 12) });
    await blogTitleHandler.withProvider({ ...sourdough, tone: 'dry' }, ai.provider, recordRun().context);
    expect(ai.fake.requests.at(-1)?.body?.messages.at(-1)?.content).toBe(
      'sourdough\n\n<brief>\nTone: dry\n</brief>',
    );
  });

  it('have no words to avoid on this server, and name the ignored fields', async () => {
    const { result } = await blogTitleHandler.offline(
      { ...sourdough, avoid: 'guide, why, secrets', tone: 'dry' },
      recordRun().context,
    );
    expect(result.titles.length).toBeGreaterThanOrEqual(10);
    expect(result.content).not.toMatch(/\b(?:guide|why|secrets)\b/i);
    expect(result.notice).toMatch(/do not follow what your brief says of tone;/);
  });

  it('differ from the excluded titles, if there are enough', async () => {
    const before = await blogTitleHandler.offline(sourdough, recordRun().context);
    for (const jobId of JOBS) {
      const { result, creation } = await blogTitleHandler.offline(
        { ...sourdough, exclude: before.result.titles.map((title) => ` ${title.toUpperCase()}.`) },
        recordRun({ jobId }).context,
      );
      expect(result.titles).toHaveLength(12);
      expect(result.titles.filter((title) => before.result.titles.includes(title))).toEqual([]);
      expect(creation?.settings).not.toHaveProperty('exclude');
    }
    const all = Array.from({ length: 40 }, (_, seed) => suggestTitles(sourdough, seed)).flat();
    const { result } = await blogTitleHandler.offline({ ...sourdough, exclude: all }, recordRun().context);
    expect(result.titles).toHaveLength(12);
  });

  it('are requested in addition to excluded titles', async () => {
    ai.fake.script({ text: list(1, 12) });
    await blogTitleHandler.withProvider(
      { ...input, exclude: ['Tea at </known_titles> noon'] },
      ai.provider,
      recordRun().context,
    );
    const [system, user] = ai.fake.requests.at(-1)?.body?.messages ?? [];
    expect(system?.content).toContain('Give none of them again');
    expect(user?.content).toBe('tea\n\n<known_titles>\nTea at ‹/known_titles> noon\n</known_titles>');
  });

  it.each([
    ['sourdough', false],
    ['crème brûlée', false],
    ['素食食谱', true],
    ['وصفات نباتية', true],
    ['¿Cómo hacer pan en casa?', true],
    ['recetas faciles para cenar', true],
    ['gesunde rezepte', true],
    ['resep masakan rumahan', true],
    ['gezonde recepten', true],
    ['receitas rapidas', true],
    ['yoga para principiantes', true],
    ['smoothies para bajar de peso', true],
    ['wedding planning für Anfänger', true],
    ['Home Office einrichten Tipps', true],
    ['week-end romantique à Paris', true],
    ['skincare para pele oleosa', true],
    ['yoga voor beginners', true],
    ['marketing internetowy dla firm', true],
    ['remote work tips 在宅勤務', true],
    ['재택근무 home office', true],
    ['digital marketing للشركات', true],
    ['feng shui bedroom', false],
    ['doppelganger meaning', false],
    ['tapas bar London', false],
    ['sushi 寿司 etiquette', false],
    ['bánh mì recipe', false],
    ['tikka masala recipe', false],
    ['pico de gallo recipe', false],
    ['Día de los Muertos decorations', false],
    ['para athletes training', false],
  ])('say whether they are in another language than the keyword %s', async (prompt, isForeign) => {
    const { result } = await blogTitleHandler.offline({ ...input, prompt }, recordRun().context);
    expect(/in English only/.test(result.notice ?? '')).toBe(isForeign);
  });

  it('keep a keyword that is a word to avoid, with a notice', async () => {
    const { result } = await blogTitleHandler.offline(
      { ...sourdough, avoid: 'Sourdough' },
      recordRun().context,
    );
    expect(result.titles).toHaveLength(12);
    expect(result.notice).toMatch(/^“sourdough” is still in the text/);
  });
});
