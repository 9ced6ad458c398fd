/** Under which names a browser keeps conversations about PDFs. */
export const chatNames = {
  selected: 'pdfChat_selectedFile',
  current: 'pdfChat_conversation',
  /** The specification's prefix; the file's name follows. */
  conversation: 'pdfChat_conv_',
} as const;

/** Drops every conversation that this browser keeps. Apart from the cache, since the start page needs no more of it. */
export function forgetChats(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key === chatNames.selected || key === chatNames.current || key.startsWith(chatNames.conversation))
        localStorage.removeItem(key);
  } catch {
    // Closed storage holds nothing to forget.
  }
}
