import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { writeBlock } from '../document/write-markdown';
import { insertBlocks } from './commands';
import type { TextView } from './text-view';
import { ImportError, readFile } from '../import/read-file';

/** Inserts a file's text at the cursor, as one step that can be undone. @returns a message if it cannot be inserted */
export async function importFile(text: TextView, file: File): Promise<string | null> {
  try {
    const blocks = await readFile(file);
    const imported = blocks.map((block) => writeBlock(block)).join('\n\n');
    if (!isWithinMarkdownLimits(`${text.read() ?? ''}\n\n${imported}`))
      return `“${file.name}” is too long for this text.`;
    insertBlocks(blocks)(text.view.state, text.view.dispatch);
    text.focus();
    return null;
  } catch (error) {
    return error instanceof ImportError ? error.message : `“${file.name}” could not be read. Try again.`;
  }
}
