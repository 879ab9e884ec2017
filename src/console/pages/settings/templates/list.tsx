import { Elysia } from 'elysia'
import type { Template } from '../../../../contract/newsletters/template.ts'
import {
  deleteTemplate,
  getTemplate,
  listTemplates,
  requireOwnTemplate,
} from '../../../../features/templates/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { samplePath } from './preview.tsx'
import { formOf } from './values.ts'

const path = '/settings/templates'
const perPage = 50

async function show(context: MemberRequest): Promise<Response> {
  const after = context.url.searchParams.get('after')
  const page = { page: 1, perPage, ...(after && { afterId: after }) }
  const { items, hasMore } = await listTemplates(context.ctx, page)
  const last = items.at(-1)
  const { t } = context
  return await settingsLayout(
    context,
    {
      tab: path,
      title: t('settings.templates'),
      lead: t('templates.lead'),
      action: (
        <a class="button primary" href={`${path}/new`}>
          <Icon name="plus" />
          {t('templates.new')}
        </a>
      ),
    },
    <>
      <ul class="template-list">
        {items.map((template) => (
          <TemplateCard t={t} template={template} />
        ))}
      </ul>
      {hasMore && last ? (
        <a class="button" href={attribute(`${path}?after=${encodeURIComponent(last.slug)}`)}>
          {t('templates.more')}
        </a>
      ) : null}
    </>,
  )
}

function TemplateCard({ t, template }: { t: Translate; template: Template }) {
  const { slug, name, system, base } = template
  const label = <span class="visually-hidden" safe>{` ${name}`}</span>
  return (
    <li class="card">
      <div class="template-thumbnail">
        <iframe
          src={attribute(samplePath(formOf(template)))}
          title={t('templates.sample')}
          loading="lazy"
          tabindex="-1"
          aria-hidden="true"
          sandbox=""
        />
      </div>
      <h2 safe>{name}</h2>
      <p safe>{t.fromEnglish(template.description)}</p>
      <p class="muted" safe>
        {system ? t('templates.comes_with_tidings') : t('templates.has_layout', { base })}
      </p>
      <div class="row">
        {system ? null : (
          <a class="button small" href={`${path}/${slug}/edit`}>
            {t('common.edit')}
            {label as 'safe'}
          </a>
        )}
        <a class="button small" href={`${path}/new?from=${slug}`}>
          {t('templates.duplicate')}
          {label as 'safe'}
        </a>
        {system ? null : (
          <a class="button small danger" href={`${path}/${slug}/delete`}>
            {t('common.delete')}
            {label as 'safe'}
          </a>
        )}
      </div>
    </li>
  )
}

async function ask(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  await requireOwnTemplate(context.ctx, id)
  const { name, base } = await getTemplate(context.ctx, id)
  const { name: layout } = await getTemplate(context.ctx, base)
  return await settingsLayout(
    context,
    { tab: path, title: t('templates.delete_title', { name }) },
    <div class="narrow">
      <p safe>{t('templates.delete_lead', { layout })}</p>
      <div class="row">
        <Form context={context} action={`${path}/${id}/delete`}>
          <button type="submit" class="primary danger">
            {t('templates.delete')}
          </button>
        </Form>
        <a href={path}>{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  await deleteTemplate(context.ctx, context.params['id'] ?? '')
  return redirect(context, path, success(context.t('templates.deleted')))
}

/** Routes that list and delete templates. */
export const templateListPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, show, { role: 'admin' })
    .get(`${path}/:id/delete`, ask, { role: 'admin' })
    .post(`${path}/:id/delete`, once(remove), { role: 'admin' })
