import { avoidedWordsIn, filledBrief, wordsToAvoid } from '#libs/contract/brief.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import type { AiProvider, ChatMessage } from '#libs/ai/engine.js';
import { readJsonValues } from '#libs/ai/read-json.js';
import type { Measure } from '#libs/contract/progress.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { ToolInput } from '../catalogue.js';
import { avoidedNotice, joinNotices, unusedNotice } from '../shared/brief-notice.js';
import { yieldToEventLoop } from '../shared/yield-to-event-loop.js';
import { FEWEST_TITLES, generateBlogTitle } from './contract.js';
import { parseTitleRequest } from '#libs/local-engine/blog-titles/parse-request.js';
import { suggestTitles } from '#libs/local-engine/blog-titles/suggest-titles.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import { seedOf } from '#libs/local-engine/random.js';
import { moreTitlesMessages, titleMessages } from './prompt.js';
import { createTitleReader, listOf, titleKey, type TitleReader } from './read-titles.js';

/** The job's progress at the start of each step. Each of the first ten titles adds PERCENT_PER_TITLE. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 10;
const PERCENT_PER_TITLE = 8;

export const blogTitleHandler: ToolHandler<'generate-blog-title'> = {
  async withProvider(input, provider, context) {
    context.stage('briefing', 'Briefing the writer', READING_PERCENT);
    const reader = createTitleReader();
    await readAnswer(titleMessages(input), reader, provider, context);
    if (reader.titles.length < FEWEST_TITLES) {
      reportTitles(context, 'completing', 'Asking for the titles that are missing', reader.titles.length);
      await readAnswer(moreTitlesMessages(input, [...reader.titles]), reader, provider, context);
    }
    if (reader.titles.length < FEWEST_TITLES) {
      throw new EngineError(
        `The AI service gave fewer than ${FEWEST_TITLES} titles, even when asked again. Try again.`,
        { retryable: true },
      );
    }
    return outcome(input, [...reader.titles], 'openai', null);
  },

  async offline(input, context) {
    context.stage('reading', 'Reading your keyword', READING_PERCENT);
    const titles = chooseTitles(wordsToAvoid(input), input.exclude ?? [], (round) =>
      suggestTitles(input, seedOf(context.jobId) + round),
    );
    reportTitles(context, 'writing', 'Writing the titles', 0);
    for (const index of titles.keys()) {
      await yieldToEventLoop(context.signal);
      publish(context, titles.slice(0, index + 1), 1);
    }
    return outcome(input, titles, 'offline', joinNotices(languageNotice(input), unusedNotice(input)));
  },
};

/** A notice that the titles of a keyword in another language are English around it; null for a keyword in English. */
function languageNotice({ prompt, category }: ToolInput<'generate-blog-title'>): string | null {
  const { keyword } = parseTitleRequest(prompt, category);
  return seemsEnglish(keyword)
    ? null
    : 'The rules of this server write titles in English only, so your keyword stands in English titles; an AI service writes in its language.';
}

/** Streams each title when its line is complete and cleaned, so that the streamed text equals the result. */
async function readAnswer(
  messages: ChatMessage[],
  reader: TitleReader,
  provider: AiProvider,
  context: RunContext,
): Promise<void> {
  let started = false;
  let answer = '';
  let start = '';
  let isJson = false;
  for await (const piece of provider.streamChat({ messages }, context.signal)) {
    if (!started) reportTitles(context, 'writing', 'Writing the titles', reader.titles.length);
    started = true;
    answer += piece;
    if (start.length < START_CHARACTERS) {
      start = (start + piece).trimStart().slice(0, START_CHARACTERS);
      isJson ||= JSON_START.test(start);
    }
    if (isJson) continue;
    const found = reader.add(piece).length;
    if (found > 0) publish(context, reader.titles, found);
  }
  if (isJson) reader.add(`\n${titlesOfJson(answer)}`);
  const last = reader.end().length;
  if (last > 0) publish(context, reader.titles, last);
}

/** Characters of an answer in which it shows whether it is JSON. */
const START_CHARACTERS = 400;
/** The start of an answer in JSON, which some models prefer to a list, also after a preface. Not a title in brackets. */
const JSON_START = /^(?:[^\n]{0,120}[:.!…][^\S\n]*\n\s*){0,3}(?:```(?:json)?\s*)?(?:\{|\[\s*["'{])/;

/** The titles of an answer in JSON, each on a line: its longest list of texts. */
function titlesOfJson(answer: string): string {
  const lists: string[][] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const texts = Object.values(value).flatMap((one: unknown) => {
      const text = typeof one === 'object' && one !== null ? titleOf(one) : one;
      return typeof text === 'string' ? [text.replace(/\s+/g, ' ')] : [];
    });
    lists.push(texts);
    for (const one of Object.values(value)) collect(one);
  };
  collect([...readJsonValues(answer)]);
  const [longest = []] = lists.sort((one, other) => other.length - one.length);
  return `${longest.join('\n')}\n`;
}

/** The title of an object such as `{"headline": "One", "type": "list"}`. */
const titleOf = (fields: object): unknown =>
  Object.entries(fields).find(([name]) => /title|titel|titre|t[ií]tulo|headline|text/i.test(name))?.[1];

/** Streams the last `newest` of the titles and reports the progress. */
function publish(context: RunContext, titles: readonly string[], newest: number): void {
  const before = listOf(titles.slice(0, titles.length - newest));
  context.text(listOf(titles).slice(before.length));
  context.percent(percentAt(titles.length), measureOf(titles.length));
}

const reportTitles = (context: RunContext, stage: string, message: string, titles: number) =>
  context.stage(stage, message, percentAt(titles), measureOf(titles));

const measureOf = (titles: number): Measure => ({
  done: Math.min(titles, FEWEST_TITLES),
  total: FEWEST_TITLES,
  unit: 'titles',
});

const percentAt = (titles: number) => WRITING_PERCENT + PERCENT_PER_TITLE * Math.min(titles, FEWEST_TITLES);

const MOST_TITLES = 12;
const MOST_ROUNDS = 6;

/**
 * Suggests titles in several rounds and drops those with words to avoid. If too few remain, keeps the first round's titles.
 * Titles of `exclude` come last, so they are returned only if there are fewer than MOST_TITLES others.
 */
function chooseTitles(
  avoid: readonly string[],
  exclude: readonly string[],
  suggest: (round: number) => string[],
): string[] {
  const first = suggest(0);
  if (avoid.length === 0 && exclude.length === 0) return first;
  const rounds = Array.from({ length: MOST_ROUNDS }, (_, round) => (round === 0 ? first : suggest(round)));
  const found = Array.from(new Set(rounds.flat())).filter(
    (title) => avoidedWordsIn(title, avoid).length === 0,
  );
  const usable = found.length < FEWEST_TITLES ? first : found;
  const excluded = new Set(exclude.map(titleKey));
  const isExcluded = (title: string) => excluded.has(titleKey(title));
  return [...usable.filter((title) => !isExcluded(title)), ...usable.filter(isExcluded)].slice(
    0,
    MOST_TITLES,
  );
}

function outcome(
  { prompt, category, exclude: _, ...brief }: ToolInput<'generate-blog-title'>,
  titles: string[],
  engine: EngineName,
  unused: string | null,
): ToolOutcome<'generate-blog-title'> {
  const content = listOf(titles);
  const settings = { category, ...filledBrief(brief) };
  return {
    result: { content, titles, engine, notice: joinNotices(avoidedNotice(content, brief), unused) },
    creation: { type: generateBlogTitle.creation.type, prompt, content, settings },
  };
}
