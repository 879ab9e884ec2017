import { memberRoles } from '../../contract/vocabulary.ts'
import type { Member } from '../../features/members/index.ts'
import { attribute } from '../attribute.ts'
import type { MemberRequest } from '../http/context.ts'
import { roleLabels } from '../roles.ts'
import { DateTime } from './date-time.tsx'
import { Form } from './form/form.tsx'

/** The members of a team with the actions for admins. */
export function MemberTable({
  context,
  members,
  withSecondFactor,
}: {
  context: MemberRequest
  members: readonly Member[]
  /** The ids of the accounts that have a second factor. */
  withSecondFactor: ReadonlySet<string>
}) {
  return (
    <div class="table-container">
      <table class="responsive-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Since</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr>
              <th scope="row">
                <span safe>{member.name}</span>{' '}
                {member.id === context.member.id ? <span class="badge">You</span> : null}
                {member.account_id ? null : <span class="badge warning">Invited</span>}
                {withSecondFactor.has(member.account_id ?? '') ? (
                  <span class="badge good">Second factor</span>
                ) : null}
                <br />
                <span class="muted" safe>
                  {member.email}
                </span>
              </th>
              <td data-label="Role">
                <RoleForm context={context} member={member} />
              </td>
              <td data-label="Since">
                <DateTime reader={context.reader} at={member.created_at} dateOnly />
              </td>
              <td class="actions">
                <MemberActions
                  context={context}
                  member={member}
                  hasSecondFactor={withSecondFactor.has(member.account_id ?? '')}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RoleForm({
  context,
  member: { id, name, role },
}: {
  context: MemberRequest
  member: Member
}) {
  return (
    <Form context={context} action={`/settings/members/${id}/role`} class="row">
      <select name="role" aria-label={`Role of ${attribute(name)}`}>
        {memberRoles.map((one) => (
          <option value={one} selected={one === role}>
            {roleLabels[one]}
          </option>
        ))}
      </select>
      <button type="submit" class="small" aria-label={`Save the role of ${attribute(name)}`}>
        Save
      </button>
    </Form>
  )
}

function MemberActions({
  context,
  member,
  hasSecondFactor,
}: {
  context: MemberRequest
  member: Member
  hasSecondFactor: boolean
}) {
  const { id, name, account_id } = member
  return (
    <div class="row">
      {account_id ? null : (
        <Form context={context} action={`/settings/members/${id}/invite`}>
          <button type="submit" class="small" aria-label={`Invite ${attribute(name)} again`}>
            Invite again
          </button>
        </Form>
      )}
      {account_id && needsPasswordLink(context) && id !== context.member.id ? (
        <Form context={context} action={`/settings/members/${id}/password`}>
          <button type="submit" class="small" aria-label={`New password for ${attribute(name)}`}>
            New password
          </button>
        </Form>
      ) : null}
      {hasSecondFactor && id !== context.member.id ? (
        <a
          class="button small"
          href={`/settings/members/${id}/second-factor`}
          aria-label={`Reset the second factor of ${attribute(name)}`}
        >
          Reset second factor
        </a>
      ) : null}
      <a
        class="button small danger"
        href={`/settings/members/${id}/remove`}
        aria-label={`Remove ${attribute(name)}`}
      >
        Remove
      </a>
    </div>
  )
}

/** True when an admin has to pass on links for new passwords: no email is sent, and passwords are used. */
const needsPasswordLink = ({ deps }: MemberRequest) => !deps.mail && deps.passwordSignIn
