import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of `/metrics`. Values of labels must be from fixed sets (routes, tools, queues, configured models), never ids,
 * paths or users' texts.
 */
export const registry = new Registry();

// Buckets of histograms, in seconds.
const WORK_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const WAIT_SECONDS = [0.05, 0.25, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600];

const registers = [registry];
const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name, help, labelNames, registers });
const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name, help, labelNames, registers });
const histogram = <Label extends string>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[],
) => new Histogram({ name, help, buckets, labelNames, registers });

export const httpSeconds = histogram(
  'pressroom_http_request_seconds',
  'Time from a request to the end of its answer. A plain call of a tool is held until its job ends.',
  HTTP_SECONDS,
  ['method', 'route', 'status'],
);

export const sockets = gauge('pressroom_sockets', 'Sockets connected to this process.');

export const serviceUp = gauge(
  'pressroom_service_up',
  'Whether a service that requests need answers this process: 1 or 0.',
  ['service'],
);

export const diskFree = gauge(
  'pressroom_disk_free_bytes',
  'Free space for files of users, on the fuller disk.',
);

export const diskReserved = gauge(
  'pressroom_disk_reserved_bytes',
  'Free space below which uploads and image jobs are refused.',
);

export const queueJobs = gauge(
  'pressroom_queue_jobs',
  'Unfinished jobs in the job table. Every api reports the same: use the maximum, not the sum.',
  ['queue', 'priority', 'status'],
);

export const queueOldestWait = gauge(
  'pressroom_queue_oldest_wait_seconds',
  'Wait of the oldest job that has not started yet. Reported by every api.',
  ['queue', 'priority'],
);

export const queueSlots = gauge(
  'pressroom_queue_slots',
  'Jobs of a queue that the running workers can run at once. Reported by every api.',
  ['queue'],
);

export const queuePaused = gauge(
  'pressroom_queue_paused',
  'Whether an operator paused the queue: 1 or 0. Reported by every api.',
  ['queue'],
);

export const maintenanceAge = gauge(
  'pressroom_maintenance_age_seconds',
  'Time since an hourly maintenance task last succeeded: retention, partitions. Reported by every api.',
  ['task'],
);

export const jobsSubmitted = counter('pressroom_jobs_submitted_total', 'Jobs accepted.', [
  'tool',
  'priority',
]);

export const jobWaitSeconds = histogram(
  'pressroom_job_wait_seconds',
  'Time from the acceptance of a job to its first start.',
  WAIT_SECONDS,
  ['queue', 'priority'],
);

export const jobSeconds = histogram(
  'pressroom_job_seconds',
  'Time from the acceptance of a job to its end, by outcome.',
  WORK_SECONDS,
  ['tool', 'outcome'],
);

export const attemptSeconds = histogram(
  'pressroom_job_attempt_seconds',
  'Duration of each attempt, by outcome.',
  WORK_SECONDS,
  ['tool', 'outcome'],
);

export const jobsRunning = gauge('pressroom_worker_running_jobs', 'Jobs running in this process.');

export const creditsCharged = counter(
  'pressroom_credits_charged_total',
  'Credits charged for accepted jobs.',
  ['tool'],
);

export const creditsRefunded = counter(
  'pressroom_credits_refunded_total',
  'Credits refunded for failed and cancelled jobs.',
  ['tool'],
);

export const providerSeconds = histogram(
  'pressroom_provider_call_seconds',
  'Duration of each call of the AI provider, by outcome: ok, passing_error, final_error, stopped.',
  WORK_SECONDS,
  ['operation', 'model', 'outcome'],
);

export const providerFirstToken = histogram(
  'pressroom_provider_first_token_seconds',
  'Time from a call of the AI provider to the first piece of text.',
  WORK_SECONDS,
  ['model'],
);

export const providerTokens = counter(
  'pressroom_provider_tokens_total',
  'Tokens that the AI provider reported.',
  ['operation', 'model', 'direction'],
);

export const budgetUsed = gauge(
  'pressroom_budget_used_ratio',
  'Part of a monthly budget for AI services that is used: that of all jobs, of a plan, and of the user who used most. Reported by one worker.',
  ['budget'],
);

export const breakerOpen = gauge(
  'pressroom_provider_breaker_open',
  'Whether this worker suspends calls of the AI provider after failures: 1 or 0.',
  ['provider', 'kind'],
);

type Collector = () => void | Promise<void>;
const collectors = new Set<Collector>();
let hasDefaults = false;

/** Registers a function that sets gauges before each scrape. @returns a function that unregisters it */
export function onScrape(collect: Collector): () => void {
  collectors.add(collect);
  return () => collectors.delete(collect);
}

/** Adds Node's metrics: event loop lag, memory, CPU, garbage collection. Further calls have no effect. */
export function addProcessMetrics(): void {
  if (!hasDefaults) collectDefaultMetrics({ register: registry });
  hasDefaults = true;
}

/** Collects all metrics. @returns the text of `/metrics`. If a collector fails, its gauges keep their values. */
export async function scrape(onError: (error: Error) => void): Promise<string> {
  await Promise.all(
    [...collectors].map(async (collect) => {
      try {
        await collect();
      } catch (error) {
        onError(error as Error);
      }
    }),
  );
  return registry.metrics();
}
