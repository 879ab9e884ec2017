import { Elysia } from 'elysia'
import * as v from 'valibot'
import { listMemberships, type Member } from '../../../../features/members/index.ts'
import { resetSecondFactor } from '../../../../features/sessions/index.ts'
import { setSecondFactorRequired } from '../../../../features/teams/index.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { Form } from '../../../components/form/form.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { checkbox } from '../../../http/forms/form-data.ts'
import { redirect, success } from '../../../http/responses.ts'
import { requireMemberInPath } from './list.tsx'

const membersPath = '/settings/members'

const RuleForm = v.object({ required: checkbox })

async function saveRule(context: FormRequest<typeof RuleForm>): Promise<Response> {
  const { t } = context
  await setSecondFactorRequired(context.ctx, context.body.required)
  return redirect(context, membersPath, success(t('common.saved')))
}

async function askReset(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { id, name } = await requireMemberInPath(context)
  return await settingsLayout(
    context,
    { tab: membersPath, title: t('members.confirm_reset_the_second_factor', { name }) },
    <div class="narrow">
      <p>{t('members.do_this_when_they')}</p>
      <div class="row">
        <Form context={context} action={`${membersPath}/${id}/second-factor`}>
          <button type="submit" class="primary danger">
            {t('members.reset_the_second_factor')}
          </button>
        </Form>
        <a href={membersPath}>{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function reset(context: MemberRequest): Promise<Response> {
  const { t } = context
  const member = await requireMemberInPath(context)
  const subject = `${member.name} (${member.email})`
  const accountId = await requireOwnAccount(context, member)
  const { emailQueue } = context.deps
  await resetSecondFactor({ ...context.ctx, emailQueue }, { accountId, subject })
  return redirect(
    context,
    membersPath,
    success(t('members.the_second_factor', { name: member.name })),
  )
}

/** The member's account. Throws `insufficient_scope` when it belongs to other teams, too. */
async function requireOwnAccount(
  { deps, teamId }: MemberRequest,
  { account_id }: Member,
): Promise<string> {
  if (!account_id) throw notFound('This page')
  const memberships = await listMemberships(deps.sql, account_id)
  if (memberships.every(({ team_id }) => team_id === teamId)) return account_id
  throw new AppError(
    'insufficient_scope',
    'This person belongs to other teams, too. An operator can run: tidings member reset-second-factor',
  )
}

/** Routes of an admin for the second factors of members. */
export const memberSecondFactorPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post(`${membersPath}/second-factor`, saveRule, { role: 'admin', body: RuleForm })
    .get(`${membersPath}/:id/second-factor`, askReset, { role: 'admin' })
    .post(`${membersPath}/:id/second-factor`, reset, { role: 'admin' })
