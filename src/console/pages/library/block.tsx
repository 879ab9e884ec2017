import type { ContentBlock } from '../../../contract/content-block.ts'
import { binBlock, getBlock, restoreBlock, usesOfBlock } from '../../../features/blocks/index.ts'
import { good, redirect } from '../../answers.ts'
import { attribute } from '../../attribute.ts'
import { action, NoFields, page, type Route, type Visit } from '../../page.ts'
import { BlockLook, StatusBadge, sourceTitles, typeTitles } from '../../parts/block.tsx'
import { Form } from '../../parts/form.tsx'
import { PageHead, screen } from '../../parts/screen.tsx'
import { Time } from '../../parts/time.tsx'
import { recordVisit } from '../../record.ts'
import { can } from '../../roles.ts'

/** The block that an address names. Throws `not_found`. */
export const blockOf = ({ deps, teamId, params }: Visit): Promise<ContentBlock> =>
  getBlock(deps.sql, teamId, params['id'] ?? '')

/** One block: where a chat's "it has landed" leads, and what the library shows beside its list. */
const show = page('/library/:id', 'viewer', async (visit) => {
  const block = await blockOf(visit)
  const uses = await usesOfBlock(visit.deps.sql, visit.teamId, block.id)
  const { title } = block
  return await screen(
    visit,
    { title, section: 'library' },
    <>
      <PageHead title={title}>
        <a class="button" href="/library">
          Library
        </a>
      </PageHead>
      <div id="block" class="block">
        {can(visit.member.role, 'editor') ? <Actions visit={visit} block={block} /> : null}
        <BlockLook block={block} />
        <Facts block={block} />
        {uses.length > 0 ? (
          <section aria-labelledby="uses">
            <h3 id="uses">In newsletters</h3>
            <ul>
              {uses.map((newsletter) => (
                <li>
                  <a href={`/newsletters/${newsletter.id}`} safe>
                    {newsletter.title}
                  </a>{' '}
                  <span class="quiet" safe>
                    {newsletter.status.replaceAll('_', ' ')}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </>,
  )
})

function Actions({ visit, block: { id, status } }: { visit: Visit; block: ContentBlock }) {
  const next = status === 'ready' ? 'draft' : 'ready'
  const words = { draft: 'Back to draft', ready: status === 'used' ? 'Use again' : 'Approve' }
  return (
    <div class="row block-actions">
      <Form visit={visit} action={`/library/${id}/status`}>
        <input type="hidden" name="to" value={next} />
        <input type="hidden" name="back" value={`/library/${id}`} />
        <button type="submit" class={next === 'ready' ? 'primary' : undefined} safe>
          {words[next]}
        </button>
      </Form>
      <a class="button" href={`/library/${id}/edit`}>
        Edit
      </a>
      <Form visit={visit} action={`/library/${id}/delete`}>
        <button type="submit" class="danger">
          Delete
        </button>
      </Form>
    </div>
  )
}

function Facts({ block }: { block: ContentBlock }) {
  const { status, block_type, source, origin, api_key_name, event_slug } = block
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <StatusBadge status={status} />
      </dd>
      <dt>Kind</dt>
      <dd>{typeTitles[block_type]}</dd>
      <dt>Source</dt>
      <dd>{sourceTitles[source]}</dd>
      <Fact title="Provider" text={origin?.provider} />
      <Fact title="By" text={origin?.author} />
      {origin?.url ? (
        <>
          <dt>Link</dt>
          <dd class="wrap">
            <a href={attribute(origin.url)} rel="noreferrer" safe>
              {origin.url}
            </a>
          </dd>
        </>
      ) : null}
      <Fact title="Its id there" text={origin?.external_id} />
      <Fact title="Key" text={api_key_name} />
      {event_slug ? (
        <>
          <dt>Event</dt>
          <dd>
            <a href={`/library?event=${encodeURIComponent(event_slug)}`} safe>
              {event_slug}
            </a>
          </dd>
        </>
      ) : null}
      <Moments block={block} />
    </dl>
  )
}

function Fact({ title, text }: { title: string; text: string | null | undefined }) {
  if (!text) return ''
  return (
    <>
      <dt safe>{title}</dt>
      <dd class="wrap" safe>
        {text}
      </dd>
    </>
  )
}

function Moments({ block: { publish_after, created_at, updated_at } }: { block: ContentBlock }) {
  return (
    <>
      {publish_after ? (
        <>
          <dt>Not before</dt>
          <dd>
            <Time at={new Date(publish_after)} />
          </dd>
        </>
      ) : null}
      <dt>Came in</dt>
      <dd>
        <Time at={new Date(created_at)} />
      </dd>
      {updated_at === created_at ? null : (
        <>
          <dt>Changed</dt>
          <dd>
            <Time at={new Date(updated_at)} />
          </dd>
        </>
      )}
    </>
  )
}

const remove = action('/library/:id/delete', 'editor', {
  form: NoFields,
  async act(visit) {
    const { sql, now } = visit.deps
    const { id } = await blockOf(visit)
    await sql.begin((tx) => binBlock(tx, now, visit.teamId, id, null))
    await recordVisit(visit, 'block_deleted', id)
    return redirect(visit, `/library?deleted=${id}`)
  },
})

const restore = action('/library/:id/restore', 'editor', {
  form: NoFields,
  async act(visit) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    const title = await sql.begin((tx) => restoreBlock(tx, now, visit.teamId, id))
    await recordVisit(visit, 'block_restored', id)
    return redirect(visit, `/library/${id}`, good(`“${title}” is back.`))
  },
})

/** One block, and the way out of the library and back. */
export const blockRoutes: readonly Route[] = [show, remove, restore]
