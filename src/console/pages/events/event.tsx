import { Elysia } from 'elysia'
import type { LinkedBlock } from '../../../contract/event.ts'
import { blocksOfEvent } from '../../../features/content-blocks/index.ts'
import { type FoundEvent, getEvent } from '../../../features/events/index.ts'
import { utcDay } from '../../../lib/clock.ts'
import { StatusBadge } from '../../components/block.tsx'
import { relativeDate } from '../../components/calendar-date.ts'
import { formatDate } from '../../components/date-time.tsx'
import { eventBlocksPath, eventCategoryLabels, newBlockPath } from '../../components/event.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { can } from '../../roles.ts'

async function show(context: MemberRequest): Promise<Response> {
  const { ctx } = context
  const found = await getEvent(ctx, context.params['id'] ?? '')
  const blocks = await blocksOfEvent(ctx, { slugs: found.linkedBy })
  const { event } = found
  const today = utcDay(ctx.now())
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: event.name, section: 'events' },
    <>
      <p class="breadcrumb">
        <a href={`/events?from=${event.event_date}`}>Events</a>
      </p>
      <PageHeader
        title={event.name}
        lead={`${formatDate(context.reader, event.event_date, 'fullDate')}, ${relativeDate(event.event_date, today)}`}
      >
        {canEdit ? <Actions found={found} /> : null}
      </PageHeader>
      <div class="event-page">
        <div>
          <EventBlockList slug={event.slug} blocks={blocks} canEdit={canEdit} />
        </div>
        <EventDetails found={found} />
      </div>
    </>,
  )
}

function Actions({ found: { event, ownSlug } }: { found: FoundEvent }) {
  return (
    <>
      {ownSlug ? (
        <>
          <a class="button" href={`/events/${ownSlug}/edit`}>
            Edit
          </a>
          <a class="button danger" href={`/events/${ownSlug}/delete`}>
            Delete
          </a>
        </>
      ) : null}
      <a class="button primary" href={newBlockPath(event.slug)}>
        <Icon name="plus" />
        New block
      </a>
    </>
  )
}

function EventDetails({ found: { event, ownSlug } }: { found: FoundEvent }) {
  return (
    <aside class="card" aria-label="About this event">
      {event.suggested_content ? (
        <>
          <h2>Suggested content</h2>
          <p class="prose-lines" safe>
            {event.suggested_content}
          </p>
        </>
      ) : null}
      {event.description ? (
        <>
          <h2>Description</h2>
          <p class="prose-lines" safe>
            {event.description}
          </p>
        </>
      ) : null}
      <dl class="details-list">
        <dt>Category</dt>
        <dd safe>{eventCategoryLabels[event.category]}</dd>
        <dt>Repeats</dt>
        <dd>{event.recurs ? 'Every year' : 'No'}</dd>
        <dt>Source</dt>
        <dd>{ownSlug ? 'Your team' : 'Calendar of well-known days, which cannot be changed'}</dd>
        <dt>Slug</dt>
        <dd>
          <code safe>{event.slug}</code>
        </dd>
      </dl>
    </aside>
  )
}

interface EventBlockListProps {
  slug: string
  blocks: readonly LinkedBlock[]
  canEdit: boolean
}

function EventBlockList({ slug, blocks, canEdit }: EventBlockListProps) {
  if (blocks.length === 0) {
    return (
      <div class="empty">
        <h2>No blocks yet</h2>
        <p>
          Blocks for this event appear here, including those that programs add with its slug as{' '}
          <code>event_slug</code>.
        </p>
        {canEdit ? (
          <a class="button" href={newBlockPath(slug)}>
            New block
          </a>
        ) : null}
      </div>
    )
  }
  return (
    <section>
      <h2>Blocks</h2>
      <ul class="linked-blocks">
        {blocks.map(({ id, title, status }) => (
          <li>
            <a href={`/library/${id}`} safe>
              {title}
            </a>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
      <p>
        <a href={eventBlocksPath(slug)}>Show all in the library</a>
      </p>
    </section>
  )
}

/** The route of the page of an event. */
export const eventPagePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/events/:id', show, { role: 'viewer' })
