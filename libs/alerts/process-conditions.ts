import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '#libs/config/clock.js';
import type { Program } from '#libs/health/database-writes.js';
import { breakerOpen, httpSeconds, providerSeconds } from '#libs/observability/metrics.js';
import type { AlertName, Condition } from './alert-rules.js';

// The limits of ops/alerts.yml.
const WINDOW_MS = 300_000;
const LIMITS = { ApiErrors: 0.02, ApiSlow: 0.05, ProviderErrors: 0.2 };
const SLOW_SECONDS = 1;
const LAG_SECONDS = 0.1;
/** Probes come every second, and would hide the errors of users. */
const PROBES = /^\/health\//;
/** Their answers wait for jobs. */
const WAITING = /^(?:\/api\/ai\/.*|\/api\/jobs\/:id\/retry)$/;

type RatioName = keyof typeof LIMITS;

/** Calls since the start of the process, and those of them that failed or were slow. */
interface Ratio {
  name: RatioName;
  labels: Record<string, string>;
  bad: number;
  all: number;
}
type Ratios = Map<string, Ratio>;

/** Conditions that a process knows from its own metrics, of the last five minutes. */
export class ProcessConditions {
  private samples: { at: number; ratios: Ratios }[];
  private readonly labels: Record<string, string>;

  /** @param readLag seconds by which the event loop was delayed since the last call, as the 99th percentile */
  constructor(
    program: Program,
    private readonly clock: Clock,
    private readonly readLag: () => number = measureLag(),
  ) {
    this.labels = { job: program, instance: hostname() };
    this.samples = [{ at: clock.elapsed(), ratios: new Map() }];
  }

  async read(): Promise<Condition[]> {
    const ratios = await readRatios();
    const now = this.clock.elapsed();
    this.samples.push({ at: now, ratios });
    while (this.samples[1]!.at <= now - WINDOW_MS) this.samples.shift();
    const before = this.samples[0]!.ratios;
    const exceeded = [...ratios].flatMap(([key, { name, labels, bad, all }]): Condition[] => {
      const since = before.get(key) ?? { bad: 0, all: 0 };
      const part = (bad - since.bad) / (all - since.all);
      return part > LIMITS[name] ? [this.condition(name, labels, summaries[name](part, labels))] : [];
    });
    return [...exceeded, ...(await this.readBreakers()), ...this.readEventLoop()];
  }

  private async readBreakers(): Promise<Condition[]> {
    const { values } = await breakerOpen.get();
    return values
      .filter(({ value }) => value === 1)
      .map(({ labels: { provider = '', kind = '' } }) => {
        const summary = `The circuit breaker of the ${provider} AI service is open (${kind})`;
        return this.condition('BreakerOpen', { provider: String(provider), kind: String(kind) }, summary);
      });
  }

  private readEventLoop(): Condition[] {
    const lag = this.readLag();
    if (lag <= LAG_SECONDS) return [];
    return [this.condition('EventLoopLag', {}, `The event loop is delayed by ${Math.round(lag * 1_000)} ms`)];
  }

  private condition(name: AlertName, labels: Record<string, string>, summary: string): Condition {
    const { job, instance } = this.labels;
    return { name, labels: { ...labels, ...this.labels }, summary: `${summary}: ${job} ${instance}.` };
  }
}

const percent = (part: number) => `${Math.round(part * 100)} %`;

const summaries: Record<RatioName, (part: number, labels: Record<string, string>) => string> = {
  ApiErrors: (part) => `${percent(part)} of the requests fail on our side`,
  ApiSlow: (part) => `${percent(part)} of the requests take over a second`,
  ProviderErrors: (part, { model }) => `${percent(part)} of the calls to ${model} fail`,
};

async function readRatios(): Promise<Ratios> {
  const ratios: Ratios = new Map();
  const add = (name: RatioName, labels: Record<string, string>, bad: number, all: number) => {
    const key = [name, ...Object.values(labels)].join(' ');
    const last = ratios.get(key) ?? { name, labels, bad: 0, all: 0 };
    ratios.set(key, { ...last, bad: last.bad + bad, all: last.all + all });
  };
  for (const { metricName, labels, value } of (await httpSeconds.get()).values) {
    const { route = '', status, le } = labels as { route?: string; status?: number; le?: number };
    if (PROBES.test(route)) continue;
    const isCount = metricName?.endsWith('_count');
    if (isCount) add('ApiErrors', {}, status === 500 || status === 503 ? value : 0, value);
    if (WAITING.test(route)) continue;
    if (isCount) add('ApiSlow', {}, value, value);
    // Those within the bucket were not slow.
    if (le === SLOW_SECONDS) add('ApiSlow', {}, -value, 0);
  }
  for (const { metricName, labels, value } of (await providerSeconds.get()).values) {
    if (!metricName?.endsWith('_count')) continue;
    const { operation = '', model = '', outcome } = labels;
    const hasFailed = outcome === 'passing_error' || outcome === 'final_error';
    const of = { operation: String(operation), model: String(model) };
    add('ProviderErrors', of, hasFailed ? value : 0, value);
  }
  return ratios;
}

function measureLag(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return () => {
    const seconds = delays.percentile(99) / 1e9;
    delays.reset();
    return seconds;
  };
}
