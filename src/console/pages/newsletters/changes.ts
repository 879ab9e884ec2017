import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { NewsletterChange } from '../../../contract/newsletter-input.ts'
import { newsletterStatuses } from '../../../contract/vocabulary.ts'
import {
  getNewsletter,
  previewNewsletter,
  updateNewsletter,
} from '../../../features/newsletters/index.ts'
import { type Tx, transaction } from '../../../lib/db.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { parseInput } from '../../../lib/parse.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox, type FormValues, textOf } from '../../http/form-data.ts'
import { composerScreen } from './composer.tsx'
import { type Conflicts, detailFields } from './details.tsx'
import { nulled } from './new.tsx'
import { contentHash } from './preview-pane.tsx'
import { redirectWithResult } from './redirect-with-result.ts'
import { queryOf, type View, viewOf } from './view.ts'
import { newsletterStatusLooks } from './words.ts'

/** The view that a form came from. */
const viewBehind = (context: MemberRequest): View =>
  viewOf(new URLSearchParams(textOf(context.values, 'view')))

/** The composer as it was when the form was sent; `part` is the id to come back to. */
export function composerPath(context: MemberRequest, part = ''): string {
  return `/newsletters/${context.params['id']}${queryOf(viewBehind(context))}${part && `#${part}`}`
}

/** The fields of the details, and under `was_…` what each contained when the page was loaded. */
const DetailsForm = v.record(v.string(), v.string())

async function reword(context: FormRequest<typeof DetailsForm>): Promise<Response> {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, context.teamId, id)
  const conflicts = conflictsOf(context.values, newsletter)
  if (conflicts.length > 0) return await askAgain(context, newsletter, conflicts)
  const change = parseInput(NewsletterChange, nulled(typedIn(context.values)))
  return await redirectWithResult(context, composerPath(context), async () => {
    await transaction(sql, (tx) =>
      updateNewsletter(tx, now, context.teamId, id, change, [newsletter.version]),
    )
    return { text: 'Saved.' }
  })
}

const showErrors = (context: MemberRequest, entry: SubmittedForm) =>
  composerScreen(context, viewBehind(context), { entry, status: 422 })

/** What somebody typed anew; fields that were left as they were stay out, whoever changed them since. */
function typedIn(values: FormValues): Record<string, string> {
  const names = detailFields.filter((name) => {
    return name in values && textOf(values, name) !== textOf(values, `was_${name}`)
  })
  return Object.fromEntries(names.map((name) => [name, textOf(values, name)]))
}

/** Fields that two people changed to different things. */
function conflictsOf(values: FormValues, newsletter: Newsletter): Conflicts {
  return Object.entries(typedIn(values)).flatMap(([typed, text]) => {
    const name = detailFields.find((one) => one === typed)
    const now = name && (newsletter[name] ?? '')
    const settled =
      now === undefined || now === textOf(values, `was_${name}`) || now === text.trim()
    return settled || !name ? [] : [{ name, now }]
  })
}

/** The composer with what was typed, and what somebody else made of it; nothing is stored. */
async function askAgain(context: MemberRequest, newsletter: Newsletter, conflicts: Conflicts) {
  if (newsletter.status === 'sent') {
    throw new AppError(
      'newsletter_sent',
      'The newsletter was sent in the meantime and can no longer be changed.',
    )
  }
  const entry: SubmittedForm = { values: context.values, errors: [] }
  return await composerScreen(context, viewBehind(context), { entry, conflicts, status: 409 })
}

const StatusForm = v.object({
  to: v.fallback(v.picklist(newsletterStatuses), 'draft'),
  version: v.fallback(v.pipe(v.string(), v.transform(Number), v.integer()), 0),
  seen: v.optional(v.string(), ''),
  at: v.optional(v.picklist(['compose', 'preview', 'export']), 'compose'),
  confirm: checkbox,
})

async function move(context: FormRequest<typeof StatusForm>): Promise<Response> {
  const { to, version, seen, at, confirm } = context.body
  const path = at === 'compose' ? composerPath(context) : `${newsletterPath(context)}/${at}`
  return await redirectWithResult(context, path, async () => {
    if (to === 'sent' && !confirm) {
      throw invalidField('/confirm', 'Confirm first that you have sent it: this cannot be undone')
    }
    await moveTo(context, to, version, seen)
    if (to === 'sent') {
      const text =
        'Marked as sent. The newsletter is archived as it was sent, and its blocks are used.'
      return { text, path: newsletterPath(context) }
    }
    return { text: `The newsletter is ${newsletterStatusLooks[to].title.toLowerCase()} now.` }
  })
}

const newsletterPath = (context: MemberRequest) => `/newsletters/${context.params['id']}`

/** Moves a newsletter as it was seen; from a draft to ready over the state between. */
async function moveTo(
  context: MemberRequest,
  to: Newsletter['status'],
  version: number,
  seen: string,
): Promise<void> {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, context.teamId, id)
  const steps =
    newsletter.status === 'draft' && to === 'ready' ? ['in_progress' as const, to] : [to]
  await transaction(sql, async (tx) => {
    if (to === 'sent') await requireSeen(tx, context, seen)
    let at = version
    for (const status of steps) {
      at = (await updateNewsletter(tx, now, context.teamId, id, { status }, [at])).version
    }
  })
}

/** The archive keeps what was taken away: a block that changed since tells in no version. */
async function requireSeen(
  tx: Tx,
  { teamId, params, deps }: MemberRequest,
  seen: string,
): Promise<void> {
  const { html } = await previewNewsletter(tx, teamId, params['id'] ?? '', deps.now())
  if (contentHash(html) !== seen) throw new AppError('version_mismatch', 'It looks different now.')
}

/** What changes a newsletter's words and state. */
export const newsletterChangePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id', reword, {
      role: 'editor',
      body: DetailsForm,
      renderWithErrors: showErrors,
    })
    .post('/newsletters/:id/status', move, { role: 'editor', body: StatusForm })
