import * as alerts from './alerts.js';
import * as apiKeys from './api-keys.js';
import * as batches from './batches.js';
import * as clerk from './clerk.js';
import * as connectedApps from './connected-apps.js';
import * as creations from './creations.js';
import * as credits from './credits.js';
import * as flows from './flows.js';
import * as heartbeats from './heartbeats.js';
import * as imageSupport from './image-support.js';
import * as jobs from './jobs.js';
import * as localAccounts from './local-accounts.js';
import * as notebooks from './notebooks.js';
import * as moderation from './moderation.js';
import * as auditLog from './audit-log.js';
import * as operations from './operations.js';
import * as pdfDocuments from './pdf-documents.js';
import * as previews from './previews.js';
import * as providerCalls from './provider-calls.js';
import * as socketIo from './socket-io.js';
import * as stripe from './stripe.js';
import * as users from './users.js';
import * as voices from './voices.js';
import * as webhooks from './webhooks.js';

export const entities = {
  ...users,
  ...apiKeys,
  ...credits,
  ...imageSupport,
  ...jobs,
  ...creations,
  ...batches,
  ...flows,
  ...notebooks,
  ...pdfDocuments,
  ...localAccounts,
  ...connectedApps,
  ...clerk,
  ...previews,
  ...providerCalls,
  ...socketIo,
  ...stripe,
  ...voices,
  ...webhooks,
  ...auditLog,
  ...operations,
  ...heartbeats,
  ...alerts,
  ...moderation,
};
