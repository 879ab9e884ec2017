import * as v from 'valibot'
import { memberRoles } from '../../../contract/vocabulary.ts'
import {
  changeRole,
  listMemberships,
  type Member,
  removeMemberUnlessLastAdmin,
} from '../../../features/members/index.ts'
import { endSessions } from '../../../features/sessions/index.ts'
import { AppError, notFound } from '../../../lib/errors.ts'
import { recordAuditFor } from '../../audit.ts'
import { CopyField } from '../../components/copy.tsx'
import { Form } from '../../components/form.tsx'
import { settingsScreen } from '../../components/settings.tsx'
import { action, type MemberRequest, NoFields, page, type Route } from '../../page.ts'
import { failure, redirect, success } from '../../responses.ts'
import { roleTitles } from '../../roles.ts'
import { findMemberOf } from './members.tsx'

const people = '/settings/members'

const setRole = action('/settings/members/:id/role', 'admin', {
  form: v.object({ role: v.picklist(memberRoles) }),
  async handle(visit, { role }) {
    const { id, name, email } = await findMemberOf(visit)
    return await unlessRefused(visit, async () => {
      await changeRole(visit.deps.sql, visit.teamId, id, role)
      await recordAuditFor(visit, 'member_role_changed', `${name} (${email}) to ${role}`)
      return redirect(visit, people, success(`${name} is ${roleTitles[role].toLowerCase()} now.`))
    })
  },
})

const askRemove = page('/settings/members/:id/remove', 'admin', async (visit) => {
  const { id, name } = await findMemberOf(visit)
  return await settingsScreen(
    visit,
    { tab: people, title: `Remove ${name}?` },
    <div class="narrow">
      <p>
        They are signed out at once and get no previews any more. What they wrote stays, and so do
        the API keys they made.
      </p>
      <div class="row">
        <Form visit={visit} action={`/settings/members/${id}/remove`}>
          <button type="submit" class="primary danger" safe>
            {`Remove ${name}`}
          </button>
        </Form>
        <a href={people}>Keep them</a>
      </div>
    </div>,
  )
})

const remove = action('/settings/members/:id/remove', 'admin', {
  form: NoFields,
  async handle(visit) {
    const { sql, now } = visit.deps
    const member = await findMemberOf(visit)
    return await unlessRefused(visit, async () => {
      await removeMemberUnlessLastAdmin(sql, now, visit.teamId, member.id)
      if (member.account_id) await endSessions(sql, member.account_id)
      await recordAuditFor(visit, 'member_removed', `${member.name} (${member.email})`)
      return redirect(visit, people, success(`${member.name} is no longer a member.`))
    })
  },
})

/** What a feature refuses, such as to remove the last admin, is said above the list. */
async function unlessRefused(
  visit: MemberRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
    const [first = '', ...rest] = error.message
    return redirect(visit, people, failure(`${first.toUpperCase()}${rest.join('')}.`))
  }
}

const passwordLink = action('/settings/members/:id/password', 'admin', {
  form: NoFields,
  async handle(visit) {
    const member = await findMemberOf(visit)
    await requireOwnPerson(visit, member)
    const token = await visit.deps.sessions.makeResetToken(member.account_id ?? '')
    await recordAuditFor(visit, 'password_link_made', `${member.name} (${member.email})`)
    return await settingsScreen(
      visit,
      { tab: people, title: `A new password for ${member.name}` },
      <div class="narrow">
        <p safe>
          {`Mail is not set up here, so send this link to ${member.name} yourself. It works once, for an hour, and is not shown again.`}
        </p>
        <CopyField id="link" label="Link" value={`${visit.deps.baseUrl}/reset/${token}`} />
        <a class="button" href={people}>
          Back to the members
        </a>
      </div>,
    )
  },
})

/** With such a link one can sign in as somebody: only where their account belongs to this team alone. */
async function requireOwnPerson(visit: MemberRequest, { account_id }: Member): Promise<void> {
  if (!account_id || visit.deps.mail) throw notFound('This page')
  const memberships = await listMemberships(visit.deps.sql, account_id)
  if (memberships.every(({ team_id }) => team_id === visit.teamId)) return
  throw new AppError(
    'insufficient_scope',
    'This person is in other teams, too. The operator can set up mail, so that they get a link themselves.',
  )
}

/** What an admin changes about a member. */
export const memberChangeRoutes: readonly Route[] = [setRole, askRemove, remove, passwordLink]
