/**
 * The service as a process of its own, to be killed by a test. The environment tells it its DATABASE
 * (an address as JSON) and its INGEST_URL; it prints where it listens.
 */
import { connect } from '../../src/lib/db.ts'
import { serve } from './app.ts'
import { bulletinAdapter } from './hooks.ts'

const address = JSON.parse(process.env['DATABASE'] ?? '""')
const { base } = await serve(
  { address, sql: connect(address, { name: 'tidings test service' }) },
  { adapters: [bulletinAdapter().adapter], ingestUrl: process.env['INGEST_URL'] ?? '' },
)
process.stdout.write(`${base}\n`)
