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
import { invitationMail } from '../../mails.ts'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../../page.ts'
import { redirect, success } from '../../responses.ts'
import { roleHints, roleTitles } from '../../roles.ts'

const show = page('/settings/members', 'admin', (visit) => membersScreen(visit))

async function membersScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const members = await listMembers(visit.deps.sql, visit.teamId)
  return await settingsScreen(
    visit,
    {
      tab: '/settings/members',
      title: 'Members',
      lead: 'Who may sign in here, and to whom previews can be mailed.',
    },
    <>
      <MemberTable visit={visit} members={members} />
      <section class="card narrow" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <Form visit={visit} action="/settings/members">
          <Field name="name" label="Name" required maxlength={100} entry={entry} />
          <Field name="email" label="E-mail" type="email" required entry={entry} />
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

const invite = action('/settings/members', 'admin', {
  form: v.required(NewMember, ['role']),
  renderWithErrors: membersScreen,
  async handle(visit, input) {
    const { sql, now } = visit.deps
    const member = await addMember(sql, now, visit.teamId, input)
    await recordAuditFor(visit, 'member_invited', `${member.name} (${member.email})`)
    return await sendInvitation(visit, member)
  },
})

const inviteAgain = action('/settings/members/:id/invite', 'admin', {
  form: NoFields,
  async handle(visit) {
    const member = await findMemberOf(visit)
    if (member.account_id) throw notFound('This invitation')
    await recordAuditFor(visit, 'member_invited', `${member.name} (${member.email})`)
    return await sendInvitation(visit, member)
  },
})

async function sendInvitation(
  visit: MemberRequest,
  { id, name, email }: Member,
): Promise<Response> {
  const { sql, now, baseUrl, mail } = visit.deps
  const token = await inviteMember(sql, now, visit.teamId, id)
  const link = `${baseUrl}/join/${token}`
  if (!mail) return await linkScreen(visit, name, link)
  const { teamId, member } = visit
  const about = { teamId, email, team: member.team_name, inviter: member.name }
  const at = now()
  const until = new Date(at.getTime() + invitationDays * 24 * 3_600_000)
  await mail(invitationMail(newId('ml', at), link, about), until)
  return redirect(visit, '/settings/members', success(`An invitation is on its way to ${email}.`))
}

async function linkScreen(visit: MemberRequest, name: string, link: string): Promise<Response> {
  return await settingsScreen(
    visit,
    { tab: '/settings/members', title: `An invitation for ${name}` },
    <div class="narrow">
      <p safe>
        {`Mail is not set up here, so send this link to ${name} yourself. It works once, for ${invitationDays} days, and is not shown again.`}
      </p>
      <CopyField id="link" label="Link" value={link} />
      <a class="button" href="/settings/members">
        Back to the members
      </a>
    </div>,
  )
}

/** The member of the visitor's team that the path names. Throws `not_found`. */
export async function findMemberOf(visit: MemberRequest): Promise<Member> {
  const member = await findMember(visit.deps.sql, visit.teamId, visit.params['id'] ?? '')
  if (!member) throw notFound('This member')
  return member
}

/** The list of members, and their invitations. */
export const memberRoutes: readonly Route[] = [show, invite, inviteAgain]
