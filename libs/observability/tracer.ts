/** W3C `traceparent`: carries a trace from one process to the next. */
export type TraceParent = string;

export type Attributes = Record<string, string | number | boolean | undefined>;

export interface TraceSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. The error's class and code are recorded, never its message, which may quote a user. */
  fail(error: unknown): void;
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The span of another process that this one follows from. */
  parent?: TraceParent | null;
}

/** The implementation of tracing, once it is switched on. */
export interface Tracer {
  /** Runs a span as the active one. It ends when `run` has ended, or its promise. */
  span<T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T;
  /** The active span for another process, if there is one. */
  active(): { traceParent: TraceParent; traceId: string } | undefined;
  set(attributes: Attributes): void;
  /** Sends the spans that are left. */
  close(): Promise<void>;
}
