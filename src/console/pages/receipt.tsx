import { Elysia } from 'elysia'
import { listMemberships } from '../../features/members/index.ts'
import { getReceipt, type Receipt, type ReceiptState } from '../../features/receipts/index.ts'
import { DateTime } from '../components/date-time.tsx'
import { bareLayout } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, ConsoleRequest } from '../http/context.ts'
import type { Reader } from '../http/reader.ts'

const texts: Record<ReceiptState, { label: string; tone: string; explanation: string }> = {
  waiting: {
    label: 'Waiting for review',
    tone: 'accent',
    explanation: 'An editor reads it before it appears in the newsletter.',
  },
  approved: {
    label: 'Approved',
    tone: 'success',
    explanation: 'An editor has approved it. It can appear in one of the next newsletters.',
  },
  in_newsletter: {
    label: 'In the next newsletter',
    tone: 'success',
    explanation: 'It is part of a newsletter that the editors are preparing.',
  },
  published: {
    label: 'Published',
    tone: 'success',
    explanation: 'It was sent in the newsletter. Thank you for sharing it.',
  },
  not_used: {
    label: 'Not used',
    tone: '',
    explanation:
      'The editors did not use this news, or it was withdrawn. Thank you for sharing it all the same.',
  },
}

/** The page on which the sender of news sees what happens to it. Whoever has its address can see it. */
async function receiptPage(context: ConsoleRequest): Promise<Response> {
  const { deps, params, reader } = context
  const link = { slug: params['team'] ?? '', token: params['token'] ?? '' }
  const receipt = await getReceipt(deps, link)
  const page = await bareLayout(
    context,
    { title: 'Your news' },
    <>
      <h1>Your news</h1>
      <ReceiptStatus receipt={receipt} reader={reader} />
      {(await isMember(context, receipt)) && receipt.title !== null ? (
        <p>
          <a class="button" href={`/library/${receipt.blockId}`}>
            Open in the library
          </a>
        </p>
      ) : (
        <p class="muted">Keep this page to see what happens to your news.</p>
      )}
    </>,
  )
  page.headers.set('x-robots-tag', 'noindex')
  return page
}

function ReceiptStatus({ receipt, reader }: { receipt: Receipt; reader: Reader }) {
  const { state, title, teamName, publishedAt } = receipt
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
      <p>
        <span class={`badge ${tone}`} safe>
          {label}
        </span>
        {publishedAt ? (
          <>
            {' '}
            <DateTime reader={reader} at={publishedAt} dateOnly />
          </>
        ) : (
          ''
        )}
      </p>
      <p safe>{`${explanation} Team: ${teamName}.`}</p>
    </>
  )
}

async function isMember({ deps, signedIn }: ConsoleRequest, { teamId }: Receipt): Promise<boolean> {
  if (!signedIn) return false
  const memberships = await listMemberships(deps.sql, signedIn.account.id)
  return memberships.some(({ team_id }) => team_id === teamId)
}

/** The route of the page on which the sender of news sees what happens to it. */
export const receiptPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/receipts/:team/:token', (context) => receiptPage(context), { public: true })
