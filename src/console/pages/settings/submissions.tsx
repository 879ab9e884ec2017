import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  createSubmissionLink,
  deleteSubmissionLink,
  findSubmissionLink,
  type SubmissionLink,
  submissionAddress,
  updateSubmissionLink,
} from '../../../features/submissions/index.ts'
import { CopyField } from '../../components/form/copy-field.tsx'
import { Checkbox, Form } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { checkbox } from '../../http/forms/form-data.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'

const path = '/settings/submissions'

async function page(context: MemberRequest): Promise<Response> {
  const { t } = context
  const link = await findSubmissionLink(context.ctx)
  return await settingsLayout(
    context,
    {
      tab: path,
      title: t('submissions.submissions'),
      lead: t('submissions.a_link_with_which_everybody'),
    },
    link ? (
      <LinkSettings context={context} link={link} />
    ) : (
      <Form context={context} action={`${path}/create`}>
        <button type="submit" class="primary">
          {t('submissions.create_the_link')}
        </button>
      </Form>
    ),
  )
}

function LinkSettings({ context, link }: { context: MemberRequest; link: SubmissionLink }) {
  const { deps, member, t } = context
  const url = submissionAddress(deps.baseUrl, member.team_slug, link.token)
  return (
    <div class="narrow">
      <CopyField t={t} id="link" label={t('common.link')} value={url} />
      <Form context={context} action={path}>
        <Checkbox
          name="requires_sign_in"
          label={t('submissions.only_for_members_who')}
          hint={t('submissions.otherwise_everybody_who_knows')}
          checked={link.requires_sign_in}
        />
        <button type="submit" class="primary">
          {t('common.save')}
        </button>
      </Form>
      <hr />
      <h2>{t('submissions.replace_or_delete_the_link')}</h2>
      <p class="muted">{t('submissions.the_present_link_stops_working')}</p>
      <div class="row">
        <Form context={context} action={`${path}/create`}>
          <button type="submit">{t('submissions.replace')}</button>
        </Form>
        <Form context={context} action={`${path}/delete`}>
          <button type="submit" class="danger">
            {t('common.delete')}
          </button>
        </Form>
      </div>
    </div>
  )
}

async function create(context: MemberRequest): Promise<Response> {
  const { t } = context
  await createSubmissionLink(context.ctx)
  return redirect(context, path, success(t('submissions.created_the_link')))
}

const LinkForm = v.object({ requires_sign_in: checkbox })

async function save(context: FormRequest<typeof LinkForm>): Promise<Response> {
  const { t } = context
  await updateSubmissionLink(context.ctx, { requiresSignIn: context.body.requires_sign_in })
  return redirect(context, path, success(t('common.saved')))
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  await deleteSubmissionLink(context.ctx)
  return redirect(context, path, success(t('submissions.deleted_the_link')))
}

/** Routes of the link for submissions. */
export const submissionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, page, { role: 'admin' })
    .post(path, save, { role: 'admin', body: LinkForm })
    .post(`${path}/create`, once(create), { role: 'admin' })
    .post(`${path}/delete`, once(remove), { role: 'admin' })
