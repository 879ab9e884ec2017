import type { Delivery } from '../../features/deliveries/index.ts'
import { Time } from './time.tsx'

/** How a connection is doing, by what came in last. */
export function ConnectionState({ newest }: { newest: Delivery | undefined }) {
  if (!newest) return <span class="badge">Waiting for the first event</span>
  if (newest.status === 'failed') {
    return (
      <>
        <span class="badge bad">Failing</span> <Time at={newest.received_at} />
      </>
    )
  }
  return (
    <>
      <span class="badge good">Working</span>{' '}
      <span class="quiet">
        last event <Time at={newest.received_at} />
      </span>
    </>
  )
}

const looks = {
  waiting: { kind: '', title: 'On its way' },
  delivered: { kind: 'good', title: 'In the library' },
  ignored: { kind: '', title: 'No news' },
  failed: { kind: 'bad', title: 'Failed' },
  withdrawn: { kind: 'warn', title: 'Taken back' },
} as const satisfies Record<Delivery['status'], { kind: string; title: string }>

/** What deliveries with an outcome are called. */
export const outcomeTitle = (status: Delivery['status']): string => looks[status].title

/** The outcome of a delivery in a word or two. */
export function Outcome({ status }: { status: Delivery['status'] }) {
  const { kind, title } = looks[status]
  return <span class={`badge ${kind}`}>{title}</span>
}
