export type { IngestAnswer, Ingested } from './incoming.ts'
export { createIngest, type Ingest } from './ingest.ts'
