/** The local storage keys of PDF conversations. */
export const chatCacheKeys = {
  selected: 'pdfChat_selectedFile',
  current: 'pdfChat_conversation',
  /** Followed by the file name. */
  conversation: 'pdfChat_conv_',
} as const;

/** Clears the cached conversations. In a file of its own because the start page loads it. */
export function clearChats(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (
        key === chatCacheKeys.selected ||
        key === chatCacheKeys.current ||
        key.startsWith(chatCacheKeys.conversation)
      )
        localStorage.removeItem(key);
  } catch {
    // Blocked storage has nothing to clear.
  }
}
