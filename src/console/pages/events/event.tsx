import { Elysia } from 'elysia'
import type { LinkedBlock } from '../../../contract/events/event.ts'
import { listBlocksOfEvent } from '../../../features/content-blocks/index.ts'
import { eventInLanguage, type FoundEvent, findEvent } from '../../../features/events/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { StatusBadge } from '../../components/block.tsx'
import { relativeDate, todayOf } from '../../components/dates/calendar-date.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import {
  eventBlocksPath,
  eventCategoryLabels,
  newBlockPath,
  newEventPath,
} from '../../components/event.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { redirect } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'

async function show(context: MemberRequest): Promise<Response> {
  const { ctx } = context
  const slug = context.params['id'] ?? ''
  const event = await findEvent(ctx, slug)
  // Links and bookmarks have the former address of the page for a new event.
  if (!event && slug === 'new') return redirect(context, newEventPath)
  if (!event) throw notFound('The event')
  return await eventPage(context, event)
}

async function eventPage(context: MemberRequest, dated: FoundEvent): Promise<Response> {
  const { ctx, t } = context
  const found = eventInLanguage(dated, t.language)
  const blocks = await listBlocksOfEvent(ctx, { slugs: found.linkedBy })
  const { event } = found
  const today = todayOf(context.userLocale, ctx.now())
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: event.name, section: 'events' },
    <>
      <PageHeader
        title={event.name}
        parent={{ href: `/events?from=${event.event_date}`, title: t('common.events') }}
        lead={`${formatDate(context.userLocale, event.event_date, 'fullDate')}, ${relativeDate(event.event_date, today, context.t.language)}`}
      >
        {canEdit ? <Actions t={t} found={found} /> : null}
      </PageHeader>
      <div class="event-page">
        <div>
          <EventBlockList t={t} slug={event.slug} blocks={blocks} canEdit={canEdit} />
        </div>
        <EventDetails t={t} found={found} />
      </div>
    </>,
  )
}

function Actions({ t, found: { event, ownSlug } }: { t: Translate; found: FoundEvent }) {
  return (
    <>
      {ownSlug ? (
        <>
          <a class="button" href={`/events/${ownSlug}/edit`}>
            {t('common.edit')}
          </a>
          <a class="button danger" href={`/events/${ownSlug}/delete`}>
            {t('common.delete')}
          </a>
        </>
      ) : null}
      <a class="button primary" href={newBlockPath(event.slug)}>
        <Icon name="plus" />
        {t('events.new_block')}
      </a>
    </>
  )
}

function EventDetails({ t, found: { event, ownSlug } }: { t: Translate; found: FoundEvent }) {
  return (
    <aside class="card" aria-label={t('events.about_this_event')}>
      {event.suggested_content ? (
        <>
          <h2>{t('events.suggested_content')}</h2>
          <p class="prose-lines" safe>
            {event.suggested_content}
          </p>
        </>
      ) : null}
      {event.description ? (
        <>
          <h2>{t('common.description')}</h2>
          <p class="prose-lines" safe>
            {event.description}
          </p>
        </>
      ) : null}
      <dl class="details-list">
        <dt>{t('common.category')}</dt>
        <dd>{t(eventCategoryLabels[event.category])}</dd>
        <dt>{t('events.repeats')}</dt>
        <dd>{event.recurs ? t('events.every_year') : t('events.no')}</dd>
        <dt>{t('events.source')}</dt>
        <dd>{ownSlug ? t('events.your_team') : t('events.calendar_of_well_known_days')}</dd>
        <dt>{t('events.slug')}</dt>
        <dd>
          <code safe>{event.slug}</code>
        </dd>
      </dl>
    </aside>
  )
}

interface EventBlockListProps {
  t: Translate
  slug: string
  blocks: readonly LinkedBlock[]
  canEdit: boolean
}

function EventBlockList({ t, slug, blocks, canEdit }: EventBlockListProps) {
  if (blocks.length === 0) {
    return (
      <div class="empty">
        <h2>{t('events.no_blocks_yet')}</h2>
        <p>
          {t.html('events.blocks_for_this_event_appear', { code: (text) => <code>{text}</code> })}
        </p>
        {canEdit ? (
          <a class="button" href={newBlockPath(slug)}>
            {t('events.new_block')}
          </a>
        ) : null}
      </div>
    )
  }
  return (
    <section>
      <h2>{t('events.blocks')}</h2>
      <ul class="linked-blocks">
        {blocks.map(({ id, title, status }) => (
          <li>
            <a href={`/library/${id}`} safe>
              {title}
            </a>
            <StatusBadge t={t} status={status} />
          </li>
        ))}
      </ul>
      <p>
        <a href={eventBlocksPath(slug)}>{t('events.show_all_in_the_library')}</a>
      </p>
    </section>
  )
}

/** The route of the page of an event. */
export const eventPagePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/events/:id', show, { role: 'viewer' })
