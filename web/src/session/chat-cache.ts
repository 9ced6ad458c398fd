import { z } from 'zod';
import { pdfChatMessageSchema, type PdfChatMessage } from '#libs/contract/pdf-chats.js';

const SELECTED = 'pdfChat_selectedFile';
const CURRENT = 'pdfChat_conversation';
/** The specification's prefix; the file's name follows. */
const CONVERSATION = 'pdfChat_conv_';

const messagesSchema = z.array(pdfChatMessageSchema);

/**
 * Conversations about PDFs as this browser last saw them, shown until the server's copy is there. Storage that is
 * closed or full keeps nothing.
 */
export const chatCache = {
  readSelected: (): string | null => quietly(() => localStorage.getItem(SELECTED)) ?? null,
  writeSelected(fileName: string | null): void {
    quietly(() =>
      fileName === null ? localStorage.removeItem(SELECTED) : localStorage.setItem(SELECTED, fileName),
    );
  },
  read(fileName: string): PdfChatMessage[] {
    const text = quietly(() => localStorage.getItem(CONVERSATION + fileName)) ?? '[]';
    return messagesSchema.safeParse(quietly(() => JSON.parse(text) as unknown)).data ?? [];
  },
  /** Keeps the conversation that is open, also as the current one. */
  write(fileName: string, messages: readonly PdfChatMessage[]): void {
    const text = JSON.stringify(messages);
    quietly(() => localStorage.setItem(CONVERSATION + fileName, text));
    quietly(() => localStorage.setItem(CURRENT, text));
  },
  forget(fileName: string): void {
    quietly(() => localStorage.removeItem(CONVERSATION + fileName));
  },
  forgetAll(): void {
    quietly(() => {
      for (const key of Object.keys(localStorage))
        if (key === SELECTED || key === CURRENT || key.startsWith(CONVERSATION)) localStorage.removeItem(key);
    });
  },
};

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
