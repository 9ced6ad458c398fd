import { z } from 'zod';
import type { ToolContract } from '../define-tool.js';
import { describeFile } from '../limits.js';
import { defineRoute, json, type Route, success } from './define-route.js';
import { accepted, jobErrors, startedJobsSchema, submissionHeaders } from './jobs.js';

const tag = 'Tools';

export const toolRoutes = {
  /** The route with the tool as parameter. {@link toolRoute} returns the route of one tool, with the schema of its input. */
  submitJob: defineRoute('POST', '/api/ai/:tool', {
    tag,
    scope: 'tool',
    summary: 'Starts a job of a tool',
    params: z.object({ tool: z.string() }),
    headers: submissionHeaders,
    body: z.object({}).loose(),
    form: z.object({}).loose(),
    answers: { 200: json(success({}).loose(), 'The job succeeded'), 202: accepted },
    errors: ['NOT_FOUND', ...jobErrors],
  }),
};

/** @param credits price of a job */
export function toolRoute(name: string, tool: ToolContract, credits = tool.credits): Route {
  const files = Object.values(tool.files ?? {});
  const outcome = success({
    ...(tool.output as z.ZodObject).shape,
    creationId: z.uuid().optional(),
    ...(tool.copies && { jobs: startedJobsSchema }),
    message: z.string(),
    jobId: z.uuid(),
  });
  return {
    ...toolRoutes.submitJob,
    path: `/api/ai/${name}`,
    params: undefined,
    summary: tool.title,
    description: `${tool.description} Costs ${credits} ${credits === 1 ? 'credit' : 'credits'} on the free plan. Without the header Prefer, the call waits for the job’s end.`,
    body: files.some(({ required, orCreation }) => required && !orCreation) ? undefined : tool.input,
    form: files.length > 0 ? formOf(tool) : undefined,
    example: tool.example as object,
    answers: { ...toolRoutes.submitJob.answers, 200: json(outcome, 'The job succeeded') },
    errors: [
      ...toolRoutes.submitJob.errors,
      ...(tool.plan === 'premium' ? (['PREMIUM_REQUIRED'] as const) : []),
      ...(files.length > 0
        ? (['UNSUPPORTED_FILE', 'UNREADABLE_PDF', 'UNREADABLE_DOCUMENT', 'UNREADABLE_IMAGE'] as const)
        : []),
    ],
  };
}

/** The schema of a tool's multipart form: its input fields and its files. */
function formOf({ input, files = {} }: ToolContract): z.ZodObject {
  const parts = Object.entries(files).map(([name, { kind, required, orCreation }]) => {
    const file = z.file().meta({ description: describeFile(kind) });
    return [name, required && !orCreation ? file : file.optional()] as const;
  });
  return z.object({ ...(input as z.ZodObject).shape, ...Object.fromEntries(parts) });
}
