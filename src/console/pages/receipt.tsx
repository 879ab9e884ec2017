import { Elysia } from 'elysia'
import { listMemberships } from '../../features/members/index.ts'
import { getReceipt, type Receipt, type ReceiptState } from '../../features/receipts/index.ts'
import { withdrawSubmission } from '../../features/submissions/index.ts'
import { systemContext } from '../../lib/context.ts'
import { submissionForm } from '../components/actor-name.ts'
import { DateTime } from '../components/dates/date-time.tsx'
import { Form } from '../components/form/form.tsx'
import { Icon } from '../components/icon.tsx'
import { bareLayout } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, ConsoleRequest } from '../http/context.ts'
import { onceSignedOut } from '../http/forms/once-signed-out.ts'
import { failure, redirect, success } from '../http/responses.ts'
import type { UserLocale } from '../http/user-locale.ts'
import type { TextKey, Translate } from '../locales/index.ts'

const texts: Record<ReceiptState, { label: TextKey; tone: string; explanation: TextKey }> = {
  waiting: {
    label: 'submit.waiting_for_review',
    tone: 'accent',
    explanation: 'submit.an_editor_reads_it_before',
  },
  approved: {
    label: 'submit.approved',
    tone: 'success',
    explanation: 'submit.an_editor_has_approved',
  },
  in_newsletter: {
    label: 'submit.in_the_next_newsletter',
    tone: 'success',
    explanation: 'submit.it_is_part',
  },
  published: {
    label: 'submit.published',
    tone: 'success',
    explanation: 'submit.it_was_sent',
  },
  withdrawn: {
    label: 'submit.withdrawn_state',
    tone: '',
    explanation: 'submit.it_was_withdrawn',
  },
  not_used: {
    label: 'submit.not_used',
    tone: '',
    explanation: 'submit.the_editors_did_not_use',
  },
}

/** What happens to news that is used, in this order. */
const steps = ['waiting', 'approved', 'in_newsletter', 'published'] as const

const linkOf = ({ params }: ConsoleRequest) => ({
  slug: params['team'] ?? '',
  token: params['token'] ?? '',
})

const pathOf = (context: ConsoleRequest) => {
  const { slug, token } = linkOf(context)
  return `/receipts/${encodeURIComponent(slug)}/${encodeURIComponent(token)}`
}

/** The page on which the sender of news sees what happens to it. Whoever has its address can see it. */
async function receiptPage(context: ConsoleRequest): Promise<Response> {
  const { deps, userLocale, t } = context
  const receipt = await getReceipt(deps, linkOf(context))
  const opensLibrary = receipt.title !== null && (await isMember(context, receipt))
  return await unlistedPage(
    context,
    receipt,
    <>
      <h1>{t('submit.your_news')}</h1>
      <ReceiptStatus t={t} receipt={receipt} userLocale={userLocale} />
      {opensLibrary || isFinal(receipt) ? (
        ''
      ) : (
        <p class="muted">{t('submit.keep_this_page_to_see')}</p>
      )}
      <div class="row">
        {opensLibrary ? (
          <a class="button" href={`/library/${receipt.blockId}`}>
            {t('submit.open_in_the_library')}
          </a>
        ) : (
          ''
        )}
        {isWithdrawable(context, receipt) ? (
          <a class="button" href={`${pathOf(context)}/withdraw`}>
            {t('submit.withdraw')}
          </a>
        ) : (
          ''
        )}
      </div>
    </>,
  )
}

/** A page under the address of a receipt, which no search engine lists. */
async function unlistedPage(
  context: ConsoleRequest,
  { teamName }: Receipt,
  body: JSX.Element,
): Promise<Response> {
  const title = context.t('submit.your_news')
  const page = await bareLayout(context, { title, team: teamName }, body)
  page.headers.set('x-robots-tag', 'noindex')
  return page
}

/** Whether nothing more happens to the news. */
const isFinal = ({ state }: Receipt): boolean => state === 'published' || isOver(state)

/** Whether the news was withdrawn or not used, which is no step of its way into a newsletter. */
const isOver = (state: ReceiptState): state is 'withdrawn' | 'not_used' =>
  state === 'withdrawn' || state === 'not_used'

