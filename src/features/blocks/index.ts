export { getBlock, listBlocks, withdrawBlocks } from './blocks.ts'
export type { IngestAnswer, Ingested } from './incoming.ts'
export {
  createIngest,
  type IdempotencyClaim,
  type Ingest,
} from './ingest.ts'
export { type BlockFilter, deleteOldAnswers } from './sql.ts'
