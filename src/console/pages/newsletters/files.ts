import { Elysia } from 'elysia'
import {
  forColorScheme,
  getNewsletter,
  previewNewsletter,
} from '../../../features/newsletters/index.ts'
import { draftFile } from '../../../lib/eml.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { framed, showsImages } from '../../http/responses.ts'

async function mailOf(context: MemberRequest) {
  const { sql, now } = context.deps
  return await previewNewsletter(sql, context.teamId, context.params['id'] ?? '', now())
}

async function html(context: MemberRequest): Promise<Response> {
  const mail = await mailOf(context)
  const asked = context.url.searchParams
  if (asked.has('file')) {
    const response = framed(mail.html, { images: false })
    response.headers.set('content-disposition', await attachment(context, 'html'))
    return response
  }
  const scheme = (['light', 'dark'] as const).find((one) => one === asked.get('scheme'))
  const shown = scheme ? forColorScheme(mail.html, scheme) : mail.html
  return framed(shown, { images: showsImages(context) })
}

async function eml(context: MemberRequest): Promise<Response> {
  const { subject, html, text } = await mailOf(context)
  const { name, email } = context.signedIn.account
  const file = await draftFile({ from: { name, address: email }, subject, html, text })
  return new Response(new Uint8Array(file), {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': await attachment(context, 'eml'),
    },
  })
}

/** A file named after the newsletter (RFC 6266): ASCII for old programs, and all its letters. */
async function attachment(context: MemberRequest, extension: string): Promise<string> {
  const { sql } = context.deps
  const { newsletter } = await getNewsletter(sql, context.teamId, context.params['id'] ?? '')
  const whole = newsletter.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const name = [...whole].slice(0, 60).join('') || 'newsletter'
  const plain = name.normalize('NFKD').replaceAll(/[^\w-]/g, '') || 'newsletter'
  const letters = encodeURIComponent(`${name}.${extension}`)
  return `attachment; filename="${plain}.${extension}"; filename*=UTF-8''${letters}`
}

/** A newsletter as a mail: to look at in a frame, and to take away. */
export const newsletterFilePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/html', html, { role: 'viewer' })
    .get('/newsletters/:id/eml', eml, { role: 'viewer' })
