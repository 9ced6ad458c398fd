import type { Database } from '#libs/database/sql.js';
import { sourceOfJob } from '#libs/costs/provider-calls.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { contentHashOf, shownText } from '#libs/publishing/content-hash.js';
import type { PublicationCheck } from '#libs/publishing/publication-check.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import type { Outcome } from '../lifecycle.js';
import { retryWhileUnavailable } from '../retry-while-unavailable.js';
import type { ToolOutcome } from '../tool-handler.js';

export interface PublicationDeps {
  dataSource: Database;
  /** Decides about creations that are to be published at once. */
  publicationCheck: Pick<PublicationCheck, 'check'>;
}

/** Checks a creation that is to be published at once. */
export async function decidePublication<O extends ToolOutcome<ToolName>>(
  { publicationCheck, dataSource }: PublicationDeps,
  job: JobEntity,
  outcome: O,
  signal: AbortSignal,
): Promise<O & Pick<Outcome, 'creation' | 'moderation'>> {
  const { creation } = outcome;
  if (!creation?.published) return outcome;
  const user = await retryWhileUnavailable(
    () => dataSource.getRepository(UserEntity).findOneBy({ id: job.userId }),
    signal,
  );
  const publishedName = user?.name ?? null;
  const publication = { ...creation, publishedCaption: null, publishedAuthor: null, publishedName };
  const verdict = await publicationCheck.check(
    { text: shownText(publication), content: creation.content },
    sourceOfJob(job),
    signal,
  );
  const contentHash = contentHashOf(publication);
  const published = verdict.state === 'approved';
  return {
    ...outcome,
    creation: { ...creation, published, publishedName },
    ...(verdict.state !== 'off' &&
      (verdict.state !== 'approved' || verdict.isChecked) && {
        moderation: {
          ...{ state: verdict.state, contentHash },
          cause: verdict.state === 'approved' ? 'check' : verdict.cause,
        },
      }),
  };
}
