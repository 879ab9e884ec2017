import { inviteMember } from '../../src/features/members/index.ts'
import { animation } from '../support/hostile/hostile-images.ts'
import { approvalForm } from '../support/newsletters.ts'
import { direct, type OperationCase, recorded } from './operation.ts'
import {
  accountLink,
  archiveOn,
  chatConnection,
  connectionId,
  contextOf,
  failedJob,
  failedMessage,
  filledNewsletter,
  firstDraft,
  ignoredDelivery,
  keyId,
  linkedAccount,
  mutedChannel,
  newBlock,
  newEvent,
  newLink,
  newMember,
  newNewsletter,
  newsletterToPost,
  newsletterWithElement,
  newTemplate,
  otherName,
  promptForm,
  routedConnectionId,
  sentNewsletter,
  templateForm,
  text,
  twoConnections,
} from './preparation.ts'

const noteOf = (test: string) => `The entry concerns an account: ${test} covers it.`
const accountTest = noteOf('test/features/account-audit.test.ts')
const signInTest = noteOf('test/console/sign-in/sign-in.test.ts')
const secondFactorTest = noteOf('test/console/sign-in/second-factor.test.ts')
const passkeyTest = noteOf('test/console/sign-in/passkeys-browser.test.ts')
const peopleTest = noteOf('test/console/settings/people.test.ts')

