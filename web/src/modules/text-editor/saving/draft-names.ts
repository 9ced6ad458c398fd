import { drafts } from '../../../shared/drafts/drafts';
import { fileDrafts } from '../../../shared/drafts/file-drafts';

export const textDraftPrefix = (user: string, creation: string) => `${user}:text:${creation}:`;

/** The name of the draft of a suggestion. */
export const suggestionName = (user: string, creation: string) => `${user}:suggestion:${creation}`;

/** Whether this device has unsaved text of a creation. In a small module, since every page with a text loads it. */
export async function hasTextDrafts(user: string, creation: string): Promise<boolean> {
  const prefix = textDraftPrefix(user, creation);
  return drafts.names(prefix).length > 0 || (await fileDrafts.names(prefix)).length > 0;
}
