import { z } from 'zod';
import { pdfChatMessageSchema, type PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { ignoreErrors } from '../../../shared/lib/ignore-errors';
import { chatCacheKeys, clearChats } from './chat-cache-keys';

const messagesSchema = z.array(pdfChatMessageSchema);

/** Caches PDF conversations in local storage, to show them until the server's copy is loaded. Ignores storage errors. */
export const chatCache = {
  readSelected: (): string | null => ignoreErrors(() => localStorage.getItem(chatCacheKeys.selected)) ?? null,
  writeSelected(fileName: string | null): void {
    ignoreErrors(() =>
      fileName === null
        ? localStorage.removeItem(chatCacheKeys.selected)
        : localStorage.setItem(chatCacheKeys.selected, fileName),
    );
  },
  read(fileName: string): PdfChatMessage[] {
    const text = ignoreErrors(() => localStorage.getItem(chatCacheKeys.conversation + fileName)) ?? '[]';
    return messagesSchema.safeParse(ignoreErrors(() => JSON.parse(text) as unknown)).data ?? [];
  },
  /** Stores a conversation under its file name and as the current conversation. */
  write(fileName: string, messages: readonly PdfChatMessage[]): void {
    const text = JSON.stringify(messages);
    ignoreErrors(() => localStorage.setItem(chatCacheKeys.conversation + fileName, text));
    ignoreErrors(() => localStorage.setItem(chatCacheKeys.current, text));
  },
  remove(fileName: string): void {
    ignoreErrors(() => localStorage.removeItem(chatCacheKeys.conversation + fileName));
  },
  clearAll: clearChats,
};
