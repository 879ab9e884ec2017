import * as v from 'valibot'
import { Preview, PreviewReceipt, PreviewRequest } from '../../contract/preview.ts'
import { previewNewsletter } from '../../features/newsletters/index.ts'
import { sendPreview } from '../../features/previews/index.ts'
import { prefersHtml } from '../conditions.ts'
import { operation } from '../operation.ts'
import { findNewsletter } from './newsletters.ts'

// What is inside comes from many hands: nothing in it may run, or reach this origin.
const sandbox =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

export const showPreview = operation({
  method: 'GET',
  path: '/newsletters/:id/preview',
  tag: 'Newsletters',
  summary: 'Preview a newsletter',
  description:
    'The mail as it would be sent now, or as it was sent: as data with warnings, or with `Accept: text/html` as the page itself.',
  scope: 'read',
  requestHeaders: { Accept: '`text/html` for the page; anything else for JSON.' },
  answers: {
    200: {
      description: 'The mail.',
      schema: v.strictObject({ preview: Preview }),
      example: {
        preview: {
          html: '<!doctype html><html lang="en">…</html>',
          text: 'November news\nAcme · November 30, 2026\n…',
          subject_line: 'What November brought',
          warnings: ['“Version 2 is out” is still a draft.'],
        },
      },
      html: true,
    },
  },
  work: {
    async read({ sql, now }, { caller, params, request }) {
      const preview = await previewNewsletter(sql, caller.teamId, params['id'] ?? '', now())
      const headers = { vary: 'accept' }
      if (prefersHtml(request)) {
        const policy = { 'content-security-policy': sandbox }
        return { status: 200, headers: { ...headers, ...policy }, html: preview.html }
      }
      const { html, text, subject_line, warnings } = preview
      return { status: 200, headers, body: { preview: { html, text, subject_line, warnings } } }
    },
  },
})

export const sendPreviewOperation = operation({
  method: 'POST',
  path: '/newsletters/:id/send_preview',
  tag: 'Newsletters',
  summary: 'Mail a preview to members of the team',
  description:
    'To `recipients`, each of whom must be a member of the team; without them, to the person who made the key, or to the admins of the team when it was made on the command line. `note` stands on top. A team may send 100 preview mails a day (UTC). Mail leaves in the background and is tried again for a day.',
  scope: 'send_preview',
  body: PreviewRequest,
  bodyExample: { recipients: ['ada@example.com'], note: 'Please look at the second item.' },
  answers: {
    202: {
      description: 'The mails are on their way.',
      schema: v.strictObject({ preview: PreviewReceipt }),
      example: {
        preview: {
          id: 'pv_019a9f40b7e17a11c2d3e4f5a6b7c8d9',
          recipients: ['ada@example.com'],
          queued_at: '2026-11-20T09:32:00.000Z',
        },
      },
    },
  },
  errors: ['preview_limit_reached'],
  find: findNewsletter,
  work: {
    async write({ now }, { caller, params, body }, tx) {
      const receipt = await sendPreview(tx, now, caller, params['id'] ?? '', body)
      return { status: 202, body: { preview: receipt } }
    },
  },
})
