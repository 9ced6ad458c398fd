import type { Attributes, SpanOptions, Tracer, TraceSpan } from './tracer.js';

let tracer: Tracer | undefined;

const noSpan: TraceSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined };

/**
 * Enables tracing in this process. If tracing is disabled, OpenTelemetry is not loaded and spans cost almost nothing.
 * @param endpoint the URL of an OTLP/HTTP collector; null disables tracing
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

/** Calls `run` in a new span. Starts a new trace if no trace is active. */
export const inSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer ? tracer.span(name, options, run) : run(noSpan);

/**
 * Calls `run` in a new span if a trace is active. Use it for small steps, such as an SQL statement, to avoid useless traces.
 */
export const inChildSpan = <T>(name: string, options: SpanOptions, run: (span: TraceSpan) => T): T =>
  tracer?.active() ? tracer.span(name, options, run) : run(noSpan);

/** Ids of the active span, to continue its trace in another process; undefined if there is none. */
export const activeTrace = () => tracer?.active();

export const setSpanAttributes = (attributes: Attributes): void => tracer?.set(attributes);
