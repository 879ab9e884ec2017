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
import { checkbox } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'

const path = '/settings/submissions'

async function page(context: MemberRequest): Promise<Response> {
  const link = await findSubmissionLink(context.ctx)
  return await settingsLayout(
    context,
    {
      tab: path,
      title: 'Submissions',
      lead: 'A link with which everybody in the company can send you news. Each arrives as a draft in the library.',
    },
    link ? (
      <LinkSettings context={context} link={link} />
    ) : (
      <Form context={context} action={`${path}/create`}>
        <button type="submit" class="primary">
          Create the link
        </button>
      </Form>
    ),
  )
}

function LinkSettings({ context, link }: { context: MemberRequest; link: SubmissionLink }) {
  const { deps, member } = context
  const url = submissionAddress(deps.baseUrl, member.team_slug, link.token)
  return (
    <div class="narrow">
      <CopyField id="link" label="Link" value={url} />
      <Form context={context} action={path}>
        <Checkbox
          name="requires_sign_in"
          label="Only for members who are signed in"
          hint="Otherwise everybody who knows the link can send news."
          checked={link.requires_sign_in}
        />
        <button type="submit" class="primary">
          Save
        </button>
      </Form>
      <hr />
      <h2>Replace or delete the link</h2>
      <p class="muted">The present link stops working at once.</p>
      <div class="row">
        <Form context={context} action={`${path}/create`}>
          <button type="submit">Replace</button>
        </Form>
        <Form context={context} action={`${path}/delete`}>
          <button type="submit" class="danger">
            Delete
          </button>
        </Form>
      </div>
    </div>
  )
}

async function create(context: MemberRequest): Promise<Response> {
  await createSubmissionLink(context.ctx)
  return redirect(context, path, success('Created the link.'))
}

const LinkForm = v.object({ requires_sign_in: checkbox })

async function save(context: FormRequest<typeof LinkForm>): Promise<Response> {
  await updateSubmissionLink(context.ctx, { requiresSignIn: context.body.requires_sign_in })
  return redirect(context, path, success('Saved.'))
}

async function remove(context: MemberRequest): Promise<Response> {
  await deleteSubmissionLink(context.ctx)
  return redirect(context, path, success('Deleted the link.'))
}

/** Routes of the link for submissions. */
export const submissionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, page, { role: 'admin' })
    .post(path, save, { role: 'admin', body: LinkForm })
    .post(`${path}/create`, create, { role: 'admin' })
    .post(`${path}/delete`, remove, { role: 'admin' })
