import { memberRoles } from '../../../contract/vocabulary.ts'
import type { Member } from '../../../features/members/index.ts'
import { attribute } from '../../attribute.ts'
import type { MemberRequest } from '../../http/context.ts'
import { DateTime } from '../dates/date-time.tsx'
import { Form } from '../form/form.tsx'
import { Table } from '../table.tsx'

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
  const { t } = context
  return (
    <Table
      columns={[t('common.name'), t('common.email'), t('common.role'), t('members.since')]}
      actions={t('common.actions')}
      class="single-line-rows members"
    >
      {members.map((member) => (
        <tr>
          <th scope="row">
            <span class="cell">
              <span class="cut" title={attribute(member.name)} safe>
                {member.name}
              </span>
              {member.id === context.member.id ? (
                <span class="badge">{t('members.you')}</span>
              ) : null}
              {member.account_id ? null : <span class="badge warning">{t('members.invited')}</span>}
              {withSecondFactor.has(member.account_id ?? '') ? (
                <span class="badge success">{t('members.second_factor')}</span>
              ) : null}
            </span>
          </th>
          <td data-label={t('common.email')}>
            <span class="cell">
              <span class="cut muted" title={attribute(member.email)} safe>
                {member.email}
              </span>
            </span>
          </td>
          <td data-label={t('common.role')}>
            <RoleForm context={context} member={member} />
          </td>
          <td data-label={t('members.since')}>
            <DateTime userLocale={context.userLocale} at={member.created_at} dateOnly />
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
    </Table>
  )
}

function RoleForm({
  context,
  member: { id, name, role },
}: {
  context: MemberRequest
  member: Member
}) {
  const { t } = context
  return (
    <Form context={context} action={`/settings/members/${id}/role`} class="row">
      <select name="role" aria-label={t('members.role_of', { name: attribute(name) })}>
        {memberRoles.map((one) => (
          <option value={one} selected={one === role}>
            {t(`role.${one}`)}
          </option>
        ))}
      </select>
      <button
        type="submit"
        class="small"
        aria-label={t('members.save_the_role_of', { name: attribute(name) })}
      >
        {t('common.save')}
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
  const { t } = context
  const { id, name, account_id } = member
  return (
    <div class="row">
      {account_id ? null : (
        <Form context={context} action={`/settings/members/${id}/invite`}>
          <button
            type="submit"
            class="small"
            aria-label={t('members.invite_name_again', { name: attribute(name) })}
          >
            {t('members.invite_again')}
          </button>
        </Form>
      )}
      {account_id && needsPasswordLink(context) && id !== context.member.id ? (
        <Form context={context} action={`/settings/members/${id}/password`}>
          <button
            type="submit"
            class="small"
            aria-label={t('members.new_password_for', { name: attribute(name) })}
          >
            {t('members.new_password')}
          </button>
        </Form>
      ) : null}
      {hasSecondFactor && id !== context.member.id ? (
        <a
          class="button small"
          href={`/settings/members/${id}/second-factor`}
          aria-label={t('members.reset_the_second_factor_of', { name: attribute(name) })}
        >
          {t('members.reset_second_factor')}
        </a>
      ) : null}
      <a
        class="button small danger"
        href={`/settings/members/${id}/remove`}
        aria-label={t('members.remove', { name: attribute(name) })}
      >
        {t('common.remove')}
      </a>
    </div>
  )
}

/** True when an admin has to pass on links for new passwords: no email is sent, and passwords are used. */
const needsPasswordLink = ({ deps }: MemberRequest) => !deps.mail && deps.passwordSignIn
