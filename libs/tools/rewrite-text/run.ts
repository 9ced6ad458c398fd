import { EngineError } from '#libs/contract/engine-error.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { AppError } from '#libs/contract/errors.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type * as humanizerTasks from '#libs/local-engine/humanizer/thread.js';
import { correctText } from '#libs/local-engine/proofreading/proofread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import type { ToolInput } from '../catalogue.js';
import { createAnswerReader } from './answer-reader.js';
import { actionsOf, rewriteText } from './contract.js';
import { rewriteMessages } from './prompt.js';
import type * as tasks from './thread.js';

type Rewrite = ToolInput<'rewrite-text'>;

/** The progress at each step. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 6;
const COMPARING_PERCENT = 97;

const onThread = textThreads.tasks<typeof tasks>(import.meta.resolve('#libs/tools/rewrite-text/thread.js'));
const onHumanizerThread = textThreads.tasks<typeof humanizerTasks>(
  import.meta.resolve('#libs/local-engine/humanizer/thread.js'),
);

export const rewriteHandler: ToolHandler<'rewrite-text'> = {
  async withProvider(input, provider, context) {
    context.stage('reading', 'Reading the passage', READING_PERCENT);
    const reader = createAnswerReader(input.text.startsWith('```'));
    let content = '';
    const show = (piece: string) => {
      content += piece;
      context.text(piece);
    };
    let started = false;
    for await (const piece of provider.streamChat({ messages: rewriteMessages(input) }, context.signal)) {
      if (!started) context.stage('writing', 'Rewriting', WRITING_PERCENT);
      started = true;
      show(reader.add(piece));
    }
    show(reader.end());
    if (content === '')
      throw new EngineError('The AI service gave an empty answer. Try again.', { retryable: true });
    return outcome(input, { content, engine: 'openai', notice: null }, context);
  },

  async offline(input, context) {
    if (!actionsOf('offline').includes(input.action)) throw cannot(needsService);
    context.stage('reading', 'Reading the passage', READING_PERCENT);
    if (!(await onThread('readsEnglish', { text: input.text }, context.signal))) throw cannot(englishOnly);
    context.stage('writing', 'Editing', WRITING_PERCENT);
    const edited = await edit(input, context);
    context.text(edited.content);
    return outcome(input, { ...edited, engine: 'offline' }, context);
  },
};

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

/** Stock phrases and long sentences; contractions would change the tone. */
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

/** The result with the facts that it changed. A passage of a text is no creation of its own: that text is. */
async function outcome(
  input: Rewrite,
  made: Edited & { engine: EngineName },
  context: RunContext,
): Promise<ToolOutcome<'rewrite-text'>> {
  context.stage('comparing', 'Comparing the facts', COMPARING_PERCENT);
  const { action, text, before = '', after = '', tone, language, instruction, creation } = input;
  const original = action === 'continue' ? [before, text, after].join('\n\n') : text;
  const changedFacts = await onThread(
    'compare',
    { action, before: original, after: made.content },
    context.signal,
  );
  const settings = { action, ...(tone && { tone }), ...(language && { language }) };
  return {
    result: { ...made, changedFacts },
    creation:
      creation === undefined
        ? {
            type: rewriteText.creation.type,
            prompt: text,
            content: made.content,
            settings: { ...settings, ...(instruction && { instruction }) },
          }
        : null,
  };
}
