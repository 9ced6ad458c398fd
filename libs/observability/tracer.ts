/** W3C `traceparent`: what carries a trace from one process to the next. */
export type TraceParent = string;

export type Attributes = Record<string, string | number | boolean | undefined>;

/** A step of a trace that is under way. */
export interface WorkSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the step as failed. Of the error its class and code are told, never its words, which may quote a user. */
  fail(error: unknown): void;
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The step of another process that this one follows from. */
  parent?: TraceParent | null;
}

/** What does the tracing once it is switched on. */
export interface Tracer {
  /** Runs a step as the active one. It ends when `work` has ended, or its promise. */
  span<T>(name: string, options: SpanOptions, work: (span: WorkSpan) => T): T;
  /** The active step for another process, if there is one. */
  active(): { traceParent: TraceParent; traceId: string } | undefined;
  note(attributes: Attributes): void;
  /** Sends what is left. */
  close(): Promise<void>;
}
