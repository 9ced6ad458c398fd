import { filledBrief } from '#libs/contract/brief.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import type { WebPage } from '#libs/ai/engine.js';
import type { Measure } from '#libs/contract/progress.js';
import type { ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { planOutline, writeOutline } from '#libs/local-engine/article-outline/outline.js';
import { seedOf } from '#libs/local-engine/random.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import type { ToolInput } from '../catalogue.js';
import { yieldToEventLoop } from '../shared/yield-to-event-loop.js';
import { avoidedNotice, joinNotices } from '../shared/brief-notice.js';
import { articleMessages } from './prompt.js';
import type * as sourceTasks from './thread.js';
import { generateArticle } from './contract.js';
import { createWordCount } from './word-count.js';
import { proofread } from './proofread.js';

const onSourceThread = textThreads.tasks<typeof sourceTasks>(
  import.meta.resolve('#libs/tools/generate-article/thread.js'),
);

const BRIEFING_PERCENT = 2;
const WRITING_PERCENT = 5;
const PROOFING_PERCENT = 96;

export const articleHandler: ToolHandler<'generate-article'> = {
  async withProvider(input, provider, context) {
    context.stage('briefing', 'Briefing the writer', BRIEFING_PERCENT);
    const messages = articleMessages(input);

    const count = createWordCount();
    let content = '';
    let words = 0;
    let pages: WebPage[] = [];
    const onPages = (sent: WebPage[]) => (pages = sent);
    for await (const piece of provider.streamChat({ messages, onPages }, context.signal)) {
      if (!content)
        context.stage('writing', 'Writing the article', WRITING_PERCENT, wordsOf(0, input.length));
      content += piece;
      context.text(piece);
      words = count.add(piece);
      context.percent(writingPercent(words, input.length), wordsOf(words, input.length));
    }

    context.stage('proofing', 'Proofreading', PROOFING_PERCENT, wordsOf(words, input.length));
    const article = proofread(content);
    if (!article)
      throw new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });
    const { content: cited, notice } = await withSources(input, article, pages, context.signal);
    // If proofreading changed streamed text, don't append: clients replace the text by the result.
    if (cited.startsWith(content)) context.text(cited.slice(content.length));
    return outcome(input, cited, 'openai', joinNotices(avoidedNotice(article, input), notice));
  },

  async offline(input, context) {
    context.stage('reading', 'Reading your topic', BRIEFING_PERCENT);
    const outline = planOutline(input, seedOf(context.jobId));

    context.stage('outlining', 'Planning the sections', WRITING_PERCENT, wordsOf(0, input.length));
    let content = '';
    let planned = 0;
    for (const { markdown, words } of writeOutline(outline)) {
      await yieldToEventLoop(context.signal);
      const piece = content ? `\n\n${markdown}` : markdown;
      content += piece;
      planned += words;
      context.text(piece);
      context.percent(writingPercent(planned, input.length), wordsOf(planned, input.length));
    }
    return outcome(input, content, 'offline', null);
  },
};

/**
 * Appends the cited paragraphs, or the pages that the model cites, to the article. `notice` lists facts that are in neither the
 * sources nor the brief.
 */
async function withSources(
  { prompt, points, sources }: ToolInput<'generate-article'>,
  article: string,
  pages: readonly WebPage[],
  signal: AbortSignal,
): Promise<{ content: string; notice: string | null }> {
  if (!sources) {
    const hasMarks = /\[\d{1,3}\]/.test(article);
    const content = hasMarks ? await onSourceThread('citePages', { article, pages }, signal) : article;
    return { content, notice: null };
  }
  const asked = `${prompt}\n\n${points ?? ''}`;
  return onSourceThread('citeSources', { article, sources, asked }, signal);
}

/** The progress in words, capped because an article may be longer than requested. */
const wordsOf = (words: number, length: number): Measure => ({
  done: Math.min(words, length),
  total: length,
  unit: 'words',
});

/** The progress in whole percent after `words` of `length` words. */
function writingPercent(words: number, length: number): number {
  const share = Math.min(1, words / length);
  return WRITING_PERCENT + Math.floor((PROOFING_PERCENT - 1 - WRITING_PERCENT) * share);
}

function outcome(
  { prompt, length, ...brief }: ToolInput<'generate-article'>,
  content: string,
  engine: EngineName,
  notice: string | null,
): ToolOutcome<'generate-article'> {
  const settings = { length, ...filledBrief(brief) };
  return {
    result: { content, engine, notice },
    creation: { type: generateArticle.creation.type, prompt, content, settings },
  };
}
