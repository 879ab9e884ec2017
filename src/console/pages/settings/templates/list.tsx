import { Elysia } from 'elysia'
import type { Template } from '../../../../contract/template.ts'
import {
  deleteTemplate,
  getTemplate,
  listTemplates,
  requireOwnTemplate,
} from '../../../../features/templates/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { redirect, success } from '../../../http/responses.ts'

const path = '/settings/templates'
const perPage = 50

async function show(context: MemberRequest): Promise<Response> {
  const after = context.url.searchParams.get('after')
  const page = { page: 1, perPage, ...(after && { afterId: after }) }
  const { items, hasMore } = await listTemplates(context.ctx, page)
  const last = items.at(-1)
  return await settingsLayout(
    context,
    {
      tab: path,
      title: 'Templates',
      lead: 'What newsletters look like. Each newsletter chooses one.',
      action: (
        <a class="button primary" href={`${path}/new`}>
          New template
        </a>
      ),
    },
    <>
      <ul class="template-list">
        {items.map((template) => (
          <TemplateCard template={template} />
        ))}
      </ul>
      {hasMore && last ? (
        <a class="button" href={attribute(`${path}?after=${encodeURIComponent(last.slug)}`)}>
          More
        </a>
      ) : null}
    </>,
  )
}

function TemplateCard({
  template: { slug, name, description, system, base },
}: {
  template: Template
}) {
  return (
    <li class="card">
      <h2 safe>{name}</h2>
      <p safe>{description}</p>
      <p class="muted" safe>
        {system ? 'Comes with Tidings' : `Layout: ${base}`}
      </p>
      <div class="row">
        {system ? null : (
          <a class="button small" href={`${path}/${slug}/edit`}>
            Edit<span class="visually-hidden" safe>{` ${name}`}</span>
          </a>
        )}
        <a class="button small" href={`${path}/new?from=${slug}`}>
          {system ? 'Start from it' : 'Duplicate'}
          <span class="visually-hidden" safe>{` ${name}`}</span>
        </a>
        {system ? null : (
          <a class="button small danger" href={`${path}/${slug}/delete`}>
            Delete<span class="visually-hidden" safe>{` ${name}`}</span>
          </a>
        )}
      </div>
    </li>
  )
}

async function ask(context: MemberRequest): Promise<Response> {
  const id = context.params['id'] ?? ''
  await requireOwnTemplate(context.ctx, id)
  const { name, base } = await getTemplate(context.ctx, id)
  const { name: layout } = await getTemplate(context.ctx, base)
  return await settingsLayout(
    context,
    { tab: path, title: `Delete: ${name}` },
    <div class="narrow">
      <p
        safe
      >{`Newsletters that use it get the template ${layout}. Sent newsletters stay as they are.`}</p>
      <div class="row">
        <Form context={context} action={`${path}/${id}/delete`}>
          <button type="submit" class="primary danger">
            Delete the template
          </button>
        </Form>
        <a href={path}>Cancel</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  await deleteTemplate(context.ctx, context.params['id'] ?? '')
  return redirect(context, path, success('Deleted the template.'))
}

/** Routes that list and delete templates. */
export const templateListPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, show, { role: 'admin' })
    .get(`${path}/:id/delete`, ask, { role: 'admin' })
    .post(`${path}/:id/delete`, remove, { role: 'admin' })
