import { Elysia } from 'elysia'
import * as v from 'valibot'
import { memberRoles } from '../../../../contract/vocabulary.ts'
import {
  addMember,
  findMember,
  invitationDays,
  inviteMember,
  listMembersByName,
  type Member,
  NewMember,
} from '../../../../features/members/index.ts'
import { findWithSecondFactor } from '../../../../features/sessions/index.ts'
import { dayMs } from '../../../../lib/clock.ts'
import { inTransaction } from '../../../../lib/context.ts'
import { notFound } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import { attribute } from '../../../attribute.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { Field, Form, Select } from '../../../components/form/form.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { MemberTable } from '../../../components/members/member-table.tsx'
import { SecondFactorRule } from '../../../components/members/second-factor-rule.tsx'
import { invitationEmail } from '../../../emails/account-emails.ts'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success, withCookies } from '../../../http/responses.ts'
import { preferredLanguage, type Translate, translateTo } from '../../../locales/index.ts'

const path = '/settings/members'
const membersPerPage = 50

async function membersPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const { searchParams } = context.url
  const text = searchParams.get('q')?.trim() ?? ''
  const afterId = searchParams.get('after') ?? undefined
  const page = { text, afterId, limit: membersPerPage }
  const { members, hasMore } = await listMembersByName(context.ctx, page)
  const accountIds = members.flatMap(({ account_id }) => account_id ?? [])
  const withSecondFactor = await findWithSecondFactor(context.deps, accountIds)
  return await settingsLayout(
    context,
    {
      tab: '/settings/members',
      title: t('members.members'),
      lead: t('members.people_who_can_sign'),
    },
    <>
      {text !== '' || afterId || hasMore ? <MemberSearch t={t} text={text} /> : null}
      {members.length > 0 ? (
        <MemberTable context={context} members={members} withSecondFactor={withSecondFactor} />
      ) : (
        <p class="muted">{t('members.nobody_found')}</p>
      )}
      <MemberPages
        t={t}
        text={text}
        afterId={afterId}
        nextId={hasMore ? members.at(-1)?.id : undefined}
      />
      <section class="card narrow" aria-labelledby="invite">
        <h2 id="invite">{t('members.invite_a_member')}</h2>
        <Form context={context} action="/settings/members" draft>
          <Field
            name="name"
            label={t('common.name')}
            required
            maxlength={100}
            submitted={submitted}
          />
          <Field
            name="email"
            label={t('common.email')}
            type="email"
            required
            submitted={submitted}
          />
          <Select
            name="role"
            label={t('common.role')}
            hint={memberRoles
              .map((one) => `${t(`role.${one}`)}: ${t(`role_hint.${one}`)}.`)
              .join(' ')}
            options={memberRoles.map((value) => ({ value, label: t(`role.${value}`) }))}
            value="editor"
            submitted={submitted}
          />
          <button type="submit" class="primary">
            {t('members.invite')}
          </button>
        </Form>
      </section>
      <SecondFactorRule context={context} />
    </>,
  )
}

function MemberSearch({ t, text }: { t: Translate; text: string }) {
  return (
    <search>
      <form action={path} class="row filter">
        <input
          type="search"
          name="q"
          value={attribute(text)}
          maxlength={200}
          aria-label={t('members.search_label')}
          placeholder={t('members.search_label')}
        />
        <button type="submit">{t('common.search')}</button>
      </form>
    </search>
  )
}

interface MemberPagesProps {
  t: Translate
  text: string
  /** The last member of the page before this one. */
  afterId: string | undefined
  /** The last member of this page, when others follow. */
  nextId: string | undefined
}

function MemberPages({ t, text, afterId, nextId }: MemberPagesProps) {
  if (text === '' && !afterId && !nextId) return ''
  const next = new URLSearchParams({ ...(text && { q: text }), ...(nextId && { after: nextId }) })
  return (
    <div class="row filter">
      {text !== '' || afterId ? <a href={path}>{t('members.first_page')}</a> : null}
      {nextId ? (
        <a class="button" href={attribute(`${path}?${next}`)}>
          {t('members.next_page')}
        </a>
      ) : null}
    </div>
  )
}

const InviteForm = v.required(NewMember, ['role'])

async function invite(context: FormRequest<typeof InviteForm>): Promise<Response> {
  const { member, token } = await inTransaction(context.ctx, async (ctx) => {
    const member = await addMember(ctx, context.body)
    return { member, token: await inviteMember(ctx, member) }
  })
  return await sendInvitation(context, member, token)
}

async function inviteAgain(context: MemberRequest): Promise<Response> {
  const member = await requireMemberInPath(context)
  if (member.account_id) throw notFound('This invitation')
  return await sendInvitation(context, member, await inviteMember(context.ctx, member))
}

async function sendInvitation(
  context: MemberRequest,
  { id, email }: Member,
  token: string,
): Promise<Response> {
  const { t, ctx, signedIn } = context
  const { now, baseUrl, mail, oneTimeCookie } = context.deps
  const link = `${baseUrl}/join/${token}`
  if (!mail) {
    const cookie = oneTimeCookie.set(signedIn.sessionId, subjectOf(id), link)
    return redirect(context, `/settings/members/${id}/invitation`, { cookies: [cookie] })
  }
  const { teamId, member } = context
  const about = { teamId, email, team: member.team_name, inviter: member.name }
  const at = now()
  const until = new Date(at.getTime() + invitationDays * dayMs)
  const emailText = translateTo(preferredLanguage([member.team_language]))
  await mail(ctx.sql, invitationEmail(emailText, newId('ml', at), link, about), until)
  return redirect(
    context,
    '/settings/members',
    success(t('members.an_invitation_is_being_sent', { email })),
  )
}

const subjectOf = (memberId: string) => `invitation/${memberId}`

/** Shows the link of an invitation, once and only directly after its creation. */
async function showInvitation(context: MemberRequest): Promise<Response> {
  const { t, deps, signedIn, request } = context
  const { id, name } = await requireMemberInPath(context)
  const cookies = request.headers.get('cookie') ?? ''
  const taken = deps.oneTimeCookie.consume(cookies, signedIn.sessionId, subjectOf(id))
  if (!taken) return redirect(context, '/settings/members')
  const response = await settingsLayout(
    context,
    { tab: '/settings/members', title: t('members.an_invitation_for', { name }) },
    <div class="narrow">
      <p safe>{t('members.send_the_invitation_yourself', { name, invitationDays })}</p>
      <CopyField t={t} id="link" label={t('common.link')} value={taken.value} />
      <a class="button" href="/settings/members">
        {t('members.back_to_the_members')}
      </a>
    </div>,
  )
  return withCookies(response, [taken.clear])
}

/** The member in the path. Throws `not_found`. */
export async function requireMemberInPath(context: MemberRequest): Promise<Member> {
  const member = await findMember(context.ctx, context.params['id'] ?? '')
  if (!member) throw notFound('This member')
  return member
}

/** Routes of the list of members and of invitations. */
export const memberPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/members', (context) => membersPage(context), { role: 'admin' })
    .post('/settings/members', once(invite), {
      role: 'admin',
      body: InviteForm,
      renderWithErrors: membersPage,
    })
    .get('/settings/members/:id/invitation', showInvitation, { role: 'admin' })
    .post('/settings/members/:id/invite', once(inviteAgain), { role: 'admin' })
