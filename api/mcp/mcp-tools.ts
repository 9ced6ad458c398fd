import { Inject, Injectable } from '@nestjs/common';
import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobCompletion } from '#libs/jobs/job-completion.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { ignoreEnded, JobLifecycle } from '#libs/jobs/lifecycle.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { createPublicFetch, type PublicFetch } from '#libs/outbound/public-fetch.js';
import { StoredFiles, type FileRecord } from '#libs/storage/stored-files.js';
import { contractOf, toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';
import { requireScope, requireToolScope } from '../http/key-scopes.js';
import { requestIdOf } from '../http/request-id.js';
import { RateLimits } from '../http/rate-limits.js';
import { network } from '../http/rate-limits.js';
import { reads, writes } from '../http/request-bulkhead.js';
import { toAppError } from '../http/to-app-error.js';
import { ToolsService } from '../tools/tools.service.js';
import { readFileArgument, type FileArgument } from './mcp-files.js';
import { inputSchemaOf, jobInput, outcomeSchema, type Arguments } from './mcp-schemas.js';

/** Clients give up after 60 s unless told otherwise. A longer job is answered with its id before that. */
const WAIT_MS = 45_000;
/** Larger pictures come as a link and as their thumbnail. */
const IMAGE_MAX_BYTES = 2 * 2 ** 20;

const onError = logErrors('MCP');

/** A request of a caller, and its answer. */
export interface McpCall {
  caller: Caller;
  response: Response;
  /** Ends the count of the body's bytes. Called when the files of the arguments are stored. */
  releaseBody: () => void;
}

const addressOf = ({ response }: McpCall) => network(response.req.ip);

/** The tools of the catalogue for assistants that speak MCP. Each is derived from the tool's contract. */
@Injectable()
export class McpTools {
  private readonly publicFetch: PublicFetch;

  constructor(
    private readonly tools: ToolsService,
    private readonly jobs: JobReader,
    private readonly lifecycle: JobLifecycle,
    private readonly completion: JobCompletion,
    private readonly server: SocketServer,
    private readonly files: StoredFiles,
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.publicFetch = createPublicFetch({ proxyUrl: config.outbound.proxyUrl });
  }

  /** A server for one request of the caller, with the tools that the caller's key may run. */
  createServer(call: McpCall): McpServer {
    const server = new McpServer(
      { name: 'pressroom', title: 'Pressroom', version: '1' },
      // The list depends on the scopes of the key.
      { cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } } },
    );
    const { caller } = call;
    const { apiKey } = caller;
    for (const name of toolNames)
      if (!apiKey || apiKey.scopes.includes(tools[name].group)) this.addTool(server, call, name);
    if (!apiKey || apiKey.scopes.includes('read'))
      server.registerTool(
        'get_job',
        {
          description: 'The state and the result of a job. Waits up to 45 seconds for its end.',
          inputSchema: jobInput,
          outputSchema: outcomeSchema,
          annotations: { readOnlyHint: true },
        },
        ({ jobId }, context) =>
          toolResult(async () => {
            if (apiKey) requireScope(apiKey, 'read');
            await this.read(call, () => this.jobs.find(caller.userId, jobId));
            return this.waitForEnd(call, jobId, context);
          }),
      );
    if (!apiKey || apiKey.scopes.includes('write'))
      server.registerTool(
        'cancel_job',
        {
          description: 'Cancels a job and gives its credits back.',
          inputSchema: jobInput,
          outputSchema: outcomeSchema,
          annotations: { idempotentHint: true },
        },
        ({ jobId }) =>
          toolResult(async () => {
            if (apiKey) requireScope(apiKey, 'write');
            const cancel = () => this.lifecycle.cancel(caller.userId, jobId);
            await writes.run(caller.userId, addressOf(call), cancel);
            return this.readResult(call, jobId);
          }),
      );
    return server;
  }

  private addTool(server: McpServer, call: McpCall, name: ToolName): void {
    const { title, description, plan } = tools[name];
    const credits = this.config.prices.tools[name];
    const price =
      plan === 'premium'
        ? 'Needs the premium plan.'
        : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'} on the free plan.`;
    server.registerTool(
      name,
      {
        title,
        description: `${description} ${price}`,
        inputSchema: inputSchemaOf(name),
        outputSchema: outcomeSchema,
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      },
      (args, context) => toolResult(() => this.runTool(call, name, args, context)),
    );
  }

  /** Starts the jobs of a call and waits for the first. Cancels all of them if the client cancels the call. */
  private async runTool(
    call: McpCall,
    name: ToolName,
    args: Arguments,
    context: ServerContext,
  ): Promise<CallToolResult> {
    const { caller, response, releaseBody } = call;
    requireToolScope(caller, name);
    await this.limits.count('submissions', caller.userId, response);
    const jobs = await this.submit(caller, name, args, requestIdOf(response.req));
    releaseBody();
    const cancelJobs = () => {
      for (const { id } of jobs)
        void this.lifecycle.cancel(caller.userId, id).catch(ignoreEnded).catch(onError);
    };
    const { signal } = context.mcpReq;
    if (signal.aborted) cancelJobs();
    else signal.addEventListener('abort', cancelJobs, { once: true });
    const [first, ...others] = jobs;
    const result = await toolResult(() => this.waitForEnd(call, first.id, context));
    signal.removeEventListener('abort', cancelJobs);
    return others.length === 0 ? result : withOtherJobs(result, others);
  }

  private async submit(caller: Caller, name: ToolName, args: Arguments, requestId: string) {
    const { fields, contents } = await this.readArguments(name, args);
    return this.tools.submitContents(caller, name, fields, contents, requestId);
  }

  /** Deletes the content of files from the arguments, which stay in memory until the call ends. */
  private async readArguments(name: ToolName, args: Arguments) {
    const fileFields = contractOf(name).files ?? {};
    const fields = Object.fromEntries(Object.entries(args).filter(([field]) => !(field in fileFields)));
    const contents = [];
    for (const [field, { kind }] of Object.entries(fileFields)) {
      if (args[field] === undefined) continue;
      const file = args[field] as FileArgument;
      contents.push(await readFileArgument(field, file, kind, this.publicFetch));
      delete file.data;
    }
    return { fields, contents };
  }

  /** Waits at most {@link WAIT_MS} for the job's end, and reports its progress. */
  private async waitForEnd(
    call: McpCall,
    jobId: string,
    { mcpReq: { signal, notify, _meta } }: ServerContext,
  ): Promise<CallToolResult> {
    const progressToken = _meta?.progressToken;
    let lastPercent = -1;
    const onEvent = (event: string, payload: unknown) => {
      const job = payload as Job;
      if (event !== 'job' || job.id !== jobId || progressToken === undefined || signal.aborted) return;
      const { percent, message } = job.progress;
      if (percent <= lastPercent) return;
      lastPercent = percent;
      const params = { progressToken, progress: percent, total: 100, message };
      notify({ method: 'notifications/progress', params }).catch(onError);
    };
    const unsubscribe = this.server.subscribeToUser(call.caller.userId, onEvent);
    try {
      await this.completion.wait(jobId, WAIT_MS, signal);
    } finally {
      unsubscribe();
    }
    return this.readResult(call, jobId);
  }

  private readResult(call: McpCall, jobId: string): Promise<CallToolResult> {
    return this.read(call, async () => this.resultOf(await this.jobs.get(call.caller.userId, jobId)));
  }

  /** A read of the caller, which waits while others are at work. */
  private read<T>(call: McpCall, work: () => Promise<T>): Promise<T> {
    return reads.run(call.caller.userId, addressOf(call), work);
  }

  private async resultOf(job: Job): Promise<CallToolResult> {
    const { id: jobId, status, progress, error, result } = job;
    if (status === 'failed') throw new AppError(error!.code, error!.message);
    const outcome = { jobId, status, percent: progress.percent, ...(result && { result }) };
    if (!isEnded(status)) {
      const state = `The job ${jobId} is ${status} (${progress.percent} %). Call get_job with this id for its result.`;
      return { structuredContent: outcome, content: [text(state)] };
    }
    return {
      structuredContent: outcome,
      content: result ? await this.contentOf(job, result) : [text(`The job was ${status}.`)],
    };
  }

  private async contentOf(
    { tool }: Job,
    result: Record<string, unknown>,
  ): Promise<CallToolResult['content']> {
    const { content, thumbnail } = result as { content?: string; thumbnail?: string };
    if (typeof content !== 'string') return [text(JSON.stringify(result))];
    if (tools[tool as ToolName].queue !== 'image') return [text(content)];
    const image = await this.findFile(content);
    const picture = await this.readPicture([image, await this.findFile(thumbnail)]);
    return [
      ...(picture ? [{ type: 'image' as const, ...picture }] : []),
      { type: 'resource_link', uri: content, name: 'The image in full size', mimeType: image?.type },
    ];
  }

  private async findFile(url: string | undefined): Promise<FileRecord | undefined> {
    const key = url?.split('/files/')[1];
    return key === undefined ? undefined : this.files.findResult(key);
  }

  /** The first picture that is small enough for an answer. */
  private async readPicture(
    files: (FileRecord | undefined)[],
  ): Promise<{ data: string; mimeType: string } | null> {
    for (const file of files) {
      if (file && file.bytes <= IMAGE_MAX_BYTES)
        return { data: (await this.files.read(file.key)).toString('base64'), mimeType: file.type };
    }
    return null;
  }
}

/** Adds the ids of the other jobs that the call started, such as further images. */
const withOtherJobs = (result: CallToolResult, others: { id: string }[]): CallToolResult => ({
  ...result,
  content: [
    ...result.content,
    text(`The call also started ${others.map(({ id }) => id).join(', ')}. Call get_job for each.`),
  ],
});

const text = (content: string) => ({ type: 'text' as const, text: content });

/** Answers an error as the result of the call, so that the assistant reads what to do. */
async function toolResult(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    const { code, message, status } = toAppError(error);
    if (status >= 500) onError(error as Error);
    return { isError: true, content: [text(`${message} (${code})`)] };
  }
}
