export { createIngest, type Ingest, type IngestResult, type NewItem } from './ingest.ts'
export { ingestPath } from './store-in-batches.ts'
