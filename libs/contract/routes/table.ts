import type { z } from 'zod';
import { adminRoutes } from './admin.js';
import { accountRoutes } from './account.js';
import { apiKeyRoutes } from './api-keys.js';
import { batchRoutes } from './batches.js';
import { communityRoutes } from './community.js';
import { creationRoutes } from './creations.js';
import type { JsonAnswer } from './define-route.js';
import { eventRoutes } from './events.js';
import { fileRoutes } from './files.js';
import { flowRoutes } from './flows.js';
import { jobRoutes } from './jobs.js';
import { notebookRoutes } from './notebooks.js';
import { operationRoutes } from './operations.js';
import { pdfChatRoutes } from './pdf-chats.js';
import { previewRoutes } from './previews.js';
import { resumeLinesRoutes } from './resume-lines.js';
import { savedSearchRoutes } from './saved-searches.js';
import { toolRoutes } from './tools.js';
import { voiceRoutes } from './voices.js';
import { webhookRoutes } from './webhooks.js';

/** Every route of the API. */
export const routes = {
  ...toolRoutes,
  ...previewRoutes,
  ...resumeLinesRoutes,
  ...pdfChatRoutes,
  ...notebookRoutes,
  ...jobRoutes,
  ...eventRoutes,
  ...batchRoutes,
  ...flowRoutes,
  ...accountRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...creationRoutes,
  ...savedSearchRoutes,
  ...voiceRoutes,
  ...communityRoutes,
  ...fileRoutes,
  ...operationRoutes,
  ...adminRoutes,
};

type Routes = typeof routes;
export type RouteName = keyof Routes;

/** Type of a route's JSON response with the given status; by default a union over all statuses. */
export type Answer<
  N extends RouteName,
  Status extends keyof Routes[N]['answers'] = keyof Routes[N]['answers'],
> = JsonAnswer<Routes[N], Status>;

type Parsed<N extends RouteName, Part extends 'query' | 'body'> = Routes[N] extends {
  [P in Part]: infer S extends z.ZodType;
}
  ? z.output<S>
  : never;

export type RouteQuery<N extends RouteName> = Parsed<N, 'query'>;
export type RouteBody<N extends RouteName> = Parsed<N, 'body'>;
