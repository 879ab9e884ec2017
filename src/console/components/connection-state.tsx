import type { ConnectionHealth } from '../../features/connections/index.ts'
import type { Delivery } from '../../features/deliveries/index.ts'
import type { UserLocale } from '../http/user-locale.ts'
import type { TextKey, Translate } from '../locales/index.ts'
import { DateTime } from './dates/date-time.tsx'

const stateBadges = {
  waiting: { tone: '', label: 'integrations.waiting_for_the_first_event' },
  working: { tone: 'success', label: 'integrations.working' },
  delayed: { tone: 'warning', label: 'integrations.delayed' },
  failing: { tone: 'danger', label: 'integrations.failing' },
} as const satisfies Record<ConnectionHealth['state'], { tone: string; label: TextKey }>

interface ConnectionStateProps {
  t: Translate
  userLocale: UserLocale
  health: ConnectionHealth | undefined
  newest: Delivery | undefined
}

/** The state of a connection as a badge. */
export function ConnectionStateBadge({ t, health }: Pick<ConnectionStateProps, 't' | 'health'>) {
  const { tone, label } = stateBadges[health?.state ?? 'waiting']
  return <span class={`badge ${tone}`}>{t(label)}</span>
}

/** The state of a connection with the time of its last event. */
export function ConnectionStateDetails({ t, userLocale, health, newest }: ConnectionStateProps) {
  return (
    <>
      <ConnectionStateBadge t={t} health={health} />{' '}
      {newest ? (
        <span class="muted">
          {t.html('integrations.last_event', {
            date: () => <DateTime userLocale={userLocale} at={newest.received_at} />,
          })}
        </span>
      ) : null}
    </>
  )
}

/** Why a connection is delayed or failing, what to do, and how many deliveries wait. */
export function ConnectionHealthDetails({ t, health }: { t: Translate; health: ConnectionHealth }) {
  const { reason, action, queued, secondsToDrain, refusedRequests, rateLimitedRequests } = health
  const minutes = Math.ceil(secondsToDrain / 60)
  const lines = [
    t.fromEnglish(reason ?? ''),
    action !== null && action !== reason ? t.fromEnglish(action) : '',
    queued > 0 ? t('integrations.deliveries_wait', { queued, minutes }) : '',
    refusedRequests > 0
      ? t('integrations.requests_had_no_valid_signature', { refusedRequests })
      : '',
    rateLimitedRequests > 0
      ? t('integrations.requests_came_too_fast', { rateLimitedRequests })
      : '',
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

/** When a source was last read and is read next; nothing for a connection with a webhook. */
export function PollTimes({
  t,
  userLocale,
  polling,
}: Pick<ConnectionStateProps, 't' | 'userLocale'> & Pick<ConnectionHealth, 'polling'>) {
  if (polling === null) return ''
  const { lastAt, nextAt } = polling
  const date = (at: Date) => () => <DateTime userLocale={userLocale} at={at} />
  return (
    <p class="muted">
      {lastAt ? t.html('integrations.last_read', { date: date(lastAt) }) : ''}{' '}
      {nextAt && lastAt ? t.html('integrations.next_read', { date: date(nextAt) }) : ''}
      {nextAt && !lastAt ? t('integrations.read_soon') : ''}
    </p>
  )
}

const deliveryStatusBadges = {
  waiting: { tone: '', label: 'integrations.waiting' },
  delivered: { tone: 'success', label: 'integrations.delivered' },
  ignored: { tone: '', label: 'integrations.ignored' },
  failed: { tone: 'danger', label: 'integrations.failed' },
  withdrawn: { tone: 'warning', label: 'integrations.withdrawn' },
} as const satisfies Record<Delivery['status'], { tone: string; label: TextKey }>

/** The label of a delivery status. */
export const deliveryStatusLabel = (t: Translate, status: Delivery['status']): string =>
  t(deliveryStatusBadges[status].label)

/** The status of a delivery as a badge. */
export function DeliveryStatusBadge({ t, status }: { t: Translate; status: Delivery['status'] }) {
  const { tone, label } = deliveryStatusBadges[status]
  return <span class={`badge ${tone}`}>{t(label)}</span>
}
