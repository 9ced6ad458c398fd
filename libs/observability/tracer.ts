/** W3C `traceparent`, which continues a trace in another process. */
export type TraceParent = string;

export type Attributes = Record<string, string | number | boolean | undefined>;

export interface TraceSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. Records the error's class and code, but not its message, which may quote a user. */
  fail(error: unknown): void;
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The parent span, of another process. */
  parent?: TraceParent | null;
}

export interface Tracer {
  /** Runs `run` in an active span, which ends when `run` or its promise ends. */
  span<T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T;
  /** The active span, for another process. */
  active(): { traceParent: TraceParent; traceId: string } | undefined;
  set(attributes: Attributes): void;
  close(): Promise<void>;
}
