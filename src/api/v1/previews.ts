import { Elysia } from 'elysia'
import { described } from '../../contract/described.ts'
import { Preview, PreviewReceipt, PreviewRequest } from '../../contract/newsletters/preview.ts'
import { previewNewsletter } from '../../features/newsletters/index.ts'
import { requireMemberAddresses, sendPreview } from '../../features/previews/index.ts'
import { inputErrorsOf } from '../../lib/errors.ts'
import { toBody } from '../../lib/http/index.ts'
import { validPartOf } from '../../lib/parse.ts'
import { type Access, access } from '../access.ts'
import { prefersHtml } from '../conditional-requests.ts'
import type { ApiDeps } from '../deps.ts'
import { document } from '../openapi/operation.ts'
import { resource, responses } from '../response.ts'
import { requireNewsletterInPath } from './newsletters.ts'

// Many people wrote what is inside: nothing in it may run, or reach this origin.
const sandbox =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const example = {
  preview: {
    html: '<!doctype html><html lang="en">…</html>',
    text: 'November news\nAcme · November 30, 2026\n…',
    subject_line: 'What November brought',
    warnings: ['“Version 2 is out” is still a draft.'],
  },
}

const exampleReceipt = {
  id: 'pv_019a9f40b7e17a11c2d3e4f5a6b7c8d9',
  recipients: ['ada@example.com'],
  queued_at: '2026-11-20T09:32:00.000Z',
}

export const PreviewResponse = resource({
  preview: described(Preview, 'The newsletter as an email.', example.preview),
})
export const PreviewReceiptResponse = resource({
  preview: described(PreviewReceipt, 'The preview that is queued.', exampleReceipt),
})

const findErrors: NonNullable<Access['findErrors']> = async (ctx, input) => {
  const { recipients } = validPartOf(PreviewRequest, input)
  return await inputErrorsOf(() => recipients && requireMemberAddresses(ctx, recipients))
}

/** `/newsletters/:id/preview` and `/send_preview`. */
export const previews = (deps: ApiDeps) =>
  new Elysia({ prefix: '/newsletters/:id', tags: ['Newsletters'] })
    .use(access(deps))
    .get(
      '/preview',
      ({ ctx, params, request, set }) => {
        set.headers['vary'] = 'accept'
        const preview = previewNewsletter(ctx, { id: params.id, forReaders: true })
        return prefersHtml(request) ? pageOf(preview) : dataOf(preview)
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: PreviewResponse }),
        detail: document({
          operationId: 'previewNewsletter',
          summary: 'Preview a newsletter',
          description:
            'The email as it would be sent now, or as it was sent: as data with warnings, or with `Accept: text/html` as the page itself.',
          requestHeaders: { Accept: '`text/html` for the page; anything else for JSON.' },
          responses: { 200: { description: 'The email.', example, html: true } },
        }),
      },
    )
    .post(
      '/send_preview',
      ({ params, body, write }) =>
        write(async (ctx) => {
          const preview = await sendPreview(
            { ...ctx, queue: deps.queue },
            { newsletterId: params.id, ...body },
          )
          return { status: 202, body: { preview } }
        }),
      {
        access: { scope: 'send_preview', requireResource: requireNewsletterInPath, findErrors },
        body: PreviewRequest,
        response: responses({ 202: PreviewReceiptResponse }),
        detail: document({
          operationId: 'sendNewsletterPreview',
          summary: 'Email a preview to members of the team',
          description:
            'To `recipients`, each of whom must be a member of the team; without them, to the person who created the key, or to the admins of the team when it was created on the command line. `note` is at the top. A team can send 100 preview emails a day (UTC). Emails are sent in the background and retried for a day.',
          bodyExample: { recipients: ['ada@example.com'], note: 'Please check the second item.' },
          responses: {
            202: { description: 'The emails are queued.', example: { preview: exampleReceipt } },
          },
          errors: ['preview_limit_reached'],
        }),
      },
    )

async function dataOf(loading: Promise<Preview>) {
  const { html, text, subject_line, warnings } = await loading
  return { preview: { html, text, subject_line, warnings } }
}

async function pageOf(loading: Promise<Preview>) {
  const { html } = await loading
  return new Response(toBody(html), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': sandbox },
  })
}
