import { Elysia } from 'elysia'
import { type Connection, getConnection } from '../../../../features/connections/index.ts'
import { findTitles } from '../../../../features/content-blocks/index.ts'
import {
  type Delivery,
  deliveryStatuses,
  getDelivery,
  listDeliveries,
} from '../../../../features/deliveries/index.ts'
import { DeliveryStatusBadge, deliveryStatusLabel } from '../../../components/connection-state.tsx'
import { RelativeTime } from '../../../components/dates/relative-time.tsx'
import { Form } from '../../../components/form/form.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { connectionName } from '../../../components/provider-name.ts'
import { Table } from '../../../components/table.tsx'
import { access } from '../../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'

const perPage = 25

/** How many blocks of a delivery its row names; its page lists all. */
const listedBlocks = 3

/** The deliveries of a connection, filtered by status and page by page, as the URL says. */
export async function DeliveryList({
  context,
  connection: { id },
}: {
  context: MemberRequest
  connection: Connection
}) {
  const { ctx, url, t } = context
  const status = deliveryStatuses.find((one) => one === url.searchParams.get('status')) ?? null
  const before = url.searchParams.get('before')
  const slice = { connectionId: id, before, status, limit: perPage + 1 }
  const found = await listDeliveries(ctx, slice)
  const rows = found.slice(0, perPage)
  const path = `/integrations/${id}`
  const oldest = found.length > perPage ? rows.at(-1) : undefined
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t('integrations.deliveries')}</h2>
      <nav class="tabs" aria-label={t('common.status')}>
        <a href={path} aria-current={status === null ? 'page' : undefined}>
          {t('integrations.all')}
        </a>
        {deliveryStatuses.map((one) => (
          <a href={`${path}?status=${one}`} aria-current={status === one ? 'page' : undefined} safe>
            {deliveryStatusLabel(t, one)}
          </a>
        ))}
      </nav>
      {rows.length > 0 ? (
        <DeliveryTable context={context} rows={rows} />
      ) : (
        <p>{t('integrations.no_deliveries')}</p>
      )}
      <p class="row">
        {before === null ? null : (
          <a href={status ? `${path}?status=${status}` : path}>{t('integrations.newest')}</a>
        )}
        {oldest ? (
          <a href={`${path}?before=${oldest.id}${status ? `&status=${status}` : ''}`}>
            {t('common.older')}
          </a>
        ) : null}
      </p>
    </section>
  )
}

async function DeliveryTable({
  context: { ctx, t, userLocale, deps },
  rows,
}: {
  context: MemberRequest
  rows: readonly Delivery[]
}) {
  const titles = await findTitles(
    ctx,
    rows.flatMap(({ block_ids }) => block_ids.slice(0, listedBlocks)),
  )
  const result = t('integrations.block_or_reason')
  return (
    <Table columns={[t('integrations.when'), t('common.status'), result]}>
      {rows.map(({ id, received_at, status, reason, block_ids }) => (
        <tr>
          <th scope="row" class="nowrap">
            <a href={`/integrations/deliveries/${id}`}>
              <RelativeTime userLocale={userLocale} at={received_at} now={deps.now()} />
            </a>
          </th>
          <td data-label={t('common.status')}>
            <DeliveryStatusBadge t={t} status={status} />
          </td>
          <td class="reason" data-label={result}>
            {reason ? <span safe>{t.fromEnglish(reason)}</span> : null}
            <BlockTitles t={t} ids={block_ids.slice(0, listedBlocks)} titles={titles} />
            {block_ids.length > listedBlocks ? (
              <a href={`/integrations/deliveries/${id}`}>{t('integrations.more')}</a>
            ) : null}
          </td>
        </tr>
      ))}
    </Table>
  )
}

interface BlockTitlesProps {
  t: Translate
  ids: readonly string[]
  /** Without those of deleted blocks. */
  titles: ReadonlyMap<string, string>
}

