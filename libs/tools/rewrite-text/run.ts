import type { AiProvider, ChatMessage } from '#libs/ai/engine.js';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type * as humanizerTasks from '#libs/local-engine/humanizer/thread.js';
import { correctText } from '#libs/local-engine/proofreading/proofread.js';
import type { FactBreak } from '#libs/local-engine/text/facts/facts.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import type { ToolInput } from '../catalogue.js';
import { secondTry } from '../shared/second-try.js';
import { hasRemark, withoutPreface, withoutRemark } from '../shared/without-remarks.js';
import { beforeClosing, createAnswerReader } from './answer-reader.js';
import { actionsOf, rewriteText } from './contract.js';
import { repairMessages, rewriteMessages } from './prompt.js';
import type * as tasks from './thread.js';

type Rewrite = ToolInput<'rewrite-text'>;

/** The job's progress at the start of each step. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 6;
const COMPARING_PERCENT = 90;
const REPAIRING_PERCENT = 92;

const onThread = textThreads.tasks<typeof tasks>(import.meta.resolve('#libs/tools/rewrite-text/thread.js'));
const onHumanizerThread = textThreads.tasks<typeof humanizerTasks>(
  import.meta.resolve('#libs/local-engine/humanizer/thread.js'),
);

export const rewriteHandler: ToolHandler<'rewrite-text'> = {
  async withProvider(input, provider, context) {
    context.stage('reading', 'Reading the passage', READING_PERCENT);
    let hasBegun = false;
    // Clients replace the streamed text by the result.
    const content = await answerTo(rewriteMessages(input), input, provider, context, (piece) => {
      if (!hasBegun) context.stage('writing', 'Rewriting', WRITING_PERCENT);
      hasBegun = true;
      context.text(piece);
    });
    if (content === '')
      throw new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });
    context.stage('comparing', 'Comparing the facts', COMPARING_PERCENT);
    const first = { content, changedFacts: await compare(input, content, context) };
    const best = first.changedFacts.length === 0 ? first : await repair(input, first, provider, context);
    return outcome(input, { ...best, engine: 'openai', notice: null });
  },

  async offline(input, context) {
    if (!actionsOf('offline').includes(input.action)) throw cannot(needsService);
    context.stage('reading', 'Reading the passage', READING_PERCENT);
    if (!(await onThread('readsEnglish', { text: input.text }, context.signal))) throw cannot(englishOnly);
    context.stage('writing', 'Editing', WRITING_PERCENT);
    const edited = await edit(input, context);
    context.text(edited.content);
    context.stage('comparing', 'Comparing the facts', COMPARING_PERCENT);
    const changedFacts = await compare(input, edited.content, context);
    return outcome(input, { ...edited, changedFacts, engine: 'offline' });
  },
};

/** Returns the rewriting of a model's answer. @param onPiece receives the answer in chunks that are never blank */
async function answerTo(
  messages: ChatMessage[],
  input: Rewrite,
  provider: AiProvider,
  { signal }: RunContext,
  onPiece?: (piece: string) => void,
): Promise<string> {
  const reader = createAnswerReader(input.text.startsWith('```'));
  let answer = '';
  const show = (piece: string) => {
    answer += piece;
    if (piece !== '') onPiece?.(piece);
  };
  for await (const piece of provider.streamChat({ messages }, signal)) show(reader.add(piece));
  show(reader.end());
  return onlyRewriting(unwrapped(answer, reader.opening, input), input);
}

/** Actions whose answer need not have the form of the passage. */
const isFree = (action: Rewrite['action']) => ['continue', 'instruct'].includes(action);

