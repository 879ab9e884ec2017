import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../../contract/text.ts'
import {
  deleteSavedFilter,
  listSavedFilters,
  saveFilter,
} from '../../../../features/saved-filters/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { filterOfPath, type LibraryFilter, libraryPath } from './filter.ts'

/** The filters that the person has saved, and a form that saves the present one. */
export async function SavedFilters({
  context,
  filter,
}: {
  context: MemberRequest
  filter: LibraryFilter
}) {
  const { t, ctx, member } = context
  const saved = await listSavedFilters(ctx, member.id)
  return (
    <details class="popover-menu" id="saved-filters" data-menu>
      <summary class="button ghost icon-button" title={t('library.saved_filters')}>
        <Icon name="filter" />
        <span class="visually-hidden">{t('library.saved_filters')}</span>
      </summary>
      <div class="popover">
        {saved.length === 0 ? <p class="muted">{t('library.no_saved_filters')}</p> : null}
        <ul class="plain-list">
          {saved.map(({ name, query }) => (
            <li class="row">
              <a href={attribute(`/library?${query}`)} safe>
                {name}
              </a>
              <Form context={context} action="/library/filters/delete">
                <input type="hidden" name="name" value={attribute(name)} />
                <button
                  type="submit"
                  class="ghost icon-button"
                  aria-label={attribute(t('library.delete_the_filter', { name }))}
                >
                  <Icon name="close" />
                </button>
              </Form>
            </li>
          ))}
        </ul>
        <Form context={context} action="/library/filters" class="row" draft>
          <input type="hidden" name="path" value={attribute(libraryPath(filter))} />
          <input
            name="name"
            required
            maxlength="60"
            aria-label={t('library.name_of_the_filter')}
            placeholder={t('library.name_of_the_filter')}
          />
          <button type="submit" class="small">
            {t('library.save_the_filter')}
          </button>
        </Form>
      </div>
    </details>
  )
}

const FilterForm = v.object({
  name: singleLineText(60),
  path: v.string(),
})

async function save(context: FormRequest<typeof FilterForm>): Promise<Response> {
  const { ctx, member, body, t } = context
  const { name } = body
  // Only what the filter of the library knows is stored.
  const path = libraryPath(filterOfPath(body.path))
  await saveFilter(ctx, { memberId: member.id, name, query: path.slice('/library?'.length) })
  return redirect(context, path, success(t('library.filter_is_saved', { name })))
}

const DeleteForm = v.object({ name: v.string() })

async function remove(context: FormRequest<typeof DeleteForm>): Promise<Response> {
  const { ctx, member, t } = context
  const { name } = context.body
  await deleteSavedFilter(ctx, { memberId: member.id, name })
  return redirect(context, '/library', success(t('library.filter_is_deleted', { name })))
}

/** Routes of the saved filters. */
export const savedFilterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/filters', save, { role: 'viewer', body: FilterForm })
    .post('/library/filters/delete', once(remove), { role: 'viewer', body: DeleteForm })
