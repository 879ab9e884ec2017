import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewNewsletter } from '../../../contract/newsletter-input.ts'
import {
  composeNewsletter,
  createNewsletter,
  getNewsletter,
  listNewsletters,
} from '../../../features/newsletters/index.ts'
import { getTeamDetails } from '../../../features/teams/index.ts'
import { listTemplates } from '../../../features/templates/index.ts'
import { transaction } from '../../../lib/db.ts'
import { parseInput } from '../../../lib/parse.ts'
import { attribute } from '../../attribute.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox, textOf } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { pluralize } from '../../pluralize.ts'
import { suggestNewsletter } from './suggestion.ts'

interface Start {
  title: string
  subject_line: string | null
  preheader_text: string | null
  scheduled_date: string | null
  template_slug: string
}

async function newScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { sql } = context.deps
  const [start, templates] = await Promise.all([
    startOf(context),
    listTemplates(sql, context.teamId, { page: 1, perPage: 100 }),
  ])
  return await layout(
    context,
    { title: 'New newsletter', section: 'newsletters' },
    <>
      <PageHead
        title="New newsletter"
        lead="You can change all of this until the newsletter is sent."
      />
      <Form context={context} action="/newsletters" class="narrow" draft>
        <ErrorSummary
          entry={entry}
          but={['title', 'subject_line', 'preheader_text', 'scheduled_date', 'template_slug']}
        />
        <Field
          name="title"
          label="Title"
          hint="Shown at the top of the newsletter."
          value={start.title}
          required
          maxlength={255}
          entry={entry}
        />
        <Field
          name="subject_line"
          label="Subject"
          hint="What readers see in their inbox. You can add it later."
          value={start.subject_line ?? ''}
          maxlength={255}
          entry={entry}
        />
        <Field
          name="scheduled_date"
          label="Date"
          hint="Shown under the title. Tidings sends nothing automatically."
          type="date"
          value={start.scheduled_date ?? ''}
          entry={entry}
        />
        <Select
          name="template_slug"
          label="Template"
          options={templates.items.map(({ slug, name, description }) => ({
            value: slug,
            label: `${name}: ${description}`,
          }))}
          value={start.template_slug}
          entry={entry}
        />
        <input
          type="hidden"
          name="preheader_text"
          value={attribute(
            entry ? textOf(entry.values, 'preheader_text') : (start.preheader_text ?? ''),
          )}
        />
        <Checkbox
          name="fill"
          label="Add all ready blocks"
          hint="Adds every ready block that may be published and is in no other open newsletter."
          checked
          entry={entry}
        />
        <div class="row">
          <button type="submit" class="primary">
            Create
          </button>
          <a href="/newsletters">Cancel</a>
        </div>
      </Form>
    </>,
  )
}

/** What a new issue begins with: the last one's template, or all the words of the one it is made from. */
async function startOf(context: MemberRequest): Promise<Start> {
  const { sql, now, aiDraftsPerMonth } = context.deps
  const from = context.url.searchParams.get('from')
  const [team, latest, model] = await Promise.all([
    getTeamDetails(sql, context.teamId, aiDraftsPerMonth),
    listNewsletters(sql, context.teamId, [], { page: 1, perPage: 1 }),
    from ? getNewsletter(sql, context.teamId, from) : null,
  ])
  const { subject_line, preheader_text, template_slug } = model?.newsletter ?? {
    ...{ subject_line: null, preheader_text: null },
    template_slug: latest.items[0]?.template_slug ?? 'clean',
  }
  const suggested = suggestNewsletter(team, now())
  return {
    ...suggested,
    ...(subject_line !== null && { subject_line }),
    preheader_text,
    template_slug,
  }
}

const text = v.optional(v.string(), '')

const NewForm = v.object({
  title: text,
  subject_line: text,
  preheader_text: text,
  scheduled_date: text,
  template_slug: text,
  fill: checkbox,
  /** One click: everything as it would be suggested. */
  suggested: checkbox,
})

async function create(context: FormRequest<typeof NewForm>): Promise<Response> {
  const { suggested, fill, ...typed } = context.body
  const { sql, now } = context.deps
  const input = parseInput(NewNewsletter, suggested ? await startOf(context) : nulled(typed))
  const made = await transaction(sql, async (tx) => {
    const { id } = await createNewsletter(tx, now, context.teamId, input)
    if (!fill && !suggested) return { id, blocks_count: 0 }
    return await composeNewsletter(tx, now, context.teamId, id, {})
  })
  const said =
    made.blocks_count === 0
      ? 'The newsletter is created. Add blocks from the library.'
      : `The newsletter is created with ${pluralize(made.blocks_count, 'block')}.`
  // Where one side is shown at a time, an empty newsletter opens on what can be added.
  const pane = made.blocks_count === 0 ? '?pane=library' : ''
  return redirect(context, `/newsletters/${made.id}${pane}`, success(said))
}

/** A form's texts as the contract takes them: what was left empty is null. */
export function nulled<Fields extends Record<string, string>>(
  fields: Fields,
): Record<keyof Fields, string | null> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value.trim() === '' && name !== 'title' ? null : value,
  ])
  return Object.fromEntries(entries)
}

/** The way to a new newsletter. */
export const newNewsletterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/new', (context) => newScreen(context), { role: 'editor' })
    .post('/newsletters', create, { role: 'editor', body: NewForm, renderWithErrors: newScreen })
