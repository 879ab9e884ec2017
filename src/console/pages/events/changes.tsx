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
import { eventCategoryLabels } from '../../components/event.tsx'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { pluralize } from '../../pluralize.ts'

/** An optional field: an empty value is null. */
const optional = <Schema extends v.GenericSchema<string | null, string | null>>(schema: Schema) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((value) => (value.trim() === '' ? null : value)),
    schema,
  )

const longText = v.nullable(text(2 * 1024))
const common = {
  ...EventChange.entries,
  description: optional(longText),
  suggested_content: optional(longText),
  recurs: checkbox,
}
const ChangeForm = v.object(common)
const NewForm = v.object({ ...common, slug: optional(v.nullable(NewEvent.entries.slug)) })

type EventValues = Partial<v.InferOutput<typeof NewEvent>>

const fieldNames = ['name', 'event_date', 'category', 'slug', 'description', 'suggested_content']

function EventFields({
  written = {},
  submitted,
}: {
  written?: EventValues
  submitted: SubmittedForm | undefined
}) {
  const { name = '', event_date = '', category = 'corporate', recurs = false } = written
  return (
    <>
      <ErrorSummary submitted={submitted} exceptFields={fieldNames} />
      <Field name="name" label="Name" value={name} required maxlength={255} submitted={submitted} />
      <Field
        name="event_date"
        label="Date"
        type="date"
        value={event_date}
        required
        submitted={submitted}
      />
      <Checkbox
        name="recurs"
        label="Repeats every year"
        hint="On the same day, from this date on."
        checked={recurs}
        submitted={submitted}
      />
      <Select
        name="category"
        label="Category"
        options={eventCategories.map((value) => ({ value, label: eventCategoryLabels[value] }))}
        value={category}
        submitted={submitted}
      />
      <TextArea
        name="description"
        label="Description"
        hint="For people who do not know the event."
        value={written.description ?? ''}
        submitted={submitted}
      />
      <TextArea
        name="suggested_content"
        label="Suggested content"
        hint="Ideas for a block about the event: a question to ask, a person to thank."
        value={written.suggested_content ?? ''}
        submitted={submitted}
      />
    </>
  )
}

async function newEventPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  return await layout(
    context,
    { title: 'New event', section: 'events' },
    <div class="narrow">
      <PageHeader
        title="New event"
        lead="An event of your team, in addition to the well-known days."
      />
      <Form context={context} action="/events" draft>
        <EventFields written={{ event_date: utcDay(context.deps.now()) }} submitted={submitted} />
        <Field
          name="slug"
          label="Slug"
          hint="Programs send it as event_slug. If empty, it is created from the name. It cannot be changed later."
          maxlength={100}
          submitted={submitted}
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
  const otherwise = `event-${input.event_date}`
  const slug = input.slug ?? slugify(input.name, { longest: 80, otherwise })
  // `/events/new` is the form for a new event.
  if (slug === 'new') throw invalidField('/slug', 'slug "new" is reserved', 'taken')
  await createEvent(context.ctx, { ...input, slug })
  const replaced = wellKnownDay(slug)
  const more = replaced ? ` It replaces the well-known day “${replaced}”.` : ''
  return redirect(context, `/events/${slug}`, success(`The event is added.${more}`))
}

const slugOf = (context: MemberRequest) => context.params['id'] ?? ''
const loadOwnEvent = (context: MemberRequest) => getOwnEvent(context.ctx, slugOf(context))

async function editEventPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const own = await loadOwnEvent(context)
  return await layout(
    context,
    { title: `Edit ${own.name}`, section: 'events' },
    <div class="narrow">
      <PageHeader title={`Edit “${own.name}”`} />
      <Form context={context} action={`/events/${own.slug}`} draft>
        <EventFields written={own} submitted={submitted} />
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
  const slug = slugOf(context)
  await updateEvent(context.ctx, { slug, change })
  return redirect(context, `/events/${slug}`, success('Saved.'))
}

async function askDelete(context: MemberRequest): Promise<Response> {
  const { slug, name } = await loadOwnEvent(context)
  const blocks = await blocksOfEvent(context.ctx, { slugs: [slug] })
  const known = wellKnownDay(slug)
  return await layout(
    context,
    { title: `Delete ${name}`, section: 'events' },
    <div class="narrow">
      <PageHeader title={`Delete “${name}”?`} />
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
  const { slug, name } = await loadOwnEvent(context)
  await deleteEvent(context.ctx, slug)
  return redirect(context, '/events', success(`“${name}” is deleted.`))
}

/** Routes that create, change and delete events. */
export const eventChangePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/events/new', (context) => newEventPage(context), { role: 'editor' })
    .post('/events', add, { role: 'editor', body: NewForm, renderWithErrors: newEventPage })
    .get('/events/:id/edit', (context) => editEventPage(context), { role: 'editor' })
    .post('/events/:id', edit, {
      role: 'editor',
      body: ChangeForm,
      renderWithErrors: editEventPage,
    })
    .get('/events/:id/delete', askDelete, { role: 'editor' })
    .post('/events/:id/delete', remove, { role: 'editor' })
