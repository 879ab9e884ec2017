export { ingestPath } from './incoming.ts'
export { createIngest, type Ingest, type IngestResult, type NewItem } from './ingest.ts'
