import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewsletterChange } from '../../../../contract/newsletters/input.ts'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { newsletterStatuses } from '../../../../contract/vocabulary.ts'
import {
  getNewsletter,
  undoSend,
  updateNewsletter,
} from '../../../../features/newsletters/index.ts'
import { inTransaction } from '../../../../lib/context.ts'
import { AppError, invalidField } from '../../../../lib/errors.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { checkbox, type FormValues, textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import { emptyToNull } from '../new.tsx'
import { recentDay, requireSamePreview, shownPreview } from '../preview-hash.tsx'
import { redirectWithResult } from '../redirect-with-result.ts'
import { newsletterStatusBadges } from '../status-badges.ts'
import { type Conflicts, detailFields } from './details.tsx'
import { composerPage } from './page.tsx'
import { type ComposerView, queryOf, requestedView, viewOf } from './view.ts'

/** The view of the page that sent the form. */
const submittedView = (context: MemberRequest): ComposerView =>
  viewOf(new URLSearchParams(textOf(context.values, 'view')), requestedView(context))

/** The path of the composer with the view of the page that sent the form; `part` is the fragment. */
export function composerPath(context: MemberRequest, part = ''): string {
  return `/newsletters/${context.params['id']}${queryOf(submittedView(context))}${part && `#${part}`}`
}

/** The fields of the details form. `original_…` contains the values when the page was loaded. */
const DetailsForm = v.record(v.string(), v.string())

async function updateDetails(context: FormRequest<typeof DetailsForm>): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const newsletter = await getNewsletter(context.ctx, id)
  const conflicts = findConflicts(context.values, newsletter)
  if (conflicts.length > 0) return await showConflicts(context, newsletter, conflicts)
  const change = parseInput(NewsletterChange, emptyToNull(changedFields(context.values)))
  return await redirectWithResult(context, composerPath(context), async () => {
    await updateNewsletter(context.ctx, { id, change, expected: [newsletter.version] })
    return { text: t('common.saved') }
  })
}

const showErrors = (context: MemberRequest, submitted: SubmittedForm) =>
  composerPage(context, submittedView(context), { submitted, status: 422 })

/** The fields that the person has changed. Unchanged fields are left out, so that they overwrite nothing. */
function changedFields(values: FormValues): Record<string, string> {
  const names = detailFields.filter((name) => {
    return name in values && textOf(values, name) !== textOf(values, `original_${name}`)
  })
  return Object.fromEntries(names.map((name) => [name, textOf(values, name)]))
}

/** The fields that two people have changed to different values. */
function findConflicts(values: FormValues, newsletter: Newsletter): Conflicts {
  return Object.entries(changedFields(values)).flatMap(([field, text]) => {
    const name = detailFields.find((one) => one === field)
    const now = name && (newsletter[name] ?? '')
    const isSame =
      now === undefined || now === textOf(values, `original_${name}`) || now === text.trim()
    return isSame || !name ? [] : [{ name, now }]
  })
}

/** Shows the composer with the submitted values and the values of the other person. Saves nothing. */
async function showConflicts(context: MemberRequest, newsletter: Newsletter, conflicts: Conflicts) {
  if (newsletter.status === 'sent') {
    throw new AppError(
      'newsletter_sent',
      'The newsletter was sent in the meantime and can no longer be changed.',
    )
  }
  const submitted: SubmittedForm = { values: context.values, errors: [] }
  return await composerPage(context, submittedView(context), { submitted, conflicts, status: 409 })
}

const StatusForm = v.object({
  to: v.picklist(newsletterStatuses, `must be one of ${newsletterStatuses.join(', ')}`),
  version: v.fallback(v.pipe(v.string(), v.transform(Number), v.integer()), 0),
  ...shownPreview,
  /** The day (UTC) on which a script of the page saw the last export. */
  exported_on: v.optional(v.string(), ''),
  page: v.optional(v.picklist(['compose', 'preview', 'export']), 'compose'),
  confirm: checkbox,
})

async function changeStatus(context: FormRequest<typeof StatusForm>): Promise<Response> {
  const { t } = context
  const { to, page, confirm } = context.body
  const path = page === 'compose' ? composerPath(context) : `${newsletterPath(context)}/${page}`
  return await redirectWithResult(context, path, async () => {
    if (to === 'sent' && !confirm) {
      throw invalidField('/confirm', 'Confirm first that you have sent it')
    }
    await applyTransitions(context)
    if (to === 'sent') {
      const text = t('newsletters.marked_as_sent_the_newsletter')
      return { text, path: `${newsletterPath(context)}/export` }
    }
    return {
      text: t('newsletters.the_newsletter_is_now', { status: t(newsletterStatusBadges[to].title) }),
      // After the last look at it, the next step is to send it out.
      ...(to === 'ready' && page === 'preview' && { path: `${newsletterPath(context)}/export` }),
    }
  })
}

async function undo(context: MemberRequest): Promise<Response> {
  const { t } = context
  return await redirectWithResult(context, newsletterPath(context), async () => {
    await undoSend(context.ctx, { id: context.params['id'] ?? '' })
    return { text: t('newsletters.the_newsletter_is_ready_again') }
  })
}

const newsletterPath = (context: MemberRequest) => `/newsletters/${context.params['id']}`

/** Changes the status of the version that the person saw. From draft to ready it passes `in_progress`. */
async function applyTransitions(context: FormRequest<typeof StatusForm>): Promise<void> {
  const { to, version } = context.body
  const id = context.params['id'] ?? ''
  const newsletter = await getNewsletter(context.ctx, id)
  const steps =
    newsletter.status === 'draft' && to === 'ready' ? ['in_progress' as const, to] : [to]
  await inTransaction(context.ctx, async (ctx) => {
    if (to === 'sent') await requireSamePreview(ctx, id, context.body)
    const day = sentDay(context)
    let currentVersion = version
    for (const status of steps) {
      const input = { id, change: { status }, expected: [currentVersion], day }
      currentVersion = (await updateNewsletter(ctx, input)).version
    }
  })
}

/** The day that a newsletter without a planned date had when it left Tidings: of its export, else of the page. */
function sentDay({ body, deps }: FormRequest<typeof StatusForm>): string {
  const now = deps.now()
  const day = recentDay(body.preview_day, now)
  return body.exported_on > day ? recentDay(body.exported_on, now, day) : day
}

/** Routes that change the details and the status of a newsletter. */
export const newsletterChangePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id', updateDetails, {
      role: 'editor',
      body: DetailsForm,
      renderWithErrors: showErrors,
    })
    .post('/newsletters/:id/undo-send', once(undo), { role: 'editor' })
    .post('/newsletters/:id/status', once(changeStatus), { role: 'editor', body: StatusForm })
