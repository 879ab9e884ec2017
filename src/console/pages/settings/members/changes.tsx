import { Elysia } from 'elysia'
import * as v from 'valibot'
import { memberRoles } from '../../../../contract/vocabulary.ts'
import {
  changeRole,
  listMemberships,
  type Member,
  memberSubject,
  removeMemberUnlessLastAdmin,
} from '../../../../features/members/index.ts'
import { endSessions } from '../../../../features/sessions/index.ts'
import { undoOnError } from '../../../../lib/database/db.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { Form } from '../../../components/form/form.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once, withoutChange } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import { requirePasswordSignIn } from '../../../http/sign-in/password.ts'
import { requireMemberInPath } from './list.tsx'

const membersPath = '/settings/members'

const SetRoleForm = v.object({ role: v.picklist(memberRoles) })

async function setRole(context: FormRequest<typeof SetRoleForm>): Promise<Response> {
  const { t } = context
  const { role } = context.body
  const { id, name } = await requireMemberInPath(context)
  return await redirectOnInvalidInput(context, async () => {
    await changeRole(context.ctx, { memberId: id, role })
    return redirect(
      context,
      membersPath,
      success(t('members.is_now', { name, role: t(`role.${role}`) })),
    )
  })
}

async function askRemove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { id, name } = await requireMemberInPath(context)
  return await settingsLayout(
    context,
    { tab: membersPath, title: t('members.confirm_remove', { name }) },
    <div class="narrow">
      <p>{t('members.they_are_signed_out')}</p>
      <div class="row">
        <Form context={context} action={`/settings/members/${id}/remove`}>
          <button type="submit" class="primary danger" safe>
            {t('members.remove', { name })}
          </button>
        </Form>
        <a href={membersPath}>{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const member = await requireMemberInPath(context)
  return await redirectOnInvalidInput(context, async () => {
    await removeMemberUnlessLastAdmin(context.ctx, member.id)
    if (member.account_id) await endSessions(context.ctx, member.account_id)
    return redirect(
      context,
      membersPath,
      success(t('members.is_no_longer_a_member', { name: member.name })),
    )
  })
}

/** Shows a validation error, such as removing the last admin, above the list of members. */
async function redirectOnInvalidInput(
  context: MemberRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await undoOnError(context.ctx.sql, work)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
    const [first = '', ...rest] = error.message
    const text = `${first.toUpperCase()}${rest.join('')}.`
    return withoutChange(redirect(context, membersPath, failure(text)))
  }
}

async function passwordLink(context: MemberRequest): Promise<Response> {
  const { t } = context
  requirePasswordSignIn(context)
  const member = await requireMemberInPath(context)
  await requireOwnPerson(context, member)
  const token = await context.deps.sessions.createResetToken(context.ctx, {
    accountId: member.account_id ?? '',
    subject: memberSubject(member),
  })
  return await settingsLayout(
    context,
    { tab: membersPath, title: t('members.a_new_password_for', { name: member.name }) },
    <div class="narrow">
      <p safe>{t('members.send_the_password_link_yourself', { name: member.name })}</p>
      <CopyField
        t={t}
        id="link"
        label={t('common.link')}
        value={`${context.deps.baseUrl}/reset/${token}`}
      />
      <a class="button" href={membersPath}>
        {t('members.back_to_the_members')}
      </a>
    </div>,
  )
}

/** The link gives access to the account, so the account must belong to no other team. */
async function requireOwnPerson(context: MemberRequest, { account_id }: Member): Promise<void> {
  if (!account_id || context.deps.mail) throw notFound('This page')
  const memberships = await listMemberships(context.deps.sql, account_id)
  if (memberships.every(({ team_id }) => team_id === context.teamId)) return
  throw new AppError(
    'insufficient_scope',
    'This person belongs to other teams, too. An operator can configure email, so that they can request a link themselves.',
  )
}

/** Routes that change members. */
export const memberChangePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/settings/members/:id/role', setRole, { role: 'admin', body: SetRoleForm })
    .get('/settings/members/:id/remove', askRemove, { role: 'admin' })
    .post('/settings/members/:id/remove', once(remove), { role: 'admin' })
    .post('/settings/members/:id/password', passwordLink, { role: 'admin' })
