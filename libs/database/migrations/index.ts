import * as first from './1-to-11.js';
import * as plainNames from './12-plain-names.js';
import * as creationSearch from './13-creation-search.js';
import * as second from './14-to-26.js';
import * as concurrentIndexes from './27-concurrent-indexes.js';
import * as third from './28-to-39.js';
import * as documents from './40-documents.js';
import * as notebooks from './41-notebooks.js';
import * as imageSupport from './43-image-support.js';
import * as batchOriginals from './44-batch-originals.js';
import * as publishedCaptions from './45-published-captions.js';
import * as apiKeys from './46-api-keys.js';
import * as webhooks from './48-webhooks.js';
import * as connectedApps from './49-connected-apps.js';
import * as auditLog from './50-audit-log.js';
import * as operations from './55-operations.js';
import * as alerts from './51-alerts.js';
import * as providerCalls from './52-provider-calls.js';
import * as moderation from './53-moderation.js';
import * as stripe from './54-stripe.js';
import * as userLimits from './56-user-limits.js';
import * as billing from './57-billing.js';
import * as repetitions from './58-repetitions.js';
import * as partitions from './59-partitions.js';
import * as publishing from './61-publishing.js';
import * as authSecretFingerprints from './64-auth-secret-fingerprints.js';
import * as guessedCodes from './65-guessed-codes.js';
import * as publishedNames from './66-published-names.js';
import * as auditLogUsers from './67-audit-log-users.js';
import * as acceptedPrices from './68-accepted-prices.js';
import * as webhookAnswers from './69-webhook-answers.js';

/** Every migration, by name. TypeORM runs them in the order of the numbers in their names. */
export const migrations = {
  ...first,
  ...plainNames,
  ...creationSearch,
  ...second,
  ...concurrentIndexes,
  ...third,
  ...documents,
  ...notebooks,
  ...imageSupport,
  ...batchOriginals,
  ...publishedCaptions,
  ...apiKeys,
  ...webhooks,
  ...connectedApps,
  ...auditLog,
  ...operations,
  ...alerts,
  ...providerCalls,
  ...moderation,
  ...stripe,
  ...userLimits,
  ...billing,
  ...repetitions,
  ...partitions,
  ...publishing,
  ...authSecretFingerprints,
  ...guessedCodes,
  ...publishedNames,
  ...auditLogUsers,
  ...acceptedPrices,
  ...webhookAnswers,
};
