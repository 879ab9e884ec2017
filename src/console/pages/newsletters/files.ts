import { getNewsletter, previewNewsletter } from '../../../features/newsletters/index.ts'
import { forColorScheme } from '../../../features/templates/index.ts'
import { draftFile } from '../../../lib/eml.ts'
import { type MemberRequest, page, type Route } from '../../page.ts'
import { framed } from '../../responses.ts'

async function mailOf(visit: MemberRequest) {
  const { sql, now } = visit.deps
  return await previewNewsletter(sql, visit.teamId, visit.params['id'] ?? '', now())
}

const html = page('/newsletters/:id/html', 'viewer', async (visit) => {
  const mail = await mailOf(visit)
  const asked = visit.url.searchParams
  if (asked.has('file')) {
    const response = framed(mail.html)
    response.headers.set('content-disposition', await attachment(visit, 'html'))
    return response
  }
  const scheme = (['light', 'dark'] as const).find((one) => one === asked.get('scheme'))
  return framed(scheme ? forColorScheme(mail.html, scheme) : mail.html)
})

const eml = page('/newsletters/:id/eml', 'viewer', async (visit) => {
  const { subject, html, text } = await mailOf(visit)
  const { name, email } = visit.signedIn.account
  const file = await draftFile({ from: { name, address: email }, subject, html, text })
  return new Response(new Uint8Array(file), {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': await attachment(visit, 'eml'),
    },
  })
})

/** A file named after the newsletter (RFC 6266): ASCII for old programs, and all its letters. */
async function attachment(visit: MemberRequest, extension: string): Promise<string> {
  const { sql } = visit.deps
  const { newsletter } = await getNewsletter(sql, visit.teamId, visit.params['id'] ?? '')
  const whole = newsletter.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const name = [...whole].slice(0, 60).join('') || 'newsletter'
  const plain = name.normalize('NFKD').replaceAll(/[^\w-]/g, '') || 'newsletter'
  const letters = encodeURIComponent(`${name}.${extension}`)
  return `attachment; filename="${plain}.${extension}"; filename*=UTF-8''${letters}`
}

/** A newsletter as a mail: to look at in a frame, and to take away. */
export const newsletterFileRoutes: readonly Route[] = [html, eml]
