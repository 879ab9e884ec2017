import * as v from 'valibot'

/** How attempts at jobs appear in traces. */
export interface JobTraces {
  /** What a job stores to refer to the request that creates it, or null outside a request. */
  reference(): string | null
  /** Runs an attempt in a span of its own, which refers to the request that created the job. */
  run<T>(type: string, reference: string | null, attempt: () => Promise<T>): Promise<T>
}

/** Without traces, nothing is stored and an attempt just runs. */
export const noTraces: JobTraces = {
  reference: () => null,
  run: (_type, _reference, attempt) => attempt(),
}

const Referring = v.object({ traceparent: v.string() })

/** The data of a job with the reference to its request. The schemas of job data leave it out. */
export const withReference = (data: object, traces: JobTraces): object => {
  const traceparent = traces.reference()
  return traceparent === null ? data : { ...data, traceparent }
}

/** The reference in the data of a job, or null. */
export const referenceOf = (data: unknown): string | null =>
  v.is(Referring, data) ? data.traceparent : null
