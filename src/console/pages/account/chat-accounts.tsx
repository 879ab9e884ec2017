import { Elysia } from 'elysia'
import * as v from 'valibot'
import { memberRoles } from '../../../contract/vocabulary.ts'
import { queueAccountChange } from '../../../features/account-emails/index.ts'
import {
  type AccountLink,
  findAccountLink,
  linkAccount,
  listLinkedAccounts,
  unlinkAccount,
} from '../../../features/chat-accounts/index.ts'
import { requireRoleLock } from '../../../features/members/index.ts'
import { inTransaction } from '../../../lib/context.ts'
import { notFound } from '../../../lib/errors.ts'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { providerName } from '../../components/provider-name.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

/**
 * What the link in the path is about. Throws `not_found` for a link of another team, too: the rules of the team,
 * such as a second factor, were checked for the team of the session only.
 */
async function loadLink(context: MemberRequest): Promise<AccountLink & { token: string }> {
  const token = context.params['token'] ?? ''
  const link = await findAccountLink(context.deps, { token })
  if (link?.teamId !== context.teamId) throw notFound(context.t('account.chat_link'))
  return { ...link, token }
}

async function confirmPage(context: MemberRequest): Promise<Response> {
  const { t, deps, member } = context
  const { token, name, userId, adapter } = await loadLink(context)
  const provider = providerName(deps, adapter)
  const title = t('account.chat_title', { provider })
  return await layout(
    context,
    { title, section: 'account' },
    <div class="narrow">
      <PageHeader title={title} />
      <dl class="details-list">
        <dt safe>{t('account.chat_account', { provider })}</dt>
        <dd safe>{`${name} (${userId})`}</dd>
        <dt safe>{t('account.in', { team_name: member.team_name })}</dt>
        <dd safe>{`${member.name} (${member.email})`}</dd>
      </dl>
      <p class="notice warning" safe>
        {t('account.chat_warning', { provider })}
      </p>
      <div class="row">
        <Form context={context} action={`/account/chat/${encodeURIComponent(token)}`}>
          <button type="submit" class="primary">
            {t('account.chat_confirm')}
          </button>
        </Form>
        <a href="/account">{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function confirm(context: MemberRequest): Promise<Response> {
  const { token, name, userId, adapter } = await loadLink(context)
  const { deps, address, member, signedIn } = context
  await inTransaction(context.ctx, async (ctx) => {
    // The removal of a member removes their links, also the one that is being stored.
    await requireRoleLock(ctx, memberRoles)
    await linkAccount(ctx, { token, memberId: member.id })
    await queueAccountChange(
      { ...ctx, emailQueue: deps.emailQueue },
      {
        accountId: signedIn.account.id,
        change: 'chat_account_linked',
        detail: `${name} (${userId}, ${providerName(deps, adapter)})`,
        address,
      },
    )
  })
  return redirect(context, '/account', success(context.t('account.chat_linked', { name })))
}

/** The accounts of chats that the person has linked, each with a button that removes the link. */
export async function ChatAccountList({ context }: { context: MemberRequest }) {
  const { t, ctx, deps, member } = context
  const accounts = await listLinkedAccounts(ctx, { memberId: member.id })
  if (accounts.length === 0) return ''
  return (
    <section aria-labelledby="chat-accounts">
      <h2 id="chat-accounts">{t('account.chat_accounts')}</h2>
      <p class="muted">{t('account.chat_accounts_lead')}</p>
      {accounts.map(({ connection_id, user_id, adapter }) => (
        <Form context={context} action="/account/chat-accounts/unlink" class="row">
          <input type="hidden" name="connection" value={connection_id} />
          <input type="hidden" name="user" value={user_id} />
          <span safe>{`${providerName(deps, adapter)}: ${user_id}`}</span>
          <button type="submit" class="small">
            {t('account.chat_unlink')}
          </button>
        </Form>
      ))}
      <hr />
    </section>
  )
}

const UnlinkForm = v.object({ connection: v.string(), user: v.string() })

async function unlink(context: FormRequest<typeof UnlinkForm>): Promise<Response> {
  const { connection: connectionId, user: userId } = context.body
  await unlinkAccount(context.ctx, { connectionId, userId, memberId: context.member.id })
  return redirect(context, '/account', success(context.t('account.chat_unlinked')))
}

/** Routes that link accounts of chats to members. */
export const chatAccountPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/account/chat/:token', confirmPage, { role: 'viewer' })
    .post('/account/chat/:token', confirm, { role: 'viewer' })
    .post('/account/chat-accounts/unlink', unlink, { role: 'viewer', body: UnlinkForm })
