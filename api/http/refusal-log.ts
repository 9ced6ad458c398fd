import { systemClock, type Clock } from '#libs/config/clock.js';
import { network } from './rate-limits.js';

/** Refused requests of one network that have a line of their own, a minute. */
const LINES_PER_MINUTE = 20;
/** Refused requests of all networks that have a line of their own, a minute. */
const LINES_OF_ALL_PER_MINUTE = 2_000;
/** Networks with a line at the end of a minute, those with the most refusals; the rest has one line. */
const SUMMARIES_MAX = 100;
const MINUTE_MS = 60_000;
/** Networks that are counted one by one; the rest is counted together. */
const NETWORKS_MAX = 10_000;
const OTHERS = 'others';

interface Counts {
  /** The first address of the network that was refused. */
  address: string;
  lines: number;
  /** Refusals without a line, by error code. */
  codes: Map<string, number>;
}

/** What is written once a minute about a network whose further refusals had no lines. */
export interface RefusalSummary {
  address: string;
  refused: number;
  codes: Record<string, number>;
}

/** Summarises refused requests by network and minute, so that a stranger cannot push the log's trail out with them. */
export class RefusalLog {
  private readonly networks = new Map<string, Counts>();
  private lines = 0;
  private stopMinute: (() => void) | null = null;

  constructor(
    private readonly write: (summary: RefusalSummary) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Counts a refusal by the network of its address. @returns true if it should have a line of its own */
  count(address: string, code: string): boolean {
    this.stopMinute ??= this.clock.every(MINUTE_MS, () => this.endMinute());
    const own = network(address);
    const isCounted = this.networks.has(own) || this.networks.size < NETWORKS_MAX;
    const key = isCounted ? own : OTHERS;
    const counts = this.networks.get(key) ?? {
      address: isCounted ? address : OTHERS,
      lines: 0,
      codes: new Map(),
    };
    this.networks.set(key, counts);
    if (counts.lines < LINES_PER_MINUTE && this.lines < LINES_OF_ALL_PER_MINUTE) {
      counts.lines += 1;
      this.lines += 1;
      return true;
    }
    counts.codes.set(code, (counts.codes.get(code) ?? 0) + 1);
    return false;
  }

  private endMinute(): void {
    this.stopMinute?.();
    this.stopMinute = null;
    const summaries = [...this.networks.values()]
      .filter(({ codes }) => codes.size > 0)
      .map(({ address, codes }) => summaryOf(address, codes))
      .sort((one, other) => other.refused - one.refused);
    for (const summary of summaries.slice(0, SUMMARIES_MAX)) this.write(summary);
    const rest = summaries.slice(SUMMARIES_MAX);
    if (rest.length > 0) this.write(inOne(rest));
    this.networks.clear();
    this.lines = 0;
  }
}

const summaryOf = (address: string, codes: ReadonlyMap<string, number>): RefusalSummary => ({
  address,
  refused: [...codes.values()].reduce((sum, count) => sum + count, 0),
  codes: Object.fromEntries(codes),
});

function inOne(summaries: readonly RefusalSummary[]): RefusalSummary {
  const codes = new Map<string, number>();
  for (const summary of summaries)
    for (const [code, count] of Object.entries(summary.codes))
      codes.set(code, (codes.get(code) ?? 0) + count);
  return summaryOf(OTHERS, codes);
}
