import type { ChatMessage } from '#libs/ai/engine.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { approximateTokens } from '#libs/local-engine/pdf-search/tokens.js';

/** The latest messages of a conversation within a number of tokens. The first is always a question. */
export function latestMessages(history: PdfChatMessage[], tokens: number): ChatMessage[] {
  let left = tokens;
  const fitting: ChatMessage[] = [];
  for (const { role, content } of history.toReversed()) {
    left -= approximateTokens(content);
    if (left < 0) break;
    fitting.unshift({ role, content });
  }
  const start = fitting.findIndex(({ role }) => role === 'user');
  return start < 0 ? [] : fitting.slice(start);
}
