import { ignoreErrors } from '../../../shared/lib/ignore-errors';

export const chatCacheKeys = {
  selected: 'pdfChat_selectedFile',
  current: 'pdfChat_conversation',
  /** Followed by the file name. */
  conversation: 'pdfChat_conv_',
} as const;

/** Clears the cached conversations. In a file of its own because the start page loads it. */
export function clearChats(): void {
  const { selected, current, conversation } = chatCacheKeys;
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage))
      if (key === selected || key === current || key.startsWith(conversation)) localStorage.removeItem(key);
  });
}
