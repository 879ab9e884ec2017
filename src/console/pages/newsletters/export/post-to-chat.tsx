import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { getConnection } from '../../../../features/connections/index.ts'
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
import {
  channelName,
  channelsOf,
  listPostingChannels,
  type PostingChannel,
} from './posting-channels.ts'

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
  const channels = await listPostingChannels(context)
  const posts = await listPosts(context.ctx, { newsletterId: newsletter.id })
  return (
    <section class="card" aria-labelledby="post-to-chat">
      <h2 id="post-to-chat">{t('newsletters.post_to_a_chat')}</h2>
      {channels.length === 0 ? (
        <p class="muted">
          {t.html('newsletters.no_connection_has_a_channel', {
            link: (text) => <a href="/integrations">{text}</a>,
          })}
        </p>
      ) : (
        <ul class="steps">
          {channels.map((one) => (
            <li class="row" id={`post-${one.connection.id}-${one.channel}`} data-posts>
              <strong safe>{channelName(context, one)}</strong>
              <PostState
                context={context}
                path={`/newsletters/${newsletter.id}/posts`}
                postingChannel={one}
                post={posts.find(
                  ({ connection_id, channel }) =>
                    connection_id === one.connection.id && channel === one.channel,
                )}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function PostState({
  context,
  path,
  postingChannel,
  post,
}: {
  context: MemberRequest
  path: string
  postingChannel: PostingChannel
  post: NewsletterPost | undefined
}) {
  const { t } = context
  const canRepeat = !post || post.status === 'failed' || post.status === 'unknown'
  return (
    <>
      {post ? <PostBadge t={t} userLocale={context.userLocale} post={post} /> : ''}
      {canRepeat ? (
        <Form context={context} action={path} class="row">
          <ChannelFields {...postingChannel} />
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
          <ChannelFields {...postingChannel} />
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

const ChannelFields = ({ connection, channel }: PostingChannel) => (
  <>
    <input type="hidden" name="connection" value={connection.id} />
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
  const { ctx, params, t } = context
  const newsletterId = params['id'] ?? ''
  const { connection, channel } = await chosenChannel(context)
  const back = `/newsletters/${encodeURIComponent(newsletterId)}/export`
  return await redirectWithResult(context, back, async () => {
    await cancelPost(ctx, { newsletterId, connectionId: connection.id, channel })
    return { text: t('newsletters.post_is_cancelled') }
  })
}

/** The routes that post a newsletter to the channel of a connection, and that cancel a planned post. */
export const postToChatPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/posts', once(post), { role: 'editor' })
    .post('/newsletters/:id/posts/cancel', once(cancel), { role: 'editor' })
