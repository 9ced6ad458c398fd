import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Everything that `/metrics` tells. Labels come from closed sets (routes, tools, queues, configured models), never
 * from a person: neither ids nor paths nor words of theirs.
 */
export const registry = new Registry();

const registers = [registry];

const WORK_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const WAIT_SECONDS = [0.05, 0.25, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600];

export const httpSeconds = new Histogram({
  name: 'pressroom_http_request_seconds',
  help: 'Time from a request to the end of its answer. A plain call of a tool is held until its job ends.',
  labelNames: ['method', 'route', 'status'],
  buckets: HTTP_SECONDS,
  registers,
});

export const sockets = new Gauge({
  name: 'pressroom_sockets',
  help: 'Sockets connected to this process.',
  registers,
});

export const serviceUp = new Gauge({
  name: 'pressroom_service_up',
  help: 'Whether a service that requests need answers this process: 1 or 0.',
  labelNames: ['service'],
  registers,
});

export const queueJobs = new Gauge({
  name: 'pressroom_queue_jobs',
  help: 'Unfinished jobs in the job table. Each api tells the same of all: take the maximum, not the sum.',
  labelNames: ['queue', 'priority', 'status'],
  registers,
});

export const queueOldestWait = new Gauge({
  name: 'pressroom_queue_oldest_wait_seconds',
  help: 'How long the oldest waiting job has waited to be started for the first time. From each api.',
  labelNames: ['queue', 'priority'],
  registers,
});

export const queueSlots = new Gauge({
  name: 'pressroom_queue_slots',
  help: 'How many jobs of a queue the living workers can run at once. From each api.',
  labelNames: ['queue'],
  registers,
});

export const queuePaused = new Gauge({
  name: 'pressroom_queue_paused',
  help: 'Whether an operator holds the queue: 1 or 0. From each api.',
  labelNames: ['queue'],
  registers,
});

export const jobsSubmitted = new Counter({
  name: 'pressroom_jobs_submitted_total',
  help: 'Jobs accepted.',
  labelNames: ['tool', 'priority'],
  registers,
});

export const jobWaitSeconds = new Histogram({
  name: 'pressroom_job_wait_seconds',
  help: 'Time from the acceptance of a job to its first start.',
  labelNames: ['queue', 'priority'],
  buckets: WAIT_SECONDS,
  registers,
});

export const jobSeconds = new Histogram({
  name: 'pressroom_job_seconds',
  help: 'Time from the acceptance of a job to its end, by how it ended.',
  labelNames: ['tool', 'outcome'],
  buckets: WORK_SECONDS,
  registers,
});

export const attemptSeconds = new Histogram({
  name: 'pressroom_job_attempt_seconds',
  help: 'Duration of each attempt at a job, by how the attempt ended.',
  labelNames: ['tool', 'outcome'],
  buckets: WORK_SECONDS,
  registers,
});

export const jobsRunning = new Gauge({
  name: 'pressroom_worker_running_jobs',
  help: 'Jobs at work in this process.',
  registers,
});

export const creditsCharged = new Counter({
  name: 'pressroom_credits_charged_total',
  help: 'Credits charged for accepted jobs.',
  labelNames: ['tool'],
  registers,
});

export const creditsRefunded = new Counter({
  name: 'pressroom_credits_refunded_total',
  help: 'Credits given back for failed and cancelled jobs.',
  labelNames: ['tool'],
  registers,
});

export const providerSeconds = new Histogram({
  name: 'pressroom_provider_call_seconds',
  help: 'Duration of each call of the AI provider, by how it ended: ok, passing_error, final_error, stopped.',
  labelNames: ['operation', 'model', 'outcome'],
  buckets: WORK_SECONDS,
  registers,
});

export const providerFirstToken = new Histogram({
  name: 'pressroom_provider_first_token_seconds',
  help: 'Time from a call of the AI provider to the first piece of its text.',
  labelNames: ['model'],
  buckets: WORK_SECONDS,
  registers,
});

export const providerTokens = new Counter({
  name: 'pressroom_provider_tokens_total',
  help: 'Tokens that the AI provider counted, where it says so.',
  labelNames: ['operation', 'model', 'direction'],
  registers,
});

export const breakerOpen = new Gauge({
  name: 'pressroom_provider_breaker_open',
  help: 'Whether this worker holds calls of the AI provider back, since it failed before: 1 or 0.',
  labelNames: ['provider', 'kind'],
  registers,
});

type Collector = () => void | Promise<void>;
const collectors = new Set<Collector>();
let hasDefaults = false;

/** Has `collect` set its gauges before each answer of `/metrics`; gives the function that ends that. */
export function onScrape(collect: Collector): () => void {
  collectors.add(collect);
  return () => collectors.delete(collect);
}

/** Adds what Node says of the process: event loop lag, memory, CPU, garbage collection. */
export function watchProcess(): void {
  if (!hasDefaults) collectDefaultMetrics({ register: registry });
  hasDefaults = true;
}

/** The text of `/metrics`. A collector that fails leaves its gauges out; the rest is told all the same. */
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
