import { Elysia } from 'elysia'
import { embedImages, inlineImages } from '../../../../features/images/index.ts'
import {
  exportNewsletter,
  forColorScheme,
  previewNewsletter,
} from '../../../../features/newsletters/index.ts'
import { draftFile } from '../../../../lib/mail/eml.ts'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { emailFrame } from '../../../http/email-frame.ts'
import { showsImages } from '../../../http/responses.ts'
import { viewOf } from '../composer/view.ts'

const newsletterId = (context: MemberRequest) => context.params['id'] ?? ''

/** The email as HTML: a preview for a frame, or an export with `?file` or `?copy`. */
async function showHtml(context: MemberRequest): Promise<Response> {
  const { ctx, url, deps } = context
  const { baseUrl } = deps
  const id = newsletterId(context)
  const format = url.searchParams.has('file') ? 'html' : 'copy'
  if (format === 'html' || url.searchParams.has('copy')) {
    const { title, ...exported } = await exportNewsletter(ctx, { id, format })
    const html = await inlineImages(context.deps.images, exported.html)
    const response = emailFrame(html, {
      baseUrl,
      images: format === 'copy' && showsImages(context) ? 'all' : 'none',
    })
    if (format === 'html') {
      response.headers.set('content-disposition', contentDisposition(title, 'html'))
    }
    return response
  }
  const marked = url.searchParams.has('marked')
  const { html } = await previewNewsletter(ctx, { id, marked })
  const { scheme, images } = viewOf(url.searchParams)
  return emailFrame(url.searchParams.has('scheme') ? forColorScheme(html, scheme) : html, {
    baseUrl,
    images,
    measurable: marked,
    compressedFor: context.request,
  })
}

async function downloadEml(context: MemberRequest): Promise<Response> {
  const input = { id: newsletterId(context), format: 'eml' as const }
  const { subject, text, title, ...exported } = await exportNewsletter(context.ctx, input)
  const { html, images } = await embedImages(context.deps.images, exported)
  const { name, email } = context.signedIn.account
  const file = await draftFile({ from: { name, address: email }, subject, html, text, images })
  return new Response(new Uint8Array(file), {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': contentDisposition(title, 'eml'),
    },
  })
}

/** The `Content-Disposition` header of a download (RFC 6266), with an ASCII file name for old programs. */
function contentDisposition(title: string, extension: string): string {
  const whole = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
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
