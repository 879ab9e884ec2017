import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { getConnection, listConnections } from '../../../../features/connections/index.ts'
import {
  cancelPost,
  createPost,
  listPosts,
  type NewsletterPost,
} from '../../../../features/newsletter-posts/index.ts'
import { momentOf } from '../../../../lib/clock.ts'
import { notFound } from '../../../../lib/errors.ts'
import { attribute } from '../../../attribute.ts'
import { DateTime } from '../../../components/dates/date-time.tsx'
import { Form } from '../../../components/form/form.tsx'
import { access } from '../../../http/access.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import type { UserLocale } from '../../../http/user-locale.ts'
import type { Translate } from '../../../locales/index.ts'
import { can } from '../../../roles.ts'
import { redirectWithResult } from '../redirect-with-result.ts'
import { channelName, channelsOf, type PostingChannel } from './posting-channels.ts'

/** A channel with the post of the newsletter to it. */
interface PostRow {
  connectionId: string
  channel: string
  /** The connection and the channel, as people read them. */
  name: string
  post: NewsletterPost | undefined
  /** False for a channel that no connection has any more. */
  canPost: boolean
}

/**
 * The channels of the team's connections, and after them those of posts whose channel or connection was removed, so
 * that what is planned there can be cancelled.
 */
async function listPostRows(context: MemberRequest, newsletterId: string): Promise<PostRow[]> {
  const connections = await listConnections(connectionContext(context))
  const posts = await listPosts(context.ctx, { newsletterId })
  const rows = connections
    .flatMap((connection) => channelsOf(context.deps, connection))
    .map((one) => {
      const { channel, connection } = one
      const post = posts.find((other) => isPostTo(other, { connectionId: connection.id, channel }))
      const name = channelName(context, one)
      return { connectionId: connection.id, channel, name, post, canPost: true }
    })
  const others = posts.filter((post) => !rows.some((row) => isPostTo(post, row)))
  const formerRows = others.map((post) => {
    const connection = connections.find(({ id }) => id === post.connection_id)
    const { connection_id: connectionId, channel } = post
    const name = connection
      ? channelName(context, { connection, channel })
      : [context.t('newsletters.removed_connection'), channel].filter(Boolean).join(', ')
    return { connectionId, channel, name, post, canPost: false }
  })
  return [...rows, ...formerRows]
}

const isPostTo = (post: NewsletterPost, to: Pick<PostRow, 'connectionId' | 'channel'>) =>
  post.connection_id === to.connectionId && post.channel === to.channel

/** The section of a sent newsletter with which editors post it to the channels of chats. */
export async function PostToChat({
  context,
  newsletter,
}: {
  context: MemberRequest
  newsletter: Newsletter
}) {
  const { t } = context
  if (newsletter.status !== 'sent' || !can(context.member.role, 'editor')) return ''
  const rows = await listPostRows(context, newsletter.id)
  return (
    <section class="card" aria-labelledby="post-to-chat">
      <h2 id="post-to-chat">{t('newsletters.post_to_a_chat')}</h2>
      {rows.some(({ canPost }) => canPost) ? (
        ''
      ) : (
        <p class="muted">
          {t.html('newsletters.no_connection_has_a_channel', {
            link: (text) => <a href="/integrations">{text}</a>,
          })}
        </p>
      )}
      {rows.length > 0 ? (
        <ul class="steps">
          {rows.map((row) => (
            <li class="row" id={`post-${row.connectionId}-${row.channel}`} data-posts>
              <strong safe>{row.name}</strong>
              <PostState context={context} path={`/newsletters/${newsletter.id}/posts`} row={row} />
            </li>
          ))}
        </ul>
      ) : (
        ''
      )}
    </section>
  )
}

function PostState({ context, path, row }: { context: MemberRequest; path: string; row: PostRow }) {
  const { t } = context
  const { post } = row
  const canPost = row.canPost && (!post || post.status === 'failed' || post.status === 'unknown')
  return (
    <>
      {post ? <PostBadge t={t} userLocale={context.userLocale} post={post} /> : ''}
      {canPost ? (
        <Form context={context} action={path} class="row">
          <ChannelFields {...row} />
          <button type="submit" class="small">
            {post ? t('newsletters.post_again') : t('newsletters.post')}
          </button>
          <label class="inline">
            {t('newsletters.post_at')}
            <input type="datetime-local" name="at" />
          </label>
        </Form>
      ) : (
        ''
      )}
      {post?.status === 'waiting' && (post.scheduled_at || post.reason !== null) ? (
        <Form context={context} action={`${path}/cancel`}>
          <ChannelFields {...row} />
          <button type="submit" class="small">
            {t('common.cancel')}
          </button>
        </Form>
      ) : (
        ''
      )}
    </>
  )
}

