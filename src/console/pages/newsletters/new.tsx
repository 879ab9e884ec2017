import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewNewsletter } from '../../../contract/newsletters/input.ts'
import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import {
  composeNewsletter,
  createNewsletter,
  duplicateNewsletter,
  findLatestTemplate,
  getNewsletter,
} from '../../../features/newsletters/index.ts'
import { getTeamDetails } from '../../../features/teams/index.ts'
import { listTemplates } from '../../../features/templates/index.ts'
import { type Context, inTransaction } from '../../../lib/context.ts'
import { parseInput } from '../../../lib/parse.ts'
import { todayOf } from '../../components/dates/calendar-date.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/forms/form-data.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'
import { suggestNewsletter } from './suggest-newsletter.ts'

interface InitialValues {
  title: string
  subject_line: string
  scheduled_date: string
  template_slug: string
}

async function newNewsletterPage(
  context: MemberRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { t } = context
  const original = await findOriginal(context)
  const [values, templates] = await Promise.all([
    initialValues(context, original),
    listTemplates(context.ctx, { page: 1, perPage: 100 }),
  ])
  return await layout(
    context,
    { title: t('newsletters.new_newsletter'), section: 'newsletters' },
    <>
      <PageHeader
        title={t('newsletters.new_newsletter')}
        lead={
          original
            ? t('newsletters.copy_without_blocks', { title: original.title })
            : t('newsletters.you_can_change_all')
        }
        parent={{ href: '/newsletters', title: t('common.newsletters') }}
      />
      <Form
        context={context}
        // A duplicate has a draft of its own.
        action={original ? `/newsletters?from=${original.id}` : '/newsletters'}
        class="narrow"
        draft
      >
        <ErrorSummary
          submitted={submitted}
          exceptFields={[
            'title',
            'subject_line',
            'preheader_text',
            'scheduled_date',
            'template_slug',
          ]}
        />
        <Field
          name="title"
          label={t('common.title')}
          hint={t('newsletters.shown_at_the_top_of_the_newsletter')}
          value={values.title}
          required
          maxlength={255}
          submitted={submitted}
        />
        <Field
          name="subject_line"
          label={t('newsletters.subject')}
          hint={t('newsletters.what_readers_see_in_their')}
          value={values.subject_line}
          maxlength={255}
          submitted={submitted}
        />
        <Field
          name="scheduled_date"
          label={t('common.date')}
          hint={t('newsletters.shown_under_the_title_tidings')}
          type="date"
          value={values.scheduled_date}
          submitted={submitted}
        />
        <Select
          name="template_slug"
          label={t('newsletters.template')}
          options={templates.items.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={values.template_slug}
          submitted={submitted}
        />
        <Checkbox
          name="fill"
          label={t('newsletters.add_all_ready_blocks')}
          hint={t('newsletters.adds_every_ready_block')}
          checked={original === null}
          submitted={submitted}
        />
        <div class="row">
          <button type="submit" class="primary">
            {t('newsletters.create')}
          </button>
          <a href="/newsletters">{t('common.cancel')}</a>
        </div>
      </Form>
    </>,
  )
}

/** The id of the newsletter that is duplicated without its blocks; null or empty for a new one. */
const originalId = ({ url }: MemberRequest) => url.searchParams.get('from')

async function findOriginal(context: MemberRequest): Promise<Newsletter | null> {
  const from = originalId(context)
  return from ? await getNewsletter(context.ctx, from) : null
}

/** The values of a new newsletter: a suggestion, with the subject and template of the one that is duplicated. */
async function initialValues(
  context: MemberRequest,
  original: Newsletter | null,
): Promise<InitialValues> {
  const { t } = context
  const { now, aiDraftsPerMonth } = context.deps
  const [team, latest] = await Promise.all([
    getTeamDetails(context.ctx, aiDraftsPerMonth),
    findLatestTemplate(context.ctx),
  ])
  const suggested = suggestNewsletter(t, team, todayOf(context.userLocale, now()))
  return {
    ...suggested,
    subject_line: original?.subject_line ?? suggested.subject_line,
    template_slug: original?.template_slug ?? latest.slug,
  }
}

const text = v.optional(v.string(), '')

const NewForm = v.object({
  title: text,
  subject_line: text,
  scheduled_date: text,
  template_slug: text,
  fill: checkbox,
  /** Creates the suggested newsletter without a form. */
  suggested: checkbox,
})

async function create(context: FormRequest<typeof NewForm>): Promise<Response> {
  const { suggested, fill, ...typed } = context.body
  if (suggested) return await createSuggestedNewsletter(context)
  const input = parseInput(NewNewsletter, emptyToNull(typed))
  const from = originalId(context)
  const newsletter = await inTransaction(context.ctx, async (ctx) => {
    const { id } = from
      ? await duplicateNewsletter(ctx, { id: from, changes: input, withBlocks: false })
      : await createNewsletter(ctx, input)
    return fill ? await composeNewsletter(ctx, { id }) : { id, blocks_count: 0 }
  })
  return openCreated(context, newsletter)
}

/** Creates the suggested newsletter with all ready blocks, in one transaction with what `first` does, and opens it. */
export async function createSuggestedNewsletter(
  context: MemberRequest,
  first?: (ctx: Context) => Promise<unknown>,
): Promise<Response> {
  const input = parseInput(NewNewsletter, await initialValues(context, null))
  const newsletter = await inTransaction(context.ctx, async (ctx) => {
    await first?.(ctx)
    const { id } = await createNewsletter(ctx, input)
    return await composeNewsletter(ctx, { id })
  })
  return openCreated(context, newsletter)
}

function openCreated(
  context: MemberRequest,
  newsletter: { id: string; blocks_count: number },
): Response {
  const { t } = context
  const message =
    newsletter.blocks_count === 0
      ? t('newsletters.the_newsletter_is_created_add')
      : t('newsletters.the_newsletter_is_created', { count: newsletter.blocks_count })
  // On narrow screens, an empty newsletter opens on the library.
  const query = newsletter.blocks_count === 0 ? '?panel=library' : ''
  return redirect(context, `/newsletters/${newsletter.id}${query}`, success(message))
}

/** Replaces empty texts by null, as the contract expects, except for the title. */
export function emptyToNull<Fields extends Record<string, string>>(
  fields: Fields,
): Record<keyof Fields, string | null> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value.trim() === '' && name !== 'title' ? null : value,
  ])
  return Object.fromEntries(entries)
}

/** Routes that create a newsletter. */
export const newNewsletterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/new', (context) => newNewsletterPage(context), { role: 'editor' })
    .post('/newsletters', once(create), {
      role: 'editor',
      body: NewForm,
      renderWithErrors: newNewsletterPage,
    })
