import { Elysia } from 'elysia'
import * as v from 'valibot'
import { text } from '../../../contract/text.ts'
import { eventCategories } from '../../../contract/vocabulary.ts'
import { blocksOfEvent } from '../../../features/content-blocks/index.ts'
import {
  createEvent,
  deleteEvent,
  EventChange,
  getOwnEvent,
  NewEvent,
  updateEvent,
  wellKnownDay,
} from '../../../features/events/index.ts'
import { utcDay } from '../../../lib/clock.ts'
import { invalidField } from '../../../lib/errors.ts'
import { slugify } from '../../../lib/slug.ts'
import { categoryTitles } from '../../components/event.tsx'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { pluralize } from '../../pluralize.ts'

/** Empty means nothing. */
const maybe = <Schema extends v.GenericSchema<string | null, string | null>>(schema: Schema) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((value) => (value.trim() === '' ? null : value)),
    schema,
  )

const words = v.nullable(text(2 * 1024))
const common = {
  ...EventChange.entries,
  description: maybe(words),
  suggested_content: maybe(words),
  recurs: checkbox,
}
const ChangeForm = v.object(common)
const NewForm = v.object({ ...common, slug: maybe(v.nullable(NewEvent.entries.slug)) })

type Written = Partial<v.InferOutput<typeof NewEvent>>

const fieldNames = ['name', 'event_date', 'category', 'slug', 'description', 'suggested_content']

function EventFields({
  written = {},
  entry,
}: {
  written?: Written
  entry: SubmittedForm | undefined
}) {
  const { name = '', event_date = '', category = 'corporate', recurs = false } = written
  return (
    <>
      <ErrorSummary entry={entry} but={fieldNames} />
      <Field name="name" label="Name" value={name} required maxlength={255} entry={entry} />
      <Field name="event_date" label="Date" type="date" value={event_date} required entry={entry} />
      <Checkbox
        name="recurs"
        label="Repeats every year"
        hint="On the same day, from this date on."
        checked={recurs}
        entry={entry}
      />
      <Select
        name="category"
        label="Category"
        options={eventCategories.map((value) => ({ value, label: categoryTitles[value] }))}
        value={category}
        entry={entry}
      />
      <TextArea
        name="description"
        label="Description"
        hint="For people who do not know the event."
        value={written.description ?? ''}
        entry={entry}
      />
      <TextArea
        name="suggested_content"
        label="Suggested content"
        hint="Ideas for a block about the event: a question to ask, a person to thank."
        value={written.suggested_content ?? ''}
        entry={entry}
      />
    </>
  )
}

async function newScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  return await layout(
    context,
    { title: 'New event', section: 'events' },
    <div class="narrow">
      <PageHead
        title="New event"
        lead="An event of your team, in addition to the well-known days."
      />
      <Form context={context} action="/events" draft>
        <EventFields written={{ event_date: utcDay(context.deps.now()) }} entry={entry} />
        <Field
          name="slug"
          label="Slug"
          hint="Programs send it as event_slug. If empty, it is created from the name. It cannot be changed later."
          maxlength={100}
          entry={entry}
        />
        <div class="row">
          <button type="submit" class="primary">
            Add the event
          </button>
          <a href="/events">Cancel</a>
        </div>
      </Form>
    </div>,
  )
}

async function add(context: FormRequest<typeof NewForm>): Promise<Response> {
  const input = context.body
  const { sql, now } = context.deps
  const otherwise = `event-${input.event_date}`
  const slug = input.slug ?? slugify(input.name, { longest: 80, otherwise })
  // Its page would be the form for a new one.
  if (slug === 'new') throw invalidField('/slug', 'slug "new" is reserved', 'taken')
  await createEvent(sql, now, context.teamId, { ...input, slug })
  const replaced = wellKnownDay(slug)
  const more = replaced ? ` It replaces the well-known day “${replaced}”.` : ''
  return redirect(context, `/events/${slug}`, success(`The event is added.${more}`))
}

const slugIn = (context: MemberRequest) => context.params['id'] ?? ''
const ownOf = (context: MemberRequest) =>
  getOwnEvent(context.deps.sql, context.teamId, slugIn(context))

async function editScreen(context: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const own = await ownOf(context)
  return await layout(
    context,
    { title: `Edit ${own.name}`, section: 'events' },
    <div class="narrow">
      <PageHead title={`Edit “${own.name}”`} />
      <Form context={context} action={`/events/${own.slug}`} draft>
        <EventFields written={own} entry={entry} />
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
          <a href={`/events/${own.slug}`}>Cancel</a>
        </div>
      </Form>
    </div>,
  )
}

async function edit(context: FormRequest<typeof ChangeForm>): Promise<Response> {
  const change = context.body
  const slug = slugIn(context)
  await updateEvent(context.deps.sql, context.teamId, slug, change)
  return redirect(context, `/events/${slug}`, success('Saved.'))
}

async function askDelete(context: MemberRequest): Promise<Response> {
  const { slug, name } = await ownOf(context)
  const blocks = await blocksOfEvent(context.deps.sql, context.teamId, [slug])
  const known = wellKnownDay(slug)
  return await layout(
    context,
    { title: `Delete ${name}`, section: 'events' },
    <div class="narrow">
      <PageHead title={`Delete “${name}”?`} />
      <p safe>
        {blocks.length === 0
          ? 'No block refers to it. This cannot be undone.'
          : `${pluralize(blocks.length, 'block')} for it will stay in the library without an event. This cannot be undone.`}
      </p>
      {known ? <p safe>{`The well-known day “${known}” is shown again instead.`}</p> : null}
      <div class="row">
        <Form context={context} action={`/events/${slug}/delete`}>
          <button type="submit" class="primary danger">
            Delete the event
          </button>
        </Form>
        <a href={`/events/${slug}`}>Cancel</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { slug, name } = await ownOf(context)
  await deleteEvent(context.deps.sql, context.teamId, slug)
  return redirect(context, '/events', success(`“${name}” is deleted.`))
}

/** Where a team's own events are added, changed and deleted. */
export const eventChangePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/events/new', (context) => newScreen(context), { role: 'editor' })
    .post('/events', add, { role: 'editor', body: NewForm, renderWithErrors: newScreen })
    .get('/events/:id/edit', (context) => editScreen(context), { role: 'editor' })
    .post('/events/:id', edit, { role: 'editor', body: ChangeForm, renderWithErrors: editScreen })
    .get('/events/:id/delete', askDelete, { role: 'editor' })
    .post('/events/:id/delete', remove, { role: 'editor' })