function BlockTitles({ t, ids, titles }: BlockTitlesProps) {
  if (ids.length === 0) return ''
  return (
    <ul class="plain-list">
      {ids.map((id) => {
        const title = titles.get(id)
        return (
          <li>
            {title === undefined ? (
              <span class="muted">{t('library.was_deleted')}</span>
            ) : (
              <a href={`/library/${id}`} safe>
                {title}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const loadDelivery = ({ ctx, params }: MemberRequest) => getDelivery(ctx, params['id'] ?? '')

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const delivery = await loadDelivery(context)
  const connection = await getConnection(connectionContext(context), delivery.connection_id)
  return await layout(
    context,
    { title: t('integrations.delivery'), section: 'integrations' },
    <>
      <PageHeader
        title={t('integrations.delivery')}
        lead={t('integrations.one_event_that_the_provider')}
        parent={{
          href: `/integrations/${connection.id}`,
          title: connectionName(context, connection),
        }}
      />
      <DeliveryDetails context={context} delivery={delivery} />
      {delivery.replayable ? '' : <p class="muted">{t(finalReasons[delivery.status])}</p>}
      {delivery.replayable ? (
        <Form context={context} action={`/integrations/deliveries/${delivery.id}/replay`}>
          <button type="submit" class="primary">
            {t('integrations.replay')}
          </button>
        </Form>
      ) : null}
    </>,
  )
}

const notStored = 'integrations.its_content_was_not_stored'
const finalReasons = {
  waiting: 'integrations.it_is_retried_automatically',
  delivered: 'integrations.nothing_is_left_to_do',
  withdrawn: 'integrations.nothing_is_left_to_do',
  ignored: notStored,
  failed: notStored,
} as const satisfies Record<Delivery['status'], TextKey>

async function DeliveryDetails({
  context,
  delivery,
}: {
  context: MemberRequest
  delivery: Delivery
}) {
  const { ctx, t, userLocale, deps } = context
  const now = deps.now()
  const { status, reason, block_ids, attempts, received_at, settled_at, delivery_id } = delivery
  return (
    <dl class="details-list">
      <dt>{t('common.status')}</dt>
      <dd>
        <DeliveryStatusBadge t={t} status={status} />
      </dd>
      {reason ? (
        <>
          <dt>{t('integrations.reason')}</dt>
          <dd class="reason" safe>
            {t.fromEnglish(reason)}
          </dd>
        </>
      ) : null}
      {block_ids.length > 0 ? (
        <>
          <dt>{t('integrations.blocks')}</dt>
          <dd>
            <BlockTitles t={t} ids={block_ids} titles={await findTitles(ctx, block_ids)} />
          </dd>
        </>
      ) : null}
      <dt>{t('integrations.received')}</dt>
      <dd>
        <RelativeTime userLocale={userLocale} at={received_at} now={now} />
      </dd>
      <dt>{t('integrations.processed')}</dt>
      <dd>
        {settled_at ? (
          <RelativeTime userLocale={userLocale} at={settled_at} now={now} />
        ) : (
          t('integrations.not_yet')
        )}
      </dd>
      <dt>{t('integrations.attempts')}</dt>
      <dd safe>{String(attempts)}</dd>
      <dt>{t('integrations.id_at_the_provider')}</dt>
      <dd class="mono wrap" safe>
        {delivery_id}
      </dd>
    </dl>
  )
}

async function replay(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { id, connection_id } = await loadDelivery(context)
  await context.deps.integrations.replay(context.ctx, id)
  return redirect(
    context,
    `/integrations/${connection_id}`,
    success(t('integrations.the_delivery_is_processed_again')),
  )
}

/** Routes of the page of a delivery, and its replay. */
export const deliveryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/deliveries/:id', show, { role: 'admin' })
    .post('/integrations/deliveries/:id/replay', once(replay), { role: 'admin' })
