import type { ConnectionHealth } from '../../features/connections/index.ts'
import type { Delivery } from '../../features/deliveries/index.ts'
import { Time } from './time.tsx'

const states = {
  waiting: { kind: '', title: 'Waiting for the first event' },
  working: { kind: 'good', title: 'Working' },
  delayed: { kind: 'warn', title: 'Delayed' },
  failing: { kind: 'bad', title: 'Failing' },
} as const satisfies Record<ConnectionHealth['state'], { kind: string; title: string }>

interface ConnectionStateProps {
  health: ConnectionHealth | undefined
  newest: Delivery | undefined
}

/** The state of a connection, with the time of its last event. */
export function ConnectionState({ health, newest }: ConnectionStateProps) {
  const { kind, title } = states[health?.state ?? 'waiting']
  return (
    <>
      <span class={`badge ${kind}`}>{title}</span>{' '}
      {newest ? (
        <span class="quiet">
          last event <Time at={newest.received_at} />
        </span>
      ) : null}
    </>
  )
}

/** Why a connection is delayed or failing, what to do, and how many deliveries wait. */
export function ConnectionHealthDetails({ health }: { health: ConnectionHealth }) {
  const { reason, action, queued, secondsToDrain, refusedRequests, rateLimitedRequests } = health
  const minutes = Math.ceil(secondsToDrain / 60)
  const lines = [
    reason ?? '',
    action !== null && action !== reason ? action : '',
    queued > 0 ? `${queued} deliveries wait: about ${minutes} min at 60 items a minute.` : '',
    refusedRequests > 0 ? `${refusedRequests} requests had no valid signature.` : '',
    rateLimitedRequests > 0 ? `${rateLimitedRequests} requests came too fast and got 429.` : '',
  ]
  return (
    <>
      {lines
        .filter((line) => line !== '')
        .map((line) => (
          <p safe>{line}</p>
        ))}
    </>
  )
}

const looks = {
  waiting: { kind: '', title: 'Waiting' },
  delivered: { kind: 'good', title: 'Delivered' },
  ignored: { kind: '', title: 'Ignored' },
  failed: { kind: 'bad', title: 'Failed' },
  withdrawn: { kind: 'warn', title: 'Withdrawn' },
} as const satisfies Record<Delivery['status'], { kind: string; title: string }>

/** What deliveries with an outcome are called. */
export const outcomeTitle = (status: Delivery['status']): string => looks[status].title

/** The outcome of a delivery in a word or two. */
export function Outcome({ status }: { status: Delivery['status'] }) {
  const { kind, title } = looks[status]
  return <span class={`badge ${kind}`}>{title}</span>
}
