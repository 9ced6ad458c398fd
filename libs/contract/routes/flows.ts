import { z } from 'zod';
import type { FileField } from '../define-tool.js';
import { describeFile } from '../limits.js';
import { flowListQuerySchema, flowSchema, flowTitleSchema } from '../flows.js';
import { defineRoute, json, page, type Route, success } from './define-route.js';
import { submissionHeaders } from './jobs.js';

const tag = 'Flows';
const flowId = z.object({ id: z.uuid().meta({ description: 'The flow’s id.' }) });
const wholeFlow = json(success({ flow: flowSchema }), 'The flow with its steps');

export const flowRoutes = {
  /** The route with the flow as parameter. {@link flowRoute} returns the route of one flow, with the schema of its input. */
  createFlow: defineRoute('POST', '/api/flows/:flow', {
    tag,
    scope: 'tool',
    summary: 'Starts a flow: jobs of several tools as one run',
    params: z.object({ flow: z.string() }),
    headers: submissionHeaders.pick({ 'Idempotency-Key': true }),
    body: z.object({}).loose(),
    form: z.object({}).loose(),
    answers: { 200: wholeFlow },
    errors: [
      'NOT_FOUND',
      'INSUFFICIENT_CREDITS',
      'PREMIUM_REQUIRED',
      'BUDGET_EXHAUSTED',
      'IDEMPOTENCY_MISMATCH',
      'STORAGE_FULL',
    ],
  }),
  listFlows: defineRoute('GET', '/api/flows', {
    tag,
    summary: 'The caller’s flows, newest first',
    query: flowListQuerySchema,
    answers: page({ flows: z.array(flowSchema) }, 'A page of flows'),
  }),
  getFlow: defineRoute('GET', '/api/flows/:id', {
    tag,
    summary: 'One flow with its steps',
    params: flowId,
    answers: { 200: wholeFlow },
    errors: ['NOT_FOUND'],
  }),
  chooseFlowTitle: defineRoute('PUT', '/api/flows/:id/title', {
    tag,
    scope: 'tool',
    summary: 'Chooses the title under which a flow writes its article',
    description:
      'For a flow that was started with `chooseTitle` and whose titles are there. The title may be another one than those suggested.',
    params: flowId,
    body: flowTitleSchema,
    answers: { 200: wholeFlow },
    errors: ['NOT_FOUND'],
  }),
  cancelFlow: defineRoute('DELETE', '/api/flows/:id', {
    tag,
    summary: 'Cancels the rest of a flow and refunds it; finished creations stay',
    params: flowId,
    answers: { 200: wholeFlow },
    errors: ['NOT_FOUND'],
  }),
};

export function flowRoute(
  name: string,
  flow: { title: string; description: string; files?: Record<string, FileField> },
  input: z.ZodObject,
): Route {
  const parts = Object.entries(flow.files ?? {}).map(
    ([field, { kind }]) => [field, z.file().meta({ description: describeFile(kind) })] as const,
  );
  const hasFiles = parts.length > 0;
  return {
    ...flowRoutes.createFlow,
    path: `/api/flows/${name}`,
    params: undefined,
    summary: flow.title,
    description:
      `${flow.description} All steps are charged here, or nothing is accepted. Steps that do not run are refunded. ` +
      'Each step is a job, which starts when the one that it needs has succeeded. Retry a failed step by ' +
      '`POST /api/jobs/{id}/retry`, which continues the flow. Events: `flow` with each change, and `job` for each step, with its `flowId`.',
    body: hasFiles ? undefined : input,
    form: hasFiles ? z.object({ ...input.shape, ...Object.fromEntries(parts) }) : undefined,
    errors: [
      ...flowRoutes.createFlow.errors,
      ...(hasFiles ? (['DISK_FULL', 'UNSUPPORTED_FILE', 'UNREADABLE_DOCUMENT'] as const) : []),
    ],
  };
}
