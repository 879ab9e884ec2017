import * as v from 'valibot'
import { described } from './described.ts'
import { connectionStates } from './vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A connection and its health. Its address and its secrets are not part of it. */
export const ConnectionStatus = v.strictObject({
  id: described(v.string(), 'The id of the connection.', 'cn_019a9f40b7e17a11c2d3e4f5a6b7c8d9'),
  adapter: described(v.string(), 'The provider.', 'github'),
  label: described(v.nullable(v.string()), 'The name that people gave it, or null.', 'Website'),
  state: described(
    v.picklist(connectionStates),
    '`waiting` for the first event, `working`, `delayed` (it continues by itself) or `failing` (somebody has to act).',
    'failing',
  ),
  reason: described(
    v.nullable(v.string()),
    'Why it is delayed or failing.',
    'The last request had no valid signature.',
  ),
  action: described(
    v.nullable(v.string()),
    'What to do while it is failing.',
    'Check the secret: it has to be the same here and at the provider.',
  ),
  queued: described(count, 'Deliveries that wait; exact up to 10,000.', 0),
  seconds_to_drain: described(
    count,
    'Seconds until none waits, at 60 items a minute, rounded up to minutes.',
    0,
  ),
  refused_requests: described(
    count,
    'Requests without a valid signature since the connection was created.',
    4,
  ),
  last_refused_at: described(
    v.nullable(instant),
    'When the last of them was received.',
    '2026-11-20T09:32:00.000Z',
  ),
  rate_limited_requests: described(
    count,
    'Requests of the provider that got 429 since the connection was created.',
    0,
  ),
  last_polled_at: described(
    v.nullable(instant),
    'When its source was last read; null for a connection with a webhook.',
    null,
  ),
  next_poll_at: described(
    v.nullable(instant),
    'When its source is read next; null for a connection with a webhook, and for a source that has ended.',
    null,
  ),
  created_at: described(instant, 'When the connection was created.', '2026-11-01T08:00:00.000Z'),
})
export type ConnectionStatus = v.InferOutput<typeof ConnectionStatus>
