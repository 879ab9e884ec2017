import { Elysia } from 'elysia'
import * as v from 'valibot'
import { eventFields, NewEvent } from '../../../contract/events/input.ts'
import { text } from '../../../contract/text.ts'
import { eventCategories } from '../../../contract/vocabulary.ts'
import { listBlocksOfEvent } from '../../../features/content-blocks/index.ts'
import {
  createEvent,
  deleteEvent,
  getOwnEvent,
  updateEvent,
  wellKnownDay,
} from '../../../features/events/index.ts'
import { slugify } from '../../../lib/text/slug.ts'
import { todayOf } from '../../components/dates/calendar-date.ts'
import { eventCategoryLabels, newEventPath } from '../../components/event.tsx'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/forms/form-data.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'
import type { Translate } from '../../locales/index.ts'

/** An optional field: an empty value is null. */
const optional = <Schema extends v.GenericSchema<string | null, string | null>>(schema: Schema) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((value) => (value.trim() === '' ? null : value)),
    schema,
  )

const longText = v.nullable(text(2 * 1024))
const common = {
  ...eventFields,
  description: optional(longText),
  suggested_content: optional(longText),
  recurs: checkbox,
}
const ChangeForm = v.object(common)
const NewForm = v.object({ ...common, slug: optional(v.nullable(NewEvent.entries.slug)) })

type EventValues = Partial<v.InferOutput<typeof NewForm>>

const fieldNames = ['name', 'event_date', 'category', 'slug', 'description', 'suggested_content']

function EventFields({
  t,
  written = {},
  submitted,
}: {
  t: Translate
  written?: EventValues
  submitted: SubmittedForm | undefined
}) {
  const { name = '', event_date = '', category = 'corporate', recurs = false } = written
  return (
    <>
      <ErrorSummary submitted={submitted} exceptFields={fieldNames} />
      <Field
        name="name"
        label={t('common.name')}
        value={name}
        required
        maxlength={255}
        submitted={submitted}
      />
      <Field
        name="event_date"
        label={t('common.date')}
        type="date"
        value={event_date}
        required
        submitted={submitted}
      />
      <Checkbox
        name="recurs"
        label={t('events.repeats_every_year')}
        hint={t('events.on_the_same_day')}
        checked={recurs}
        submitted={submitted}
      />
      <Select
        name="category"
        label={t('common.category')}
        options={eventCategories.map((value) => ({ value, label: t(eventCategoryLabels[value]) }))}
        value={category}
        submitted={submitted}
      />
      <TextArea
        name="description"
        label={t('common.description')}
        hint={t('events.for_people_who_do')}
        value={written.description ?? ''}
        submitted={submitted}
      />
      <TextArea
        name="suggested_content"
        label={t('events.suggested_content')}
        hint={t('events.ideas_for_a_block_about')}
        value={written.suggested_content ?? ''}
        submitted={submitted}
      />
    </>
  )
}

async function newEventPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  return await layout(
    context,
    { title: t('events.new_event'), section: 'events' },
    <div class="narrow">
      <PageHeader
        title={t('events.new_event')}
        lead={t('events.an_event_of_your_team')}
        parent={{ href: '/events', title: t('common.events') }}
      />
      <Form context={context} action="/events" draft>
        <EventFields
          t={t}
          written={{ event_date: todayOf(context.userLocale, context.deps.now()) }}
          submitted={submitted}
        />
        <Field
          name="slug"
          label={t('events.slug')}
          hint={t('events.programs_send_it_as_event')}
          maxlength={100}
          submitted={submitted}
        />
        <div class="row">
          <button type="submit" class="primary">
            {t('events.add_the_event')}
          </button>
          <a href="/events">{t('common.cancel')}</a>
        </div>
      </Form>
    </div>,
  )
}

async function add(context: FormRequest<typeof NewForm>): Promise<Response> {
  const { t } = context
  const input = context.body
  const otherwise = `event-${input.event_date}`
  const slug = input.slug ?? slugify(input.name, { longest: 80, otherwise })
  await createEvent(context.ctx, { ...input, slug })
  const replaced = wellKnownDay(slug)
  const text = replaced
    ? t('events.the_event_is_added_and_replaces', { replaced })
    : t('events.the_event_is_added')
  return redirect(context, `/events/${slug}`, success(text))
}

const slugOf = (context: MemberRequest) => context.params['id'] ?? ''
const loadOwnEvent = (context: MemberRequest) => getOwnEvent(context.ctx, slugOf(context))

async function editEventPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const own = await loadOwnEvent(context)
  return await layout(
    context,
    { title: t('events.edit', { name: own.name }), section: 'events' },
    <div class="narrow">
      <PageHeader
        title={t('common.edit')}
        parent={{ href: `/events/${own.slug}`, title: own.name }}
      />
      <Form context={context} action={`/events/${own.slug}`} draft>
        <EventFields t={t} written={own} submitted={submitted} />
        <div class="row">
          <button type="submit" class="primary">
            {t('common.save')}
          </button>
          <a href={`/events/${own.slug}`}>{t('common.cancel')}</a>
        </div>
      </Form>
    </div>,
  )
}

async function edit(context: FormRequest<typeof ChangeForm>): Promise<Response> {
  const { t } = context
  const change = context.body
  const slug = slugOf(context)
  await updateEvent(context.ctx, { slug, change })
  return redirect(context, `/events/${slug}`, success(t('common.saved')))
}

async function askDelete(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { slug, name } = await loadOwnEvent(context)
  const blocks = await listBlocksOfEvent(context.ctx, { slugs: [slug] })
  const known = wellKnownDay(slug)
  return await layout(
    context,
    { title: t('events.delete', { name }), section: 'events' },
    <div class="narrow">
      <PageHeader
        title={t('events.confirm_delete', { name })}
        parent={{ href: `/events/${slug}`, title: name }}
      />
      <p safe>
        {blocks.length === 0
          ? t('events.no_block_refers')
          : t('events.block', { count: blocks.length })}
      </p>
      {known ? <p safe>{t('events.the_well_known_day', { known })}</p> : null}
      <div class="row">
        <Form context={context} action={`/events/${slug}/delete`}>
          <button type="submit" class="primary danger">
            {t('events.delete_the_event')}
          </button>
        </Form>
        <a href={`/events/${slug}`}>{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { slug, name } = await loadOwnEvent(context)
  await deleteEvent(context.ctx, slug)
  return redirect(context, '/events', success(t('events.is_deleted', { name })))
}

/** Routes that create, change and delete events. */
export const eventFormPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(newEventPath, (context) => newEventPage(context), { role: 'editor' })
    .post('/events', once(add), { role: 'editor', body: NewForm, renderWithErrors: newEventPage })
    .get('/events/:id/edit', (context) => editEventPage(context), { role: 'editor' })
    .post('/events/:id', edit, {
      role: 'editor',
      body: ChangeForm,
      renderWithErrors: editEventPage,
    })
    .get('/events/:id/delete', askDelete, { role: 'editor' })
    .post('/events/:id/delete', once(remove), { role: 'editor' })
