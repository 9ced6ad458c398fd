import { drafts } from '../../../shared/drafts/drafts';
import { fileDrafts } from '../../../shared/drafts/file-drafts';

export const textDraftPrefix = (user: string, creation: string) => `${user}:text:${creation}:`;

/** Under which a tab keeps the suggestion for a part of a text. */
export const suggestionName = (user: string, creation: string) => `${user}:suggestion:${creation}`;

/** Whether this device keeps unsaved texts of a creation. Every page that shows one asks, so this is small. */
export async function hasTextDrafts(user: string, creation: string): Promise<boolean> {
  const prefix = textDraftPrefix(user, creation);
  return drafts.names(prefix).length > 0 || (await fileDrafts.names(prefix)).length > 0;
}
