import { Elysia } from 'elysia'
import { renderSVG } from 'uqr'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { displayedEmail, withoutOwnLink } from '../../../../features/archive/index.ts'
import { getNewsletter } from '../../../../features/newsletters/index.ts'
import {
  createPreviewLink,
  openPreviewLink,
  previewLinkHours,
} from '../../../../features/previews/index.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, ConsoleRequest, MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, withCookies } from '../../../http/responses.ts'
import { archiveResponse, emailPolicy } from '../../archive/response.ts'
import { NewsletterHeader } from '../header.tsx'

const newsletterId = ({ params }: MemberRequest) => params['id'] ?? ''
const subjectOf = (id: string) => `newsletter ${id} on a phone`

/** The button that shows a QR code, or why a phone cannot open it. */
export function PhonePreview({
  context,
  newsletter,
}: {
  context: MemberRequest
  newsletter: Newsletter
}) {
  const { t, deps } = context
  return (
    <section class="card" aria-labelledby="phone-title">
      <h2 id="phone-title">{t('newsletters.on_your_phone')}</h2>
      {deps.phoneUrl() === null ? (
        <p safe>{t('newsletters.phone_cannot_open', { address: deps.baseUrl })}</p>
      ) : (
        <>
          <p>{t('newsletters.a_code_shows_the_newsletter')}</p>
          <Form context={context} action={`/newsletters/${newsletter.id}/phone`}>
            <button type="submit">
              <Icon name="phone" />
              {t('newsletters.create_a_code')}
            </button>
          </Form>
        </>
      )}
    </section>
  )
}

async function create(context: MemberRequest): Promise<Response> {
  const { deps, signedIn } = context
  const id = newsletterId(context)
  if (deps.phoneUrl() === null) return redirect(context, `/newsletters/${id}/preview`)
  const path = await createPreviewLink(context.ctx, id)
  const cookie = deps.oneTimeCookie.set(signedIn.sessionId, subjectOf(id), path)
  return redirect(context, `/newsletters/${id}/phone`, { cookies: [cookie] })
}

/** Shows the QR code, once and only directly after its creation. */
async function show(context: MemberRequest): Promise<Response> {
  const { t, deps, signedIn, request } = context
  const id = newsletterId(context)
  const newsletter = await getNewsletter(context.ctx, id)
  const cookies = request.headers.get('cookie') ?? ''
  const taken = deps.oneTimeCookie.consume(cookies, signedIn.sessionId, subjectOf(id))
  const phoneUrl = deps.phoneUrl()
  if (!taken || phoneUrl === null) return redirect(context, `/newsletters/${id}/preview`)
  const address = phoneUrl + taken.value
  // Sound: the library draws it from the address, which has no characters of HTML.
  const qrCode = renderSVG(address, { border: 2 })
  const response = await layout(
    context,
    { title: t('newsletters.on_your_phone'), section: 'newsletters' },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="preview" />
      <div class="narrow">
        <h2>{t('newsletters.on_your_phone')}</h2>
        <div class="qr-code" role="img" aria-label={t('newsletters.qr_code')}>
          {qrCode as 'safe'}
        </div>
        <p safe>{t('newsletters.scan_the_code', { hours: previewLinkHours })}</p>
        {phoneUrl === deps.baseUrl ? null : <p>{t('newsletters.phone_in_the_same_network')}</p>}
        <CopyField t={t} id="preview-link" label={t('newsletters.link')} value={address} />
        <p>
          <a href={`/newsletters/${id}/preview`}>{t('newsletters.send_it_by_email')}</a>
        </p>
      </div>
    </>,
  )
  return withCookies(response, [taken.clear])
}

/** The newsletter for everybody with the link. */
async function open(context: ConsoleRequest): Promise<Response> {
  const { deps, params, t } = context
  const link = { slug: params['team'] ?? '', token: params['token'] ?? '' }
  const { newsletterId: id, teamName, subject, html, isSent } = await openPreviewLink(deps, link)
  // The link of a preview must not lead to all newsletters of the team.
  const email = displayedEmail(withoutOwnLink(html, id))
  // A phone cannot load images from the address that only this computer can open.
  const content = email.body.replaceAll(` src="${deps.baseUrl}/`, ' src="/')
  const body = await (
    <html lang={t.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title safe>{subject}</title>
        <style>{`${email.styles}\n${bannerStyles}` as 'safe'}</style>
      </head>
      <body style={email.background ? `background-color:${email.background}` : undefined}>
        <p class="preview-banner" safe>
          {t(isSent ? 'newsletters.preview_for' : 'newsletters.preview_not_sent', {
            team: teamName,
          })}
        </p>
        <main>{content as 'safe'}</main>
      </body>
    </html>
  )
  return archiveResponse(context, {
    body: `<!doctype html>${body}`,
    contentType: 'text/html; charset=utf-8',
    policy: emailPolicy,
  })
}

// The sandbox has no origin, so that the page contains its styles.
const bannerStyles =
  'body{margin:0}.preview-banner{margin:0;padding:10px 16px;background:#1d1a26;color:#fff;font:14px/1.4 system-ui,sans-serif;text-align:center}'

/** Routes of previews on a phone. */
export const phonePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/phone', show, { role: 'editor' })
    .post('/newsletters/:id/phone', once(create), { role: 'editor' })
    .get('/preview/:team/:token', open, { public: { session: false } })
