import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { settleWithin } from '#libs/resilience/policies.js';
import type { SpanOptions, Tracer, TraceSpan } from './tracer.js';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Milliseconds between two exports of finished spans, and maximum milliseconds for the last export on close. */
const SEND_EVERY = 1_000;
const CLOSE_WITHIN = 3_000;

/**
 * Creates a tracer without automatic instrumentation, which would slow down every start and supports neither our queue nor
 * our AI provider. The exporter also reads its OTEL_EXPORTER_OTLP_* variables.
 */
export function createTracer(service: string, endpoint: string): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY })],
  });
  const tracer = provider.getTracer('pressroom');
  return {
    span<T>(
      name: string,
      { kind = 'internal', attributes, parent }: SpanOptions,
      call: (span: TraceSpan) => T,
    ) {
      const from = parent ? contextOf(parent) : context.active();
      return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, from, (span) => run(span, call));
    },
    active() {
      const traceId = trace.getActiveSpan()?.spanContext().traceId;
      if (traceId === undefined) return undefined;
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent === undefined ? undefined : { traceId, traceParent: carrier.traceparent };
    },
    set: (attributes) => void trace.getActiveSpan()?.setAttributes(attributes),
    async close() {
      await settleWithin(CLOSE_WITHIN, () => provider.shutdown()).catch(() => undefined);
    },
  };
}

const contextOf = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent });

function run<T>(span: Span, call: (span: TraceSpan) => T): T {
  let result: T;
  const own: TraceSpan = {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (error) => fail(span, error),
  };
  try {
    result = call(own);
  } catch (error) {
    fail(span, error);
    span.end();
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then(
    (value: unknown) => {
      span.end();
      return value;
    },
    (error: unknown) => {
      fail(span, error);
      span.end();
      throw error;
    },
  ) as T;
}

function fail(span: Span, error: unknown): void {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  span.setAttribute(
    'error.type',
    typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error',
  );
  span.setStatus({ code: SpanStatusCode.ERROR });
}