/** The answer without the end of its wrapper and what follows, unless it may be a code block with text after it. */
function unwrapped(answer: string, opening: string, { action, text }: Rewrite): string {
  const inside = beforeClosing(answer, opening);
  const mayBeCode =
    (isFree(action) || /^ {0,3}```/m.test(text)) &&
    /^```\s/.test(opening) &&
    !hasRemark(answer.slice(inside.length));
  return mayBeCode && inside !== answer ? opening + answer : inside;
}

/** The answer without what the model says about it. Keeps words that the passage may have, such as an offer in a letter. */
function onlyRewriting(answer: string, input: Rewrite): string {
  const { text, action } = input;
  const mayHaveOffer =
    !isFree(action) &&
    action !== 'translate' &&
    paragraphsOf(answer) > paragraphsOf(text) &&
    !hasRemark(text);
  const withoutOffer = mayHaveOffer ? withoutRemark(answer) : answer;
  const content = withoutFirstLine(withoutPreface(withoutOffer), text, action);
  if (withoutPreface(text) !== text || content === withoutOffer) return withoutOffer;
  const reader = createAnswerReader(text.startsWith('```'));
  const inside = reader.add(content) + reader.end();
  return unwrapped(inside, reader.opening, input);
}

/** A line that announces the rewriting, in any language: "Hier ist der Text:". */
const ANNOUNCEMENT = /^(?![#>|*+-] )[^\n]{1,120}[:：]\**\n\s*\n/;

/** The answer without a first line that announces it, if the passage has no such line and fewer paragraphs. */
const withoutFirstLine = (answer: string, text: string, action: Rewrite['action']): string =>
  !isFree(action) && paragraphsOf(answer) > paragraphsOf(text) && !/^[^\n]*[:：]\**\s*(?:\n|$)/.test(text)
    ? answer.replace(ANNOUNCEMENT, '')
    : answer;

const paragraphsOf = (text: string): number => text.trim().split(/\n\s*\n/).length;

interface Rewriting {
  content: string;
  changedFacts: FactBreak[];
}

/**
 * Asks once more for a rewrite that keeps the facts. Returns the rewrite that loses or adds fewer facts.
 */
async function repair(
  input: Rewrite,
  first: Rewriting,
  provider: AiProvider,
  context: RunContext,
): Promise<Rewriting> {
  context.stage('repairing', 'Asking again for what lost a fact', REPAIRING_PERCENT);
  const messages = repairMessages(input, first.content, first.changedFacts);
  const content = await secondTry(() => answerTo(messages, input, provider, context), '');
  if (content === '') return first;
  const changedFacts = await compare(input, content, context);
  return changedFacts.length < first.changedFacts.length ? { content, changedFacts } : first;
}

/** The facts that a rewrite changed. A continuation may use facts of the passage and of the text around the passage. */
function compare({ action, text, before = '', after = '' }: Rewrite, content: string, context: RunContext) {
  const original = action === 'continue' ? [before, text, after].join('\n\n') : text;
  return onThread('compare', { action, before: original, after: content }, context.signal);
}

interface Edited {
  content: string;
  notice: string | null;
}

async function edit({ text, action }: Rewrite, { signal }: RunContext): Promise<Edited> {
  switch (action) {
    case 'simpler': {
      const { content, notice } = await onHumanizerThread('edit', { text, kinds: PLAIN_WORDS }, signal);
      return { content, notice };
    }
    case 'shorter': {
      const content = await onThread('shorten', { text }, signal);
      if (content === null) throw cannot(nothingToLeaveOut);
      return { content, notice: byRules };
    }
    case 'fix': {
      const corrected = await correctText(text, signal);
      if (corrected === null) throw new AppError('UNAVAILABLE', notChecked);
      return { content: corrected.text, notice: corrected.corrections === 0 ? noFault : null };
    }
    default:
      throw cannot(needsService);
  }
}

/** Simplify only stock phrases and long sentences. Contractions would change the tone. */
const PLAIN_WORDS: ('phrase' | 'sentence')[] = ['phrase', 'sentence'];

const needsService =
  'That needs an AI service, which is not connected. This server can make a text shorter or simpler and fix its language.';
const englishOnly = 'Without an AI service, this server edits English only. The text stays as it is.';
const nothingToLeaveOut =
  'Without an AI service, this server shortens by leaving sentences out, and here is none that can go. Choose several sentences.';
const notChecked = 'The checker of this server could not be loaded, or took too long. Try again later.';
const byRules =
  'Made shorter by rules: sentences that say least are left out, and stock phrases are put plainly.';
const noFault = 'No fault was found: the text is as it was.';

const cannot = (message: string) => new AppError('ENGINE_CANNOT', message);

/** If the passage belongs to a creation, the rewrite is not stored as a new creation. */
function outcome(input: Rewrite, result: ToolOutcome<'rewrite-text'>['result']): ToolOutcome<'rewrite-text'> {
  const { action, text, tone, language, instruction, creation } = input;
  const settings = { action, ...(tone && { tone }), ...(language && { language }) };
  return {
    result,
    creation:
      creation === undefined
        ? {
            type: rewriteText.creation.type,
            prompt: text,
            content: result.content,
            settings: { ...settings, ...(instruction && { instruction }) },
          }
        : null,
  };
}
