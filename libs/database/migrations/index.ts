import { FirstJob1700000000001 } from './1-first-job.js';
import { LocalAccounts1700000000002 } from './2-local-accounts.js';
import { Files1700000000003 } from './3-files.js';
import { Documents1700000000004 } from './4-documents.js';
import { Likes1700000000005 } from './5-likes.js';
import { Ats1700000000006 } from './6-ats.js';
import { DocumentFiles1700000000007 } from './7-document-files.js';
import { FairQueue1700000000008 } from './8-fair-queue.js';
import { Operations1700000000009 } from './9-operations.js';
import { HostedAccounts1700000000011 } from './11-hosted-accounts.js';
import { PlainNames1700000000012 } from './12-plain-names.js';
import { CreationSearch1700000000013 } from './13-creation-search.js';
import { DeletedResults1700000000014 } from './14-deleted-results.js';
import { StorageQuota1700000000015 } from './15-storage-quota.js';
import { FairShares1700000000016 } from './16-fair-shares.js';
import { CreationModels1700000000017 } from './17-creation-models.js';
import { SecondFactors1700000000018 } from './18-second-factors.js';
import { ScannedPages1700000000019 } from './19-scanned-pages.js';
import { Previews1700000000020 } from './20-previews.js';
import { PassageVectors1700000000021 } from './21-passage-vectors.js';
import { PagesInColumns1700000000022 } from './22-pages-in-columns.js';
import { CreationVersions1700000000023 } from './23-creation-versions.js';
import { ProgressAndPreviews1700000000024 } from './24-progress-and-previews.js';
import { CreationSources1700000000025 } from './25-creation-sources.js';
import { Batches1700000000026 } from './26-batches.js';
import { ConcurrentIndexes1700000000027 } from './27-concurrent-indexes.js';
import { VersionRequests1700000000028 } from './28-version-requests.js';
import { TextVersions1700000000029 } from './29-text-versions.js';
import { SubmitJobs1700000000030 } from './30-submit-jobs.js';
import { ClaimJob1700000000031 } from './31-claim-job.js';
import { CreationTypes1700000000032 } from './32-creation-types.js';
import { CreationShares1700000000033 } from './33-creation-shares.js';
import { NamesAndTags1700000000034 } from './34-names-and-tags.js';
import { RewrittenTexts1700000000035 } from './35-rewritten-texts.js';
import { Voices1700000000036 } from './36-voices.js';
import { Flows1700000000037 } from './37-flows.js';
import { StorageOfTexts1700000000038 } from './38-storage-of-texts.js';
import { SearchIndexList1700000000039 } from './39-search-index-list.js';

/** Every migration, in order. */
export const migrations = {
  FirstJob1700000000001,
  LocalAccounts1700000000002,
  Files1700000000003,
  Documents1700000000004,
  Likes1700000000005,
  Ats1700000000006,
  DocumentFiles1700000000007,
  FairQueue1700000000008,
  Operations1700000000009,
  HostedAccounts1700000000011,
  PlainNames1700000000012,
  CreationSearch1700000000013,
  DeletedResults1700000000014,
  StorageQuota1700000000015,
  FairShares1700000000016,
  CreationModels1700000000017,
  SecondFactors1700000000018,
  ScannedPages1700000000019,
  Previews1700000000020,
  PassageVectors1700000000021,
  PagesInColumns1700000000022,
  CreationVersions1700000000023,
  ProgressAndPreviews1700000000024,
  CreationSources1700000000025,
  Batches1700000000026,
  ConcurrentIndexes1700000000027,
  VersionRequests1700000000028,
  TextVersions1700000000029,
  SubmitJobs1700000000030,
  ClaimJob1700000000031,
  CreationTypes1700000000032,
  CreationShares1700000000033,
  NamesAndTags1700000000034,
  RewrittenTexts1700000000035,
  Voices1700000000036,
  Flows1700000000037,
  StorageOfTexts1700000000038,
  SearchIndexList1700000000039,
};
