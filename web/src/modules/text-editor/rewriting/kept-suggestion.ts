import { z } from 'zod';
import { rewriteActions, tones } from '#libs/tools/rewrite-text/contract.js';
import { drafts } from '../../../shared/drafts/drafts';
import { suggestionName } from '../saving/has-text-drafts';

const keptSchema = z.object({
  jobId: z.string(),
  choice: z.object({
    action: z.enum(rewriteActions),
    tone: z.enum(tones).optional(),
    language: z.string().optional(),
    instruction: z.string().optional(),
  }),
  passage: z.object({ from: z.number(), to: z.number(), isInline: z.boolean(), name: z.string() }),
  /** Of the passage. */
  markdown: z.string(),
});

/** A suggestion that is neither accepted nor rejected. The tab stores it, so that it survives a reload. */
export type KeptSuggestion = z.infer<typeof keptSchema>;

export class SuggestionKeeper {
  private readonly name: string;

  constructor(user: string, creation: string) {
    this.name = suggestionName(user, creation);
  }

  read = (): KeptSuggestion | null => keptSchema.safeParse(drafts.read(this.name)).data ?? null;
  write = (kept: KeptSuggestion): void => drafts.write(this.name, kept);
  remove = (): void => drafts.remove(this.name);
}
