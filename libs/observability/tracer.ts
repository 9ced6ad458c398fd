/** A W3C `traceparent` header, to continue a trace in another process. */
export type TraceParent = string;

export type Attributes = Record<string, string | number | boolean | undefined>;

export interface TraceSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. Records the error's class and code, but not its message, which may contain users' text. */
  fail(error: unknown): void;
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The parent span in another process. Default: the active span. */
  parent?: TraceParent | null;
}

export interface Tracer {
  /** Calls `run` in a new active span, which ends when `run` returns, or when the promise that it returns settles. */
  span<T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T;
  /** Ids of the active span, to continue its trace in another process; undefined if there is none. */
  active(): { traceParent: TraceParent; traceId: string } | undefined;
  set(attributes: Attributes): void;
  close(): Promise<void>;
}
