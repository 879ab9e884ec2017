import type { ConnectionHealth } from '../../features/connections/index.ts'
import type { Delivery } from '../../features/deliveries/index.ts'
import type { Reader } from '../http/reader.ts'
import { DateTime } from './date-time.tsx'

const stateBadges = {
  waiting: { tone: '', label: 'Waiting for the first event' },
  working: { tone: 'success', label: 'Working' },
  delayed: { tone: 'warning', label: 'Delayed' },
  failing: { tone: 'danger', label: 'Failing' },
} as const satisfies Record<ConnectionHealth['state'], { tone: string; label: string }>

interface ConnectionStateProps {
  reader: Reader
  health: ConnectionHealth | undefined
  newest: Delivery | undefined
}

/** The state of a connection with the time of its last event. */
export function ConnectionState({ reader, health, newest }: ConnectionStateProps) {
  const { tone, label } = stateBadges[health?.state ?? 'waiting']
  return (
    <>
      <span class={`badge ${tone}`}>{label}</span>{' '}
      {newest ? (
        <span class="muted">
          last event <DateTime reader={reader} at={newest.received_at} />
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

const deliveryStatusBadges = {
  waiting: { tone: '', label: 'Waiting' },
  delivered: { tone: 'success', label: 'Delivered' },
  ignored: { tone: '', label: 'Ignored' },
  failed: { tone: 'danger', label: 'Failed' },
  withdrawn: { tone: 'warning', label: 'Withdrawn' },
} as const satisfies Record<Delivery['status'], { tone: string; label: string }>

/** The label of a delivery status. */
export const deliveryStatusLabel = (status: Delivery['status']): string =>
  deliveryStatusBadges[status].label

/** The status of a delivery as a badge. */
export function DeliveryStatusBadge({ status }: { status: Delivery['status'] }) {
  const { tone, label } = deliveryStatusBadges[status]
  return <span class={`badge ${tone}`}>{label}</span>
}