/** Whether this browser has sent the news and no editor has changed or reviewed it. */
const isWithdrawable = (context: ConsoleRequest, { state, isChanged }: Receipt): boolean =>
  state === 'waiting' &&
  !isChanged &&
  context.deps.senderCookie.isSender(context.request.headers.get('cookie') ?? '', pathOf(context))

async function confirmWithdrawal(context: ConsoleRequest): Promise<Response> {
  const { deps, t } = context
  const receipt = await getReceipt(deps, linkOf(context))
  if (!isWithdrawable(context, receipt)) return notWithdrawn(context)
  const path = pathOf(context)
  return await unlistedPage(
    context,
    receipt,
    <>
      <h1>{t('submit.withdraw_this_news')}</h1>
      <p class="lead">
        <strong safe>{receipt.title ?? ''}</strong>
      </p>
      <p>{t('submit.it_is_deleted')}</p>
      <div class="row">
        <Form context={context} action={`${path}/withdraw`}>
          <button type="submit" class="primary danger">
            {t('submit.withdraw')}
          </button>
        </Form>
        <a href={path}>{t('common.cancel')}</a>
      </div>
    </>,
  )
}

async function withdraw(context: ConsoleRequest): Promise<Response> {
  const { deps, t } = context
  const receipt = await getReceipt(deps, linkOf(context))
  if (!isWithdrawable(context, receipt)) return notWithdrawn(context)
  const ctx = systemContext(deps, receipt.teamId, submissionForm)
  return (await withdrawSubmission(ctx, receipt))
    ? redirect(context, pathOf(context), success(t('submit.withdrawn')))
    : notWithdrawn(context)
}

const notWithdrawn = (context: ConsoleRequest) =>
  redirect(context, pathOf(context), failure(context.t('submit.not_withdrawn')))

function ReceiptStatus({
  t,
  receipt,
  userLocale,
}: {
  t: Translate
  receipt: Receipt
  userLocale: UserLocale
}) {
  const { state, title, publishedAt } = receipt
  const { label, tone, explanation } = texts[state]
  return (
    <>
      {title === null ? (
        ''
      ) : (
        <p class="lead">
          <strong safe>{title}</strong>
        </p>
      )}
      {isOver(state) ? (
        <p>
          <span class={`badge ${tone}`}>{t(label)}</span>
        </p>
      ) : (
        <ReceiptSteps t={t} state={state} />
      )}
      <p>
        {t(explanation)}{' '}
        {publishedAt ? <DateTime userLocale={userLocale} at={publishedAt} dateOnly /> : ''}
      </p>
    </>
  )
}

/** The steps from the review to the newsletter, those that are done checked off. */
function ReceiptSteps({ t, state }: { t: Translate; state: (typeof steps)[number] }) {
  const present = steps.indexOf(state)
  // News that waits has not been reviewed, while every other step is reached once it is present.
  const isDone = (at: number) => at < present || (at === present && state !== 'waiting')
  return (
    <ol class="receipt-steps">
      {steps.map((step, at) => (
        <li
          class={isDone(at) ? 'done' : undefined}
          aria-current={at === present ? 'step' : undefined}
        >
          {isDone(at) ? <Icon name="check" /> : <span aria-hidden="true">{at + 1}</span>}
          {t(texts[step].label)}
        </li>
      ))}
    </ol>
  )
}

async function isMember({ deps, signedIn }: ConsoleRequest, { teamId }: Receipt): Promise<boolean> {
  if (!signedIn) return false
  const memberships = await listMemberships(deps.sql, signedIn.account.id)
  return memberships.some(({ team_id }) => team_id === teamId)
}

/** The routes of the page on which the sender of news sees what happens to it, and can withdraw it. */
export const receiptPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/receipts/:team/:token', (context) => receiptPage(context), { public: true })
    .get('/receipts/:team/:token/withdraw', confirmWithdrawal, { public: true })
    .post('/receipts/:team/:token/withdraw', onceSignedOut(withdraw), { public: true })
