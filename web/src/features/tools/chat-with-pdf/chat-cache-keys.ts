import { ignoreErrors } from '../../../shared/lib/ignore-errors';

export const chatCacheKeys = {
  selected: 'pdfChat_selectedFile',
  current: 'pdfChat_conversation',
  /** Prefix of a key that ends with the file name. */
  conversation: 'pdfChat_conv_',
} as const;

/** Removes all cached conversations. In a file of its own, because the start page loads it and must stay small. */
export function clearChats(): void {
  const { selected, current, conversation } = chatCacheKeys;
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage))
      if (key === selected || key === current || key.startsWith(conversation)) localStorage.removeItem(key);
  });
}
