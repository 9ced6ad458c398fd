import type { AiProvider, ChatMessage } from '#libs/ai/engine.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { yieldToEventLoop } from './yield-to-event-loop.js';

// Shared by the tools that answer questions about documents in quotations.

/** Maximum tokens of the passages. With history, question and answer, the request fits a context window of 16,000 tokens. */
export const PASSAGE_TOKENS = 9_000;
/** Maximum tokens of the history. */
export const HISTORY_TOKENS = 2_500;

export const ANSWERING_PERCENT = 40;
export const CHECKING_PERCENT = 94;
/** After this many characters of the answer, the progress is half way from ANSWERING_PERCENT to CHECKING_PERCENT. */
const HALF_WAY_CHARACTERS = 800;

/** Streams the answer of an AI service. It may contain wrong quotations: the result's `content` is checked and replaces it. */
export async function streamAnswer(
  provider: Pick<AiProvider, 'streamChat'>,
  messages: ChatMessage[],
  context: RunContext,
): Promise<string> {
  context.stage('answering', 'Answering', ANSWERING_PERCENT);
  let answer = '';
  for await (const piece of provider.streamChat({ messages }, context.signal)) {
    answer += piece;
    context.text(piece);
    context.percent(answeringPercent(answer.length));
  }
  return answer;
}

/** Streams the pieces of an answer of this server. */
export async function streamPieces(pieces: readonly string[], context: RunContext): Promise<void> {
  context.stage('answering', 'Gathering passages', ANSWERING_PERCENT);
  for (const [at, piece] of pieces.entries()) {
    await yieldToEventLoop(context.signal);
    context.text(at === 0 ? piece : `\n\n${piece}`);
  }
}

/** The progress in percent. The answer's final length is unknown, so the progress approaches CHECKING_PERCENT. */
function answeringPercent(characters: number): number {
  const share = characters / (characters + HALF_WAY_CHARACTERS);
  return Math.floor(ANSWERING_PERCENT + (CHECKING_PERCENT - 1 - ANSWERING_PERCENT) * share);
}

/** A note on quotations that were not found, as a paragraph of its own; blank if all were found. */
export function noteOnDropped(dropped: number, { isOneDocument }: { isOneDocument: boolean }): string {
  if (dropped === 0) return '';
  const where = isOneDocument ? 'the document' : 'the documents';
  const which =
    dropped === 1
      ? `One passage that the answer quoted does not stand in ${where} in these words; it is`
      : `${dropped} passages that the answer quoted do not stand in ${where} in these words; they are`;
  return `\n\n*${which} shown without quotation marks.*`;
}
