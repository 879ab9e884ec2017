import { Elysia } from 'elysia'
import {
  forColorScheme,
  getNewsletter,
  previewNewsletter,
} from '../../../features/newsletters/index.ts'
import { draftFile } from '../../../lib/eml.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { emailFrame, showsImages } from '../../http/responses.ts'

async function renderEmail(context: MemberRequest) {
  return await previewNewsletter(context.ctx, context.params['id'] ?? '')
}

async function showHtml(context: MemberRequest): Promise<Response> {
  const email = await renderEmail(context)
  const params = context.url.searchParams
  if (params.has('file')) {
    const response = emailFrame(email.html, { images: false })
    response.headers.set('content-disposition', await contentDisposition(context, 'html'))
    return response
  }
  const scheme = (['light', 'dark'] as const).find((one) => one === params.get('scheme'))
  const shown = scheme ? forColorScheme(email.html, scheme) : email.html
  return emailFrame(shown, { images: showsImages(context) })
}

async function downloadEml(context: MemberRequest): Promise<Response> {
  const { subject, html, text } = await renderEmail(context)
  const { name, email } = context.signedIn.account
  const file = await draftFile({ from: { name, address: email }, subject, html, text })
  return new Response(new Uint8Array(file), {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': await contentDisposition(context, 'eml'),
    },
  })
}

/** The `Content-Disposition` header of a download (RFC 6266), with an ASCII file name for old programs. */
async function contentDisposition(context: MemberRequest, extension: string): Promise<string> {
  const { newsletter } = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const whole = newsletter.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const name = [...whole].slice(0, 60).join('') || 'newsletter'
  const plain = name.normalize('NFKD').replaceAll(/[^\w-]/g, '') || 'newsletter'
  const letters = encodeURIComponent(`${name}.${extension}`)
  return `attachment; filename="${plain}.${extension}"; filename*=UTF-8''${letters}`
}

/** Routes that return a newsletter as a file. */
export const newsletterFilePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/html', showHtml, { role: 'viewer' })
    .get('/newsletters/:id/eml', downloadEml, { role: 'viewer' })
