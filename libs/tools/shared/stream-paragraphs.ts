import type { RunContext } from '#libs/jobs/tool-handler.js';
import { yieldToEventLoop } from './yield-to-event-loop.js';

/** Streams a text that is ready, paragraph by paragraph. */
export async function streamParagraphs(
  content: string,
  context: Pick<RunContext, 'text' | 'signal'>,
): Promise<void> {
  for (const paragraph of content.split(/(?<=\n\n)/)) {
    await yieldToEventLoop(context.signal);
    context.text(paragraph);
  }
}
