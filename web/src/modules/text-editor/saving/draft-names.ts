import { drafts } from '../../../shared/drafts/drafts';
import { fileDrafts } from '../../../shared/drafts/file-drafts';

export const textDraftPrefix = (user: string, creation: string) => `${user}:text:${creation}:`;

export const suggestionName = (user: string, creation: string) => `${user}:suggestion:${creation}`;

/**
 * True if this device has unsaved text of a creation. In a module of its own, since every page with a text loads this
 * function but few need the rest of the draft store.
 */
export async function hasTextDrafts(user: string, creation: string): Promise<boolean> {
  const prefix = textDraftPrefix(user, creation);
  return drafts.names(prefix).length > 0 || (await fileDrafts.names(prefix)).length > 0;
}
