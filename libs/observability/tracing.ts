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

let tracer: Tracer | undefined;

const unseen: WorkSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined };

/**
 * Switches tracing on for this process. OpenTelemetry is loaded here and nowhere else: without an endpoint nothing of
 * it is, and each step costs one comparison.
 * @param endpoint where an OTLP/HTTP collector listens; null leaves tracing off
 */
export async function startTracing(service: string, endpoint: string | null): Promise<void> {
  if (endpoint === null || tracer) return;
  const { createTracer } = await import('./open-telemetry.js');
  tracer = createTracer(service, endpoint);
}

export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = undefined;
  await stopped?.close();
}

/** A step of a trace, which begins one where there is none. */
export const inSpan = <T>(name: string, options: SpanOptions, work: (span: WorkSpan) => T): T =>
  tracer ? tracer.span(name, options, work) : work(unseen);

/** A step that is told only as part of a trace, such as a statement: by itself it says nothing. */
export const inChildSpan = <T>(name: string, options: SpanOptions, work: (span: WorkSpan) => T): T =>
  tracer?.active() ? tracer.span(name, options, work) : work(unseen);

/** The active step, to be handed on; undefined while tracing is off. */
export const activeTrace = () => tracer?.active();

/** Adds what became known to the active step. */
export const noteInTrace = (attributes: Attributes): void => tracer?.note(attributes);
