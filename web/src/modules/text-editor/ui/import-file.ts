import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { writeBlock } from '../document/write-markdown';
import { ImportError, readFile } from '../import/read-file';
import { insertBlocks } from './commands';
import type { TextView } from './text-view';

interface Imported {
  inserted: boolean;
  /** What was inserted and left out, or why nothing was. */
  message: string;
}

/** Inserts a file's text at the cursor, as one step that can be undone. */
export async function importFile(text: TextView, file: File): Promise<Imported> {
  const name = `“${file.name}”`;
  const refused = (message: string) => ({ inserted: false, message });
  try {
    const { blocks, leftOut } = await readFile(file);
    const imported = blocks.map((block) => writeBlock(block)).join('\n\n');
    const whole = `${text.read() ?? ''}\n\n${imported}`;
    if (!isWithinMarkdownLimits(whole)) return refused(`${name} is too long for this text.`);
    if (hasTooManyFormulas(whole)) return refused(`${name} has too many formulas for this text.`);
    if (text.view.isDestroyed) return refused(`${name} was not inserted, since the text was closed.`);
    insertBlocks(blocks)(text.view.state, text.view.dispatch);
    text.focus();
    return { inserted: true, message: `${name} is inserted${leftOut && `, without ${leftOut}`}.` };
  } catch (error) {
    return refused(error instanceof ImportError ? error.message : `${name} could not be read. Try again.`);
  }
}
