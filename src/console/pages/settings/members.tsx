import { Elysia } from 'elysia'
import * as v from 'valibot'
import { memberRoles } from '../../../contract/vocabulary.ts'
import {
  addMember,
  findMember,
  invitationDays,
  inviteMember,
  listMembers,
  type Member,
  NewMember,
} from '../../../features/members/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAuditFor } from '../../audit.ts'
import { CopyField } from '../../components/copy.tsx'
import { Field, Form, Select } from '../../components/form.tsx'
import { MemberTable } from '../../components/member-table.tsx'
import { settingsScreen } from '../../components/settings.tsx'
import { invitationEmail } from '../../emails.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { roleHints, roleTitles } from '../../roles.ts'

async function membersScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const members = await listMembers(context.deps.sql, context.teamId)
  return await settingsScreen(
    context,
    {
      tab: '/settings/members',
      title: 'Members',
      lead: 'People who can sign in and receive previews.',
    },
    <>
      <MemberTable context={context} members={members} />
      <section class="card narrow" aria-labelledby="invite">
        <h2 id="invite">Invite a member</h2>
        <Form context={context} action="/settings/members">
          <Field name="name" label="Name" required maxlength={100} entry={entry} />
          <Field name="email" label="Email" type="email" required entry={entry} />
          <Select
            name="role"
            label="Role"
            options={memberRoles.map((value) => ({
              value,
              label: `${roleTitles[value]}: ${roleHints[value]}`,
            }))}
            value="editor"
            entry={entry}
          />
          <button type="submit" class="primary">
            Invite
          </button>
        </Form>
      </section>
    </>,
  )
}

const InviteForm = v.required(NewMember, ['role'])

async function invite(context: FormRequest<typeof InviteForm>): Promise<Response> {
  const input = context.body
  const { sql, now } = context.deps
  const member = await addMember(sql, now, context.teamId, input)
  await recordAuditFor(context, 'member_invited', `${member.name} (${member.email})`)
  return await sendInvitation(context, member)
}

async function inviteAgain(context: MemberRequest): Promise<Response> {
  const member = await findMemberOf(context)
  if (member.account_id) throw notFound('This invitation')
  await recordAuditFor(context, 'member_invited', `${member.name} (${member.email})`)
  return await sendInvitation(context, member)
}

async function sendInvitation(
  context: MemberRequest,
  { id, name, email }: Member,
): Promise<Response> {
  const { sql, now, baseUrl, mail } = context.deps
  const token = await inviteMember(sql, now, context.teamId, id)
  const link = `${baseUrl}/join/${token}`
  if (!mail) return await linkScreen(context, name, link)
  const { teamId, member } = context
  const about = { teamId, email, team: member.team_name, inviter: member.name }
  const at = now()
  const until = new Date(at.getTime() + invitationDays * 24 * 3_600_000)
  await mail(invitationEmail(newId('ml', at), link, about), until)
  return redirect(context, '/settings/members', success(`An invitation is being sent to ${email}.`))
}

async function linkScreen(context: MemberRequest, name: string, link: string): Promise<Response> {
  return await settingsScreen(
    context,
    { tab: '/settings/members', title: `An invitation for ${name}` },
    <div class="narrow">
      <p safe>
        {`Email is not configured, so send this link to ${name} yourself. It works once, for ${invitationDays} days, and is not shown again.`}
      </p>
      <CopyField id="link" label="Link" value={link} />
      <a class="button" href="/settings/members">
        Back to the members
      </a>
    </div>,
  )
}

/** The member of the visitor's team that the path names. Throws `not_found`. */
export async function findMemberOf(context: MemberRequest): Promise<Member> {
  const member = await findMember(context.deps.sql, context.teamId, context.params['id'] ?? '')
  if (!member) throw notFound('This member')
  return member
}

/** The list of members, and their invitations. */
export const memberPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/members', (context) => membersScreen(context), { role: 'admin' })
    .post('/settings/members', invite, {
      role: 'admin',
      body: InviteForm,
      renderWithErrors: membersScreen,
    })
    .post('/settings/members/:id/invite', inviteAgain, { role: 'admin' })
