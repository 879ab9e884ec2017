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
import { checkbox } from '../../form-data.ts'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../../page.ts'
import { redirect, success } from '../../responses.ts'

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
        label="Comes every year"
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
        label="What it is"
        hint="For those who see it the first time."
        value={written.description ?? ''}
        entry={entry}
      />
      <TextArea
        name="suggested_content"
        label="What to tell"
        hint="An idea for whoever writes about it: a question to ask, a person to thank."
        value={written.suggested_content ?? ''}
        entry={entry}
      />
    </>
  )
}

const showNew = page('/events/new', 'editor', (visit) => newScreen(visit))

async function newScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  return await layout(
    visit,
    { title: 'New event', section: 'events' },
    <div class="narrow">
      <PageHead title="New event" lead="A day of your team, beside the well-known ones." />
      <Form visit={visit} action="/events">
        <EventFields written={{ event_date: utcDay(visit.deps.now()) }} entry={entry} />
        <Field
          name="slug"
          label="Name for programs"
          hint="What they send as event_slug. Left empty, it is made from the name; it cannot be changed later."
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

const add = action('/events', 'editor', {
  form: NewForm,
  renderWithErrors: newScreen,
  async handle(visit, input) {
    const { sql, now } = visit.deps
    const otherwise = `event-${input.event_date}`
    const slug = input.slug ?? slugify(input.name, { longest: 80, otherwise })
    // Its page would be the form for a new one.
    if (slug === 'new') throw invalidField('/slug', 'slug "new" has another meaning here', 'taken')
    await createEvent(sql, now, visit.teamId, { ...input, slug })
    const replaced = wellKnownDay(slug)
    const more = replaced ? ` It takes the place of the well-known day “${replaced}”.` : ''
    return redirect(visit, `/events/${slug}`, success(`Added.${more}`))
  },
})

const showEdit = page('/events/:id/edit', 'editor', (visit) => editScreen(visit))

const slugIn = (visit: MemberRequest) => visit.params['id'] ?? ''
const ownOf = (visit: MemberRequest) => getOwnEvent(visit.deps.sql, visit.teamId, slugIn(visit))

async function editScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const own = await ownOf(visit)
  return await layout(
    visit,
    { title: `Edit ${own.name}`, section: 'events' },
    <div class="narrow">
      <PageHead title={`Edit “${own.name}”`} />
      <Form visit={visit} action={`/events/${own.slug}`}>
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

const edit = action('/events/:id', 'editor', {
  form: ChangeForm,
  renderWithErrors: editScreen,
  async handle(visit, change) {
    const slug = slugIn(visit)
    await updateEvent(visit.deps.sql, visit.teamId, slug, change)
    return redirect(visit, `/events/${slug}`, success('Saved.'))
  },
})

const askDelete = page('/events/:id/delete', 'editor', async (visit) => {
  const { slug, name } = await ownOf(visit)
  const blocks = await blocksOfEvent(visit.deps.sql, visit.teamId, [slug])
  const known = wellKnownDay(slug)
  return await layout(
    visit,
    { title: `Delete ${name}`, section: 'events' },
    <div class="narrow">
      <PageHead title={`Delete “${name}”?`} />
      <p safe>
        {blocks.length === 0
          ? 'Nothing in the library is for it. This cannot be taken back.'
          : `${blocks.length === 1 ? 'One item' : `${blocks.length} items`} in the library for it will stay there, without an event. This cannot be taken back.`}
      </p>
      {known ? <p safe>{`The well-known day “${known}” comes back in its place.`}</p> : null}
      <div class="row">
        <Form visit={visit} action={`/events/${slug}/delete`}>
          <button type="submit" class="primary danger">
            Delete the event
          </button>
        </Form>
        <a href={`/events/${slug}`}>Keep it</a>
      </div>
    </div>,
  )
})

const remove = action('/events/:id/delete', 'editor', {
  form: NoFields,
  async handle(visit) {
    const { slug, name } = await ownOf(visit)
    await deleteEvent(visit.deps.sql, visit.teamId, slug)
    return redirect(visit, '/events', success(`“${name}” is deleted.`))
  },
})

/** Where a team's own events are added, changed and deleted. */
export const eventChangeRoutes: readonly Route[] = [showNew, add, showEdit, edit, askDelete, remove]
