import { Elysia } from 'elysia'
import type { Connection } from '../../../features/connections/index.ts'
import {
  type Delivery,
  deliveryStatuses,
  getDelivery,
  listDeliveries,
} from '../../../features/deliveries/index.ts'
import { DeliveryStatusBadge, deliveryStatusLabel } from '../../components/connection-state.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'
import { redirect, success } from '../../http/responses.ts'

const perPage = 25

/** The deliveries of a connection, filtered by status and page by page, as the URL says. */
export async function DeliveryList({
  context,
  connection: { id },
}: {
  context: MemberRequest
  connection: Connection
}) {
  const { ctx, url } = context
  const status = deliveryStatuses.find((one) => one === url.searchParams.get('outcome')) ?? null
  const before = url.searchParams.get('before')
  const slice = { before, status, limit: perPage + 1 }
  const found = await listDeliveries(ctx, id, slice)
  const rows = found.slice(0, perPage)
  const path = `/integrations/${id}`
  const oldest = found.length > perPage ? rows.at(-1) : undefined
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <nav class="tabs" aria-label="Status">
        <a href={path} aria-current={status === null ? 'page' : undefined}>
          All
        </a>
        {deliveryStatuses.map((one) => (
          <a
            href={`${path}?outcome=${one}`}
            aria-current={status === one ? 'page' : undefined}
            safe
          >
            {deliveryStatusLabel(one)}
          </a>
        ))}
      </nav>
      {rows.length > 0 ? (
        <DeliveryTable reader={context.reader} rows={rows} />
      ) : (
        <p>No deliveries.</p>
      )}
      <p class="row">
        {before === null ? null : <a href={status ? `${path}?outcome=${status}` : path}>Newest</a>}
        {oldest ? (
          <a href={`${path}?before=${oldest.id}${status ? `&outcome=${status}` : ''}`}>Older</a>
        ) : null}
      </p>
    </section>
  )
}

function DeliveryTable({ reader, rows }: { reader: Reader; rows: readonly Delivery[] }) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, received_at, status, reason, block_ids }) => (
            <tr>
              <th scope="row" class="nowrap">
                <a href={`/integrations/deliveries/${id}`}>
                  <DateTime reader={reader} at={received_at} />
                </a>
              </th>
              <td data-label="Status">
                <DeliveryStatusBadge status={status} />{' '}
                {block_ids.map((block) => (
                  <a href={`/library/${block}`}>Block</a>
                ))}
              </td>
              <td data-label="Reason" safe>
                {reason ?? ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const loadDelivery = ({ ctx, params }: MemberRequest) => getDelivery(ctx, params['id'] ?? '')

async function show(context: MemberRequest): Promise<Response> {
  const delivery = await loadDelivery(context)
  return await layout(
    context,
    { title: 'Delivery', section: 'integrations' },
    <>
      <PageHeader
        title="Delivery"
        lead="One event that the provider sent. Tidings stores only the fields that the integration needs, and only as long as it needs them."
      />
      <DeliveryDetails reader={context.reader} delivery={delivery} />
      {delivery.replayable ? (
        <Form context={context} action={`/integrations/deliveries/${delivery.id}/replay`}>
          <button type="submit" class="primary">
            Replay
          </button>
        </Form>
      ) : (
        <p class="muted">{finalReasons[delivery.status]}</p>
      )}
      <p>
        <a class="button" href={`/integrations/${delivery.connection_id}`}>
          All deliveries of this connection
        </a>
      </p>
    </>,
  )
}

const notStored = 'Its content was not stored, so only the provider can send it again.'
const finalReasons = {
  waiting: 'It is retried automatically for about a day.',
  delivered: 'Nothing is left to do.',
  withdrawn: 'Nothing is left to do.',
  ignored: notStored,
  failed: notStored,
} as const satisfies Record<Delivery['status'], string>

function DeliveryDetails({ reader, delivery }: { reader: Reader; delivery: Delivery }) {
  const { status, reason, block_ids, attempts, received_at, settled_at, delivery_id } = delivery
  return (
    <dl class="details-list">
      <dt>Status</dt>
      <dd>
        <DeliveryStatusBadge status={status} />
      </dd>
      {reason ? (
        <>
          <dt>Reason</dt>
          <dd safe>{reason}</dd>
        </>
      ) : null}
      {block_ids.length > 0 ? (
        <>
          <dt>Blocks</dt>
          <dd class="row">
            {block_ids.map((id, index) => (
              <a href={`/library/${id}`} safe>{`Block ${index + 1}`}</a>
            ))}
          </dd>
        </>
      ) : null}
      <dt>Received</dt>
      <dd>
        <DateTime reader={reader} at={received_at} />
      </dd>
      <dt>Processed</dt>
      <dd>{settled_at ? <DateTime reader={reader} at={settled_at} /> : 'Not yet'}</dd>
      <dt>Attempts</dt>
      <dd safe>{String(attempts)}</dd>
      <dt>Id at the provider</dt>
      <dd class="mono wrap" safe>
        {delivery_id}
      </dd>
    </dl>
  )
}

async function replay(context: MemberRequest): Promise<Response> {
  const { id, connection_id } = await loadDelivery(context)
  await context.deps.integrations.replay(context.ctx, id)
  return redirect(
    context,
    `/integrations/${connection_id}`,
    success('The delivery is processed again.'),
  )
}

/** Routes of the page of a delivery, and its replay. */
export const deliveryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/deliveries/:id', show, { role: 'admin' })
    .post('/integrations/deliveries/:id/replay', replay, { role: 'admin' })
