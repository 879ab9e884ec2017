import * as v from 'valibot'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { NewsletterChange } from '../../../contract/newsletter-input.ts'
import { newsletterStatuses } from '../../../contract/vocabulary.ts'
import {
  getNewsletter,
  previewNewsletter,
  updateNewsletter,
} from '../../../features/newsletters/index.ts'
import { type Tx, withDeadline } from '../../../lib/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { parseInput } from '../../../lib/parse.ts'
import { type FormValues, textOf } from '../../form-data.ts'
import { action, type MemberRequest, type Route, type SubmittedForm } from '../../page.ts'
import { composerScreen } from './composer.tsx'
import { type Conflicts, detailFields } from './details.tsx'
import { nulled } from './new.tsx'
import { contentHash } from './preview-pane.tsx'
import { redirectWithResult } from './redirect-with-result.ts'
import { queryOf, type View, viewOf } from './view.ts'
import { newsletterStatusLooks } from './words.ts'

/** The view that a form came from. */
const viewBehind = (visit: MemberRequest): View =>
  viewOf(new URLSearchParams(textOf(visit.values, 'view')))

/** The composer as it was when the form was sent; `part` is the id to come back to. */
export function composerPath(visit: MemberRequest, part = ''): string {
  return `/newsletters/${visit.params['id']}${queryOf(viewBehind(visit))}${part && `#${part}`}`
}

const texts = (prefix: string) =>
  Object.fromEntries(detailFields.map((name) => [prefix + name, v.optional(v.string(), '')]))
const WordingForm = v.object({ ...texts(''), ...texts('was_') })

const reword = action('/newsletters/:id', 'editor', {
  form: WordingForm,
  renderWithErrors: (visit, entry) =>
    composerScreen(visit, viewBehind(visit), { entry, status: 422 }),
  async handle(visit) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    const { newsletter } = await getNewsletter(sql, visit.teamId, id)
    const conflicts = conflictsOf(visit.values, newsletter)
    if (conflicts.length > 0) return await askAgain(visit, newsletter, conflicts)
    const change = parseInput(NewsletterChange, nulled(typedIn(visit.values)))
    return await redirectWithResult(visit, composerPath(visit), async () => {
      await withDeadline(
        sql.begin((tx) =>
          updateNewsletter(tx, now, visit.teamId, id, change, [newsletter.version]),
        ),
      )
      return { text: 'Saved.' }
    })
  },
})

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
async function askAgain(visit: MemberRequest, newsletter: Newsletter, conflicts: Conflicts) {
  if (newsletter.status === 'sent') {
    throw new AppError('newsletter_sent', 'It was sent meanwhile and can no longer be changed.')
  }
  const entry: SubmittedForm = { values: visit.values, errors: [] }
  return await composerScreen(visit, viewBehind(visit), { entry, conflicts, status: 409 })
}

const StatusForm = v.object({
  to: v.fallback(v.picklist(newsletterStatuses), 'draft'),
  version: v.fallback(v.pipe(v.string(), v.transform(Number), v.integer()), 0),
  seen: v.optional(v.string(), ''),
  at: v.optional(v.picklist(['compose', 'preview', 'send']), 'compose'),
})

const move = action('/newsletters/:id/status', 'editor', {
  form: StatusForm,
  async handle(visit, { to, version, seen, at }) {
    const path = at === 'compose' ? composerPath(visit) : `${newsletterPath(visit)}/${at}`
    return await redirectWithResult(visit, path, async () => {
      await moveTo(visit, to, version, seen)
      if (to === 'sent') {
        const text = 'Marked as sent. What was sent is kept here as it was; its blocks are used.'
        return { text, path: newsletterPath(visit) }
      }
      return { text: `The newsletter is ${newsletterStatusLooks[to].title.toLowerCase()} now.` }
    })
  },
})

const newsletterPath = (visit: MemberRequest) => `/newsletters/${visit.params['id']}`

/** Moves a newsletter as it was seen; from a draft to ready over the state between. */
async function moveTo(
  visit: MemberRequest,
  to: Newsletter['status'],
  version: number,
  seen: string,
): Promise<void> {
  const { sql, now } = visit.deps
  const id = visit.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, visit.teamId, id)
  const steps =
    newsletter.status === 'draft' && to === 'ready' ? ['in_progress' as const, to] : [to]
  await withDeadline(
    sql.begin(async (tx) => {
      if (to === 'sent') await requireSeen(tx, visit, seen)
      let at = version
      for (const status of steps) {
        at = (await updateNewsletter(tx, now, visit.teamId, id, { status }, [at])).version
      }
    }),
  )
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
export const newsletterChangeRoutes: readonly Route[] = [reword, move]
