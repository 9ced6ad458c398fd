import { z } from 'zod';
import { pdfChatMessageSchema, type PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { chatNames, forgetChats } from './chat-cache-names';

const messagesSchema = z.array(pdfChatMessageSchema);

/**
 * Conversations about PDFs as this browser last saw them, shown until the server's copy is there. Storage that is
 * closed or full keeps nothing.
 */
export const chatCache = {
  readSelected: (): string | null => quietly(() => localStorage.getItem(chatNames.selected)) ?? null,
  writeSelected(fileName: string | null): void {
    quietly(() =>
      fileName === null
        ? localStorage.removeItem(chatNames.selected)
        : localStorage.setItem(chatNames.selected, fileName),
    );
  },
  read(fileName: string): PdfChatMessage[] {
    const text = quietly(() => localStorage.getItem(chatNames.conversation + fileName)) ?? '[]';
    return messagesSchema.safeParse(quietly(() => JSON.parse(text) as unknown)).data ?? [];
  },
  /** Keeps the conversation that is open, also as the current one. */
  write(fileName: string, messages: readonly PdfChatMessage[]): void {
    const text = JSON.stringify(messages);
    quietly(() => localStorage.setItem(chatNames.conversation + fileName, text));
    quietly(() => localStorage.setItem(chatNames.current, text));
  },
  forget(fileName: string): void {
    quietly(() => localStorage.removeItem(chatNames.conversation + fileName));
  },
  forgetAll: forgetChats,
};

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
