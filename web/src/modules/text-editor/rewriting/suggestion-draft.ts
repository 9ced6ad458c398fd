import { z } from 'zod';
import { rewriteActions, tones } from '#libs/tools/rewrite-text/contract.js';
import { drafts } from '../../../shared/drafts/drafts';
import { suggestionName } from '../saving/draft-names';

const draftSchema = z.object({
  jobId: z.string(),
  choice: z.object({
    action: z.enum(rewriteActions),
    tone: z.enum(tones).optional(),
    language: z.string().optional(),
    instruction: z.string().optional(),
  }),
  passage: z.object({ from: z.number(), to: z.number(), isInline: z.boolean(), name: z.string() }),
  /** Markdown of the passage, to find it again after a reload. */
  markdown: z.string(),
});

/** A suggestion that the user has neither accepted nor rejected. Stored in session storage, so that it survives a reload. */
export type SuggestionDraft = z.infer<typeof draftSchema>;

/** Reads and writes the stored suggestion of a creation. */
export function suggestionDraft(user: string, creation: string) {
  const name = suggestionName(user, creation);
  return {
    read: (): SuggestionDraft | null => draftSchema.safeParse(drafts.read(name)).data ?? null,
    write: (draft: SuggestionDraft) => drafts.write(name, draft),
    remove: () => drafts.remove(name),
  };
}