const ChannelFields = ({ connectionId, channel }: PostRow) => (
  <>
    <input type="hidden" name="connection" value={attribute(connectionId)} />
    <input type="hidden" name="channel" value={attribute(channel)} />
  </>
)

function PostBadge({
  t,
  userLocale,
  post,
}: {
  t: Translate
  userLocale: UserLocale
  post: NewsletterPost
}) {
  const { status, posted_at, scheduled_at, reason } = post
  const shown = t.fromEnglish(reason ?? '')
  if (posted_at) {
    return (
      <span>
        <span class="badge success">{t('newsletters.posted')}</span>{' '}
        <DateTime userLocale={userLocale} at={posted_at} />
      </span>
    )
  }
  if (status === 'failed')
    return <Problem label={t('newsletters.not_posted')} tone="danger" reason={shown} />
  if (status === 'unknown')
    return <Problem label={t('newsletters.not_confirmed')} tone="warning" reason={shown} />
  if (status === 'waiting' && scheduled_at && reason === null)
    return (
      <span>
        <span class="badge accent">{t('newsletters.planned')}</span>{' '}
        <DateTime userLocale={userLocale} at={scheduled_at} />
      </span>
    )
  // The next attempt asks the chat first.
  if (status === 'posting' && reason !== null)
    return <Problem label={t('newsletters.not_confirmed_yet')} tone="accent" reason={shown} />
  return <Problem label={t('newsletters.waiting')} tone="accent" reason={shown} />
}

function Problem({ label, tone, reason }: { label: string; tone: string; reason: string }) {
  return (
    <span>
      <span class={`badge ${tone}`} safe>
        {label}
      </span>{' '}
      <span safe>{reason}</span>
    </span>
  )
}

/** The channel that a person has chosen. Throws `not_found`. */
async function chosenChannel(context: MemberRequest): Promise<PostingChannel> {
  const { deps, values } = context
  const id = textOf(values, 'connection')
  const connection = await getConnection(connectionContext(context), id)
  const chosen = textOf(values, 'channel')
  const channels = channelsOf(deps, connection)
  // A page from before an update names no channel.
  const [only] = channels.length === 1 && chosen === '' ? channels : []
  const found = only ?? channels.find(({ channel }) => channel === chosen)
  if (!found) throw notFound('The channel')
  return found
}

async function post(context: MemberRequest): Promise<Response> {
  const { deps, ctx, params, t } = context
  const newsletterId = params['id'] ?? ''
  const chosen = await chosenChannel(context)
  const back = `/newsletters/${encodeURIComponent(newsletterId)}/export`
  return await redirectWithResult(context, back, async () => {
    const at = momentIn(context, textOf(context.values, 'at'))
    const { connection, channel } = chosen
    const input = { newsletterId, connectionId: connection.id, channel, at }
    await createPost({ ...ctx, queue: deps.queue }, input)
    const name = channelName(context, chosen)
    if (at !== null) return { text: t('newsletters.post_is_planned', { connection: name }) }
    return { text: t('newsletters.the_newsletter_is_being_posted', { connection: name }) }
  })
}

/** The moment that a person has chosen in their time zone; null when they left it out. */
function momentIn({ userLocale }: MemberRequest, local: string): Date | null {
  if (local === '') return null
  const [day = '', time = ''] = local.split('T')
  return momentOf(day, time.slice(0, 5), userLocale.timeZone ?? 'UTC')
}

async function cancel(context: MemberRequest): Promise<Response> {
  const { ctx, params, t, values } = context
  const newsletterId = params['id'] ?? ''
  const to = { connectionId: textOf(values, 'connection'), channel: textOf(values, 'channel') }
  const back = `/newsletters/${encodeURIComponent(newsletterId)}/export`
  return await redirectWithResult(context, back, async () => {
    await cancelPost(ctx, { newsletterId, ...to })
    return { text: t('newsletters.post_is_cancelled') }
  })
}

/** The routes that post a newsletter to the channel of a connection, and that cancel a planned post. */
export const postToChatPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/posts', once(post), { role: 'editor' })
    .post('/newsletters/:id/posts/cancel', once(cancel), { role: 'editor' })