/** Every form of the console, and the pages that export. */
export const consoleOperations: Record<string, OperationCase> = {
  'POST /login': signInTest,
  'POST /logout': signInTest,
  'POST /login/continue': signInTest,
  'POST /login/continue/code': secondFactorTest,
  'POST /login/continue/session': 'It continues with a session that exists.',
  'POST /login/link/:token': noteOf('test/console/sign-in/sign-in-link.test.ts'),
  'POST /login/second-factor': secondFactorTest,
  'POST /login/passkey': passkeyTest,
  'POST /setup/:token': noteOf('test/console/sign-in/setup.test.ts'),
  'POST /forgot': 'It sends an email and changes no data of a team.',
  'POST /reset/:token': accountTest,
  'POST /join/:token': peopleTest,
  'POST /drafts': 'It stores text that a person has not saved yet.',
  'POST /welcome': direct(['key_created'], ({ admin }) => admin.post('/welcome')),
  'POST /welcome/sample': direct(
    ['newsletter_created', ...Array(6).fill(['block_created', 'newsletter_updated']).flat()],
    ({ admin }) => admin.post('/welcome/sample'),
  ),
  'POST /welcome/sample/remove': recorded(
    ['newsletter_deleted', ...Array(6).fill('block_deleted')],
    ({ admin }) => admin.post('/welcome/sample'),
    ({ admin }) => admin.post('/welcome/sample/remove'),
  ),
  'POST /welcome/news': direct(['block_created'], ({ admin }) =>
    admin.post('/welcome/news', { title: 'We moved', body: 'To the new office.' }),
  ),
  'POST /welcome/hide': direct(['first_steps_hidden'], ({ admin }) => admin.post('/welcome/hide')),
  'POST /newsletters': direct(['newsletter_created'], ({ admin }) =>
    admin.post('/newsletters', { title: 'News', template_slug: 'clean' }),
  ),
  'POST /newsletters/:id': recorded(['newsletter_updated'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}`, { title: 'Other news', original_title: 'News' }),
  ),
  'POST /newsletters/:id/approval': recorded(
    ['newsletter_approved'],
    async (setup) => {
      const path = `/newsletters/${(await filledNewsletter(setup)).id}`
      await setup.admin.post('/settings/sending/approval', { required: 'on' })
      const form = await approvalForm(setup.admin, path)
      await setup.admin.post('/settings/sending/approval')
      return { path: `${path}/approval`, form }
    },
    ({ admin }, { path, form }) => admin.post(path, form),
  ),
  'POST /newsletters/:id/approval/ask': recorded(
    ['approval_requested'],
    filledNewsletter,
    ({ admin }, { id }) => admin.post(`/newsletters/${id}/approval/ask`),
  ),
  'POST /settings/sending': direct(['sending_changed'], ({ admin }) =>
    admin.post('/settings/sending', {
      weekday: '5',
      hour: '9',
      time_zone: 'Europe/Berlin',
      lead_days: '2',
      reminder_days: '',
    }),
  ),
  'POST /settings/sending/approval': recorded(
    ['approval_optional'],
    ({ admin }) => admin.post('/settings/sending/approval', { required: 'on' }),
    ({ admin }) => admin.post('/settings/sending/approval'),
  ),
  'POST /newsletters/:id/history/restore': recorded(
    ['newsletter_version_restored'],
    async (setup) => {
      const id = await newNewsletter(setup)
      await setup.api('PATCH', `/newsletters/${id}`, { title: 'Other news' })
      return id
    },
    ({ admin }, id) =>
      admin.post(`/newsletters/${id}/history/restore`, { version: '1', current: '2' }),
  ),
  'POST /library/:id/history/restore': recorded(
    ['block_version_restored'],
    async (setup) => {
      const id = await newBlock(setup)
      await setup.api('PATCH', `/content_blocks/${id}`, { title: 'Other words' })
      return id
    },
    ({ admin }, id) => admin.post(`/library/${id}/history/restore`, { version: '1', current: '2' }),
  ),
  'POST /newsletters/:id/status': recorded(['newsletter_updated'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/status`, { to: 'in_progress', version: '1' }),
  ),
  'POST /newsletters/:id/posts': recorded(
    ['newsletter_posted'],
    newsletterToPost,
    ({ admin }, { id, connection }) => admin.post(`/newsletters/${id}/posts`, { connection }),
  ),
  'POST /newsletters/:id/posts/cancel': recorded(
    ['newsletter_post_cancelled'],
    async (setup) => {
      const prepared = await newsletterToPost(setup)
      const { id, connection } = prepared
      const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
      await setup.admin.post(`/newsletters/${id}/posts`, { connection, at })
      return prepared
    },
    ({ admin }, { id, connection }) =>
      admin.post(`/newsletters/${id}/posts/cancel`, { connection }),
  ),
  'POST /newsletters/:id/undo-send': recorded(
    ['newsletter_send_undone'],
    sentNewsletter,
    ({ admin }, id) => admin.post(`/newsletters/${id}/undo-send`),
  ),
  'POST /newsletters/:id/blocks': recorded(
    ['newsletter_updated'],
    async (setup) => ({ id: await newNewsletter(setup), blockId: await newBlock(setup) }),
    ({ admin }, { id, blockId }) => admin.post(`/newsletters/${id}/blocks`, { add: blockId }),
  ),
  'POST /newsletters/:id/order': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ admin }, { id, blockIds }) =>
      admin.post(`/newsletters/${id}/order`, { remove: blockIds[0] ?? '' }),
  ),
  'POST /newsletters/:id/compose': recorded(
    ['newsletter_updated'],
    async (setup) => {
      await newBlock(setup, 'ready')
      return await newNewsletter(setup)
    },
    ({ admin }, id) => admin.post(`/newsletters/${id}/compose`),
  ),
  'POST /newsletters/:id/frame': recorded(['newsletter_updated'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/frame`, { intro: 'Good morning.' }),
  ),
  // The newsletter gets headings of its own first.
  'POST /newsletters/:id/sections/:position': recorded(
    ['newsletter_updated', 'newsletter_updated'],
    async (setup) => {
      const path = `/newsletters/${(await filledNewsletter(setup)).id}/sections/0`
      const { html } = await setup.admin.get(path)
      return {
        path,
        original_heading: /name="original_heading" value="(.*?)"/.exec(html)?.[1] ?? '',
      }
    },
    ({ admin }, { path, original_heading }) =>
      admin.post(path, { heading: 'What worked', original_heading }),
  ),
  'POST /newsletters/:id/elements/new': recorded(
    ['newsletter_updated'],
    newNewsletter,
    ({ admin }, id) =>
      admin.post(`/newsletters/${id}/elements/new`, { type: 'section', heading: 'New faces' }),
  ),
  'POST /newsletters/:id/elements/:elementId': recorded(
    ['newsletter_updated'],
    newsletterWithElement,
    ({ admin }, { id, element }) =>
      admin.post(`/newsletters/${id}/elements/${element}`, { type: 'section', heading: 'Changed' }),
  ),
  'POST /newsletters/:id/preview': recorded(['preview_sent'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/preview`),
  ),
  'POST /newsletters/:id/phone': recorded(
    ['preview_link_created'],
    newNewsletter,
    ({ admin }, id) => admin.post(`/newsletters/${id}/phone`),
  ),
  'POST /newsletters/:id/duplicate': recorded(
    ['newsletter_created'],
    newNewsletter,
    ({ admin }, id) => admin.post(`/newsletters/${id}/duplicate`),
  ),
  'POST /newsletters/:id/delete': recorded(['newsletter_deleted'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/delete`),
  ),
  'GET /newsletters/:id/eml': recorded(['newsletter_exported'], newNewsletter, ({ admin }, id) =>
    admin.get(`/newsletters/${id}/eml`),
  ),
  'GET /newsletters/:id/html?file': recorded(
    ['newsletter_exported'],
    newNewsletter,
    ({ admin }, id) => admin.get(`/newsletters/${id}/html?file`),
  ),
  'GET /newsletters/:id/html?copy': recorded(
    ['newsletter_exported'],
    newNewsletter,
    ({ admin }, id) => admin.get(`/newsletters/${id}/html?copy`),
  ),
  'POST /account': recorded(['account_renamed'], otherName, ({ admin }) =>
    admin.post('/account', { name: 'Ada' }),
  ),
  'POST /account/password': accountTest,
  'POST /account/chat/:token': recorded(['chat_account_linked'], accountLink, ({ admin }, path) =>
    admin.post(path),
  ),
  'POST /account/chat-accounts/unlink': recorded(
    ['chat_account_unlinked'],
    linkedAccount,
    ({ admin }, linked) => admin.post('/account/chat-accounts/unlink', linked),
  ),
  'POST /account/sign-out-everywhere': accountTest,
  'POST /account/team': 'It selects the team of the session and changes no data of a team.',
  'POST /teams/new':
    'The entry is in the log of the new team: test/console/settings/new-team.test.ts covers it.',
  'POST /account/notifications': 'It stores a preference of the person.',
  'POST /account/shortcuts': 'It stores a preference of the person.',
  'POST /account/time-zone': 'It stores how a person reads times and changes no data of a team.',
  'POST /account/sessions/:id/end': accountTest,
  'POST /account/sessions/end-others': accountTest,
  'POST /account/second-factor/authenticator': 'It stores a key that is not in use yet.',
  'POST /account/second-factor/authenticator/confirm': secondFactorTest,
  'POST /account/second-factor/authenticator/remove': secondFactorTest,
  'POST /account/second-factor/backup-codes': secondFactorTest,
  'POST /account/passkeys/new': 'It stores a request that is not answered yet.',
  'POST /account/passkeys': passkeyTest,
  'POST /account/passkeys/:id/remove': passkeyTest,
  'POST /library/bulk': recorded(['block_reviewed'], newBlock, ({ admin }, id) =>
    admin.post('/library/bulk', { to: 'ready', 'selected[]': [`${id}.1`] }),
  ),
  'POST /library/:id/status': recorded(['block_reviewed'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/status`, { to: 'ready' }),
  ),
  'POST /library/:id/comments': recorded(['block_commented'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/comments`, { body: 'Well written.' }),
  ),
  'POST /library/:id/comments/:commentId/delete': recorded(
    ['block_comment_deleted'],
    async (setup) => {
      const id = await newBlock(setup)
      await setup.admin.post(`/library/${id}/comments`, { body: 'Well written.' })
      const [comment] = await setup.app.sql`select id from block_comments where block_id = ${id}`
      return `/library/${id}/comments/${comment?.['id']}/delete`
    },
    ({ admin }, path) => admin.post(path),
  ),
  'POST /library/:id/assignee': recorded(
    ['block_assigned'],
    async (setup) => {
      const [editor] = await setup.app.sql`
        select id from members where team_id = ${setup.team.id} and role = 'admin' limit 1`
      return { id: await newBlock(setup), member: String(editor?.['id']) }
    },
    ({ admin }, { id, member }) => admin.post(`/library/${id}/assignee`, { member }),
  ),
  'POST /library/filters': 'It stores a filter for the person alone.',
  'POST /library/filters/delete': 'It deletes a filter of the person alone.',
  'POST /library/:id/delete': recorded(['block_declined'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/delete`),
  ),
  'POST /library/:id/restore': recorded(
    ['block_restored'],
    async (setup) => {
      const id = await newBlock(setup)
      await setup.admin.post(`/library/${id}/delete`)
      return id
    },
    ({ admin }, id) => admin.post(`/library/${id}/restore`),
  ),
  'POST /images': direct(['image_uploaded'], async ({ admin }) => {
    const file = new File([new Uint8Array(await animation())], 'x.gif', { type: 'image/gif' })
    return await admin.post('/images', { image: file })
  }),
  'POST /library/new': direct(['block_created'], ({ admin }) => admin.post('/library/new', text)),
  'POST /library/:id/edit': recorded(['block_updated'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/edit`, { ...text, title: 'Another title', version: '1' }),
  ),
  'POST /library/draft': recorded(['block_created'], firstDraft, ({ admin }) =>
    admin.post('/library/draft', { context: 'We signed Harbour Bank.', draft_type: 'general' }),
  ),
  'POST /library/:id/suggestion': 'It shows a text and stores nothing.',
  'POST /library/:id/suggestion/accept': recorded(['block_updated'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/suggestion/accept`, {
      title: 'Better',
      body: '<p>Better.</p>',
      version: '1',
    }),
  ),
  'POST /library/:id/original': recorded(
    ['block_updated'],
    async (setup) => {
      const id = await newBlock(setup)
      const better = { title: 'Better', body: '<p>Better.</p>', version: '1' }
      await setup.admin.post(`/library/${id}/suggestion/accept`, better)
      return id
    },
    ({ admin }, id) => admin.post(`/library/${id}/original`, { version: '2' }),
  ),
  'POST /settings/ai': direct(['team_changed'], ({ admin }) =>
    admin.post('/settings/ai', { tone: 'dry', words_to_avoid: '' }),
  ),
  'POST /events': direct(['event_created'], ({ admin }) =>
    admin.post('/events', { name: 'Open day', event_date: '2027-05-01', category: 'corporate' }),
  ),
  'POST /events/:id': recorded(['event_updated'], newEvent, ({ admin }, slug) =>
    admin.post(`/events/${slug}`, {
      name: 'Another day',
      event_date: '2027-05-01',
      category: 'corporate',
    }),
  ),
  'POST /events/:id/delete': recorded(['event_deleted'], newEvent, ({ admin }, slug) =>
    admin.post(`/events/${slug}/delete`),
  ),
  'POST /integrations/connect/:slug': direct(['connection_created'], ({ admin }) =>
    admin.post('/integrations/connect/github', { secret: 'a secret of a test' }),
  ),
  'POST /integrations/:id/reveal': recorded(
    ['connection_secret_shown'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/reveal`),
  ),
  'POST /integrations/:id/rotate-key': recorded(
    ['connection_key_rotated'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/rotate-key`),
  ),
  'POST /integrations/:id/settings': recorded(
    ['connection_changed'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/settings`, { repositories: 'acme/web' }),
  ),
  'POST /integrations/:id/routes': recorded(
    ['connection_route_added'],
    twoConnections,
    ({ admin }, { id, address }) =>
      admin.post(`/integrations/${id}/routes`, { source: 'acme/web', address }),
  ),
  'POST /integrations/:id/routes/remove': recorded(
    ['connection_route_removed'],
    routedConnectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/routes/remove`, { source: 'acme/web' }),
  ),
  'POST /integrations/:id/remove': recorded(['connection_removed'], connectionId, ({ admin }, id) =>
    admin.post(`/integrations/${id}/remove`),
  ),
  'POST /integrations/deliveries/:id/replay': recorded(
    ['delivery_replayed'],
    ignoredDelivery,
    ({ admin }, id) => admin.post(`/integrations/deliveries/${id}/replay`),
  ),
  'POST /integrations/messages/:id/retry': recorded(
    ['chat_message_retried'],
    failedMessage,
    ({ admin }, id) => admin.post(`/integrations/messages/${id}/retry`),
  ),
  'POST /integrations/:id/prompts': recorded(['prompts_changed'], chatConnection, ({ admin }, id) =>
    admin.post(`/integrations/${id}/prompts`, promptForm),
  ),
  'POST /integrations/:id/prompts/unmute': recorded(
    ['prompts_unmuted'],
    mutedChannel,
    ({ admin }, id) => admin.post(`/integrations/${id}/prompts/unmute`, { channel: 'C0WINS' }),
  ),
  'POST /integrations/:id/try': 'It shows what a request would become and stores nothing.',
  'POST /settings/templates/new': direct(['template_created'], ({ admin }) =>
    admin.post('/settings/templates/new', templateForm),
  ),
  'POST /settings/templates/:id/edit': recorded(
    ['template_updated'],
    newTemplate,
    ({ admin }, slug) => admin.post(`/settings/templates/${slug}/edit`, templateForm),
  ),
  'POST /settings/templates/:id/delete': recorded(
    ['template_deleted'],
    newTemplate,
    ({ admin }, slug) => admin.post(`/settings/templates/${slug}/delete`),
  ),
  'POST /settings/archive': direct(['team_changed'], ({ admin }) =>
    admin.post('/settings/archive', { archive: 'link' }),
  ),
  'POST /settings/archive/replace': recorded(['archive_link_replaced'], archiveOn, ({ admin }) =>
    admin.post('/settings/archive/replace'),
  ),
  'POST /settings/archive/feed': recorded(['archive_feed_created'], archiveOn, ({ admin }) =>
    admin.post('/settings/archive/feed'),
  ),
  'POST /settings/archive/feed/delete': recorded(['archive_feed_deleted'], archiveOn, ({ admin }) =>
    admin.post('/settings/archive/feed/delete'),
  ),
  'POST /settings/jobs/:id/retry': recorded(['job_retried'], failedJob, ({ admin }, reference) =>
    admin.post(`/settings/jobs/${reference}/retry`),
  ),
  'POST /settings/team': direct(['team_changed'], ({ admin }) =>
    admin.post('/settings/team', {
      name: 'Renamed',
      brand_color: '#112233',
      newsletter_cadence: 'monthly',
    }),
  ),
  'POST /settings/members': direct(['member_added', 'member_invited'], ({ admin }) =>
    admin.post('/settings/members', { email: 'cy@people.test', name: 'Cy', role: 'viewer' }),
  ),
  'POST /settings/members/:id/invite': recorded(
    ['member_invited'],
    newMember,
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/invite`),
  ),
  'POST /settings/members/:id/role': recorded(
    ['member_role_changed'],
    newMember,
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/role`, { role: 'editor' }),
  ),
  'POST /settings/members/:id/remove': recorded(
    ['member_removed'],
    async (setup) => {
      const member = await newMember(setup)
      await inviteMember(contextOf(setup), member)
      return member
    },
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/remove`),
  ),
  'POST /settings/members/:id/password': accountTest,
  'POST /settings/members/:id/second-factor': secondFactorTest,
  'POST /settings/members/second-factor': direct(['second_factor_optional'], ({ admin }) =>
    admin.post('/settings/members/second-factor'),
  ),
  'POST /settings/submissions': recorded(['submission_link_changed'], newLink, ({ admin }) =>
    admin.post('/settings/submissions', { requires_sign_in: 'on' }),
  ),
  'POST /settings/submissions/create': direct(['submission_link_created'], ({ admin }) =>
    admin.post('/settings/submissions/create'),
  ),
  'POST /settings/submissions/delete': recorded(['submission_link_deleted'], newLink, ({ admin }) =>
    admin.post('/settings/submissions/delete'),
  ),
  'POST /submit/:team/:token':
    'Somebody outside the team sends it; `createBlock` writes the entry as it does for members.',
  'POST /receipts/:team/:token/withdraw':
    'Its sender withdraws it without an account; `deleteBlock` writes the entry as it does for members.',
  'POST /settings/keys': direct(['key_created'], ({ admin }) =>
    admin.post('/settings/keys', { name: 'A key', 'scopes[]': ['read'] }),
  ),
  'POST /settings/keys/:id/revoke': recorded(['key_revoked'], keyId, ({ admin }, id) =>
    admin.post(`/settings/keys/${id}/revoke`),
  ),
  'POST /settings/keys/:id/rotate': recorded(['key_rotated'], keyId, ({ admin }, id) =>
    admin.post(`/settings/keys/${id}/rotate`, { grace: '1' }),
  ),
}
