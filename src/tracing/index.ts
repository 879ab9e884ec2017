import { setTimeout } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { JobTraces } from '../lib/queue/index.ts'
import { traceJobs } from './jobs.ts'
import { traceMeasurements } from './measurements.ts'
import { traceRequests } from './requests.ts'

export interface TracingSettings {
  version: string
  /** The value of OTEL_TRACES_SAMPLER. */
  sampler: TraceSampler
  /** From 0 to 1, for the samplers that take a share. */
  sampledShare: number
}

/** The samplers of the OpenTelemetry specification. */
type TraceSampler = keyof typeof samplers

const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share: number) => new TraceIdRatioBasedSampler(share),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share: number) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
} satisfies Record<string, (share: number) => Sampler>

/** How long a stop waits until the collector has taken the last spans. */
const lastExportMs = 5_000

/** Traces of this process. */
export interface Tracing {
  /** Creates a span for each request of the app that uses it. */
  requests: ReturnType<typeof traceRequests>
  /** Creates a span for each attempt at a job. */
  jobs: JobTraces
  /** Sends the spans that wait, and ends. */
  stop(): Promise<void>
}

/**
 * Starts to send traces by OTLP over HTTP. The libraries read where to, and how, from the standard
 * environment variables (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and
 * others). While the collector does not answer, spans are dropped and nothing else happens.
 */
export function startTracing({ version, sampler, sampledShare }: TracingSettings): Tracing {
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const provider = new TracerProvider({
    sampler: samplers[sampler](sampledShare),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tidings', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('tidings', version)
  const stopMeasuring = traceMeasurements(tracer)
  return {
    requests: traceRequests(tracer),
    jobs: traceJobs(tracer),
    async stop() {
      stopMeasuring()
      // The last spans are not worth waiting for a collector that does not respond.
      const limit = setTimeout(lastExportMs, undefined, { ref: false })
      await Promise.race([provider.shutdown().catch(() => {}), limit])
      context.disable()
      trace.disable()
    },
  }
}
