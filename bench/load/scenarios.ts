import type { Scenario } from '../measure.ts'
import { proseItem, shortItem, tagsItem } from './bodies.ts'

const everySystem = ['bare', 'drizzle', 'tidings'] as const
const ingest = { method: 'POST', path: '/api/v1/webhooks/ingest', status: 201 } as const
const get = { method: 'GET', body: null, status: 200 } as const
const list = { ...get, path: '/api/v1/content_blocks?per_page=50', connections: 8 } as const

/** The rows of the table, in the order in which they are measured. */
export const scenarios: readonly Scenario[] = [
  { name: 'list of 50, before ingest', ...list, systems: everySystem, goal: '≥ 0.60' },
  ...[
    { connections: 1, goal: '≥ 0.40' },
    { connections: 32, goal: '≥ 0.60' },
    { connections: 128, goal: '≥ 0.70' },
  ].map(({ connections, goal }) => ({
    name: `ingest, ${connections} connections`,
    ...ingest,
    body: shortItem,
    connections,
    systems: everySystem,
    goal,
  })),
  {
    name: 'ingest of 10 KB prose, 32',
    ...ingest,
    body: proseItem,
    connections: 32,
    systems: everySystem,
    goal: '≥ 0.35',
  },
  {
    name: 'ingest of 10 KB with 450 tags, 32',
    ...ingest,
    body: tagsItem,
    connections: 32,
    systems: everySystem,
    goal: '≥ 0.20',
  },
  {
    name: 'team, 32',
    ...get,
    path: '/api/v1/team',
    connections: 32,
    systems: everySystem,
    goal: '≥ 0.50',
  },
  {
    name: 'ping, 32',
    ...get,
    path: '/api/v1/ping',
    connections: 32,
    systems: ['tidings'],
    goal: '≥ 15,000/s',
  },
  {
    name: 'over the limit (429), 32',
    ...get,
    path: '/api/v1/ping',
    status: 429 as const,
    connections: 32,
    systems: ['tidings'],
    goal: '≥ 20,000/s',
  },
]

/** Measured last: the table then contains all that was ingested. */
export const listAfterIngest: Scenario = {
  name: 'list of 50, after ingest',
  ...list,
  systems: everySystem,
  goal: '≥ 0.90',
}
