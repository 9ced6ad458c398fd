import type { AiProvider, ChatMessage } from '#libs/ai/engine.js';
import { filledBrief, type Brief } from '#libs/contract/brief.js';
import type { Measure } from '#libs/contract/progress.js';
import { AppError } from '#libs/contract/errors.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { proofreadText } from '#libs/local-engine/proofreading/proofread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { avoidedNotice, joinNotices, unusedNotice } from '../shared/brief-notice.js';
import { humanizeText } from './contract.js';
import type * as humanizerTasks from '#libs/local-engine/humanizer/thread.js';
import { nothingToRewrite, type HumanizedText } from '#libs/local-engine/humanizer/result.js';
import type { Part } from '#libs/local-engine/humanizer/parts.js';
import { createPartReader, markParts, tagFor, type RewrittenPart } from './marked-parts.js';
import { humanizeMessages, repairMessages, type BrokenPart } from './prompt.js';
import { createPartAssembler, type PartAssembler } from '#libs/local-engine/humanizer/part-assembler.js';

/** The progress at the start of each step. Each rewritten part adds an equal amount up to DONE_PERCENT. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 6;
const DONE_PERCENT = 97;

const onHumanizerThread = textThreads.tasks<typeof humanizerTasks>(
  import.meta.resolve('#libs/local-engine/humanizer/thread.js'),
);

export const humanizeHandler: ToolHandler<'humanize-text'> = {
  async withProvider({ text, ...brief }, provider, context) {
    context.stage('reading', 'Marking what must stay as it is', READING_PERCENT);
    const parts = await onHumanizerThread('read', { text }, context.signal);
    const assembler = createPartAssembler(text, parts, publish(context, parts.length));
    const finish = () =>
      onHumanizerThread('finish', { before: text, content: assembler.close() }, context.signal);
    if (parts.length === 0)
      return outcome(text, brief, { ...(await finish()), notice: nothingToRewrite }, context);

    const tag = tagFor(text);
    const marked = markParts(text, parts, tag);
    const first = await rewrite(
      humanizeMessages(marked, tag, brief),
      parts,
      tag,
      assembler,
      provider,
      context,
    );
    if (first.length > 0) {
      context.stage(
        'repairing',
        'Rewriting what lost a fact',
        ...progressAt(parts.length - first.length, parts.length),
      );
      const again = first.map(({ part }) => part);
      const second = await rewrite(
        repairMessages(marked, tag, first, brief),
        again,
        tag,
        assembler,
        provider,
        context,
      );
      if (second.length > 0) throw factsLost(second);
    }
    return outcome(text, brief, await finish(), context);
  },

  async offline({ text, ...brief }, context) {
    context.stage('reading', 'Reading your text', READING_PERCENT);
    context.stage('editing', 'Editing line by line', WRITING_PERCENT);
    let sent = 0;
    const result = await onHumanizerThread('edit', { text }, context.signal, ({ piece, filled, total }) => {
      sent += piece.length;
      context.text(piece);
      context.percent(...progressAt(filled, total));
    });
    // Stream the rest: the result may be ready before the last chunks were streamed.
    context.text(result.content.slice(sent));
    const notice = joinNotices(result.notice, unusedNotice(brief));
    return outcome(text, brief, { ...result, notice }, context);
  },
};

/** Adds the language mistakes of the text to the result. */
async function outcome(
  text: string,
  brief: Brief,
  result: HumanizedText,
  context: RunContext,
): Promise<ToolOutcome<'humanize-text'>> {
  context.stage('proofreading', 'Checking spelling and grammar', DONE_PERCENT);
  const proofreading = await proofreadText(result.content, context.signal);
  const { content } = result;
  const given = filledBrief(brief);
  const settings = Object.keys(given).length > 0 ? given : undefined;
  const notice = joinNotices(result.notice, avoidedNotice(content, brief));
  return {
    result: { ...result, proofreading, notice },
    creation: { type: humanizeText.creation.type, prompt: text, content, ...(settings && { settings }) },
  };
}

/** Asks for rewrites and accepts those that keep the part's facts. @returns the parts whose rewrites were rejected */
async function rewrite(
  messages: ChatMessage[],
  parts: Part[],
  tag: string,
  assembler: PartAssembler,
  provider: AiProvider,
  context: RunContext,
): Promise<BrokenPart[]> {
  const waiting = new Map(parts.map((part) => [part.number, part]));
  const broken = new Map<number, BrokenPart>();
  const reader = createPartReader(tag, parts);
  const check = async (found: RewrittenPart[]) => {
    const expected = found.flatMap(({ number, text }) => {
      const part = waiting.get(number);
      return part ? [{ part, before: part.text, after: text }] : [];
    });
    if (expected.length === 0) return;
    const rewritings = expected.map(({ before, after }) => ({ before, after }));
    const checked = await onHumanizerThread('check', { rewritings }, context.signal);
    for (const [index, { breaks, keepsForm }] of checked.entries()) {
      const { part, after } = expected[index]!;
      if (!waiting.has(part.number)) continue;
      if (breaks.length === 0 && keepsForm) {
        assembler.fill(part.number, after);
        waiting.delete(part.number);
        broken.delete(part.number);
      } else {
        broken.set(part.number, { part, breaks });
      }
    }
  };

  let started = false;
  for await (const piece of provider.streamChat({ messages }, context.signal)) {
    if (!started)
      context.stage(
        'writing',
        'Rewriting and comparing the facts',
        ...progressAt(assembler.filled, assembler.total),
      );
    started = true;
    await check(reader.add(piece));
  }
  await check(reader.end());
  return [...waiting.values()].map((part) => broken.get(part.number) ?? { part, breaks: [] });
}

function factsLost(broken: BrokenPart[]): AppError {
  const facts = [...new Set(broken.flatMap(({ breaks }) => breaks.map(({ text }) => `“${text}”`)))];
  const shown = facts.slice(0, 3).join(', ') + (facts.length > 3 ? ` and ${facts.length - 3} more` : '');
  return new AppError(
    'PROVIDER_FAILED',
    facts.length > 0
      ? `The AI service changed facts of your text (${shown}), even when asked again, so its rewriting was thrown away. Your credit was given back; try again.`
      : 'The AI service left out parts of your text, even when asked again, so its rewriting was thrown away. Your credit was given back; try again.',
  );
}

/** Streams each finished chunk, and reports the progress. `filled` is the number of finished parts. */
const publish = (context: RunContext, total: number) => (piece: string, filled: number) => {
  context.text(piece);
  context.percent(...progressAt(filled, total));
};

const progressAt = (filled: number, total: number): [percent: number, measure: Measure] => [
  WRITING_PERCENT + Math.floor(((DONE_PERCENT - WRITING_PERCENT) * filled) / Math.max(1, total)),
  { done: filled, total, unit: 'parts' },
];
