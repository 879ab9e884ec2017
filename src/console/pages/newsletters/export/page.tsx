import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import {
  getNewsletter,
  previewNewsletter,
  requireNewsletter,
} from '../../../../features/newsletters/index.ts'
import { utcDay } from '../../../../lib/clock.ts'
import { attribute } from '../../../attribute.ts'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../../http/context.ts'
import { redirect } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { can } from '../../../roles.ts'
import { lacksApproval } from '../approval.tsx'
import { LiveNotices } from '../composer/live-notices.tsx'
import { Warnings } from '../composer/warnings.tsx'
import { NewsletterHeader } from '../header.tsx'
import { ShownPreview } from '../preview-hash.tsx'
import { PostToChat } from './post-to-chat.tsx'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const day = utcDay(context.deps.now())
  const [newsletter, preview] = await Promise.all([
    getNewsletter(context.ctx, id),
    previewNewsletter(context.ctx, { id, day }),
  ])
  return await layout(
    context,
    {
      title: t('newsletters.export_of', { title: newsletter.title }),
      section: 'newsletters',
      scripts: ['export.js', 'presence.js'],
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="export" />
      <LiveNotices path={`/newsletters/${id}`} />
      <Warnings context={context} notices={preview.notices} path={`/newsletters/${id}`} />
      <div class="columns export">
        <Outlook t={t} path={`/newsletters/${id}`} />
        <Gmail t={t} path={`/newsletters/${id}`} subject={preview.subject} />
        <OtherTools t={t} path={`/newsletters/${id}`} />
      </div>
      <PostToChat context={context} newsletter={newsletter} />
      <div class="narrow">
        <CopyField t={t} id="subject" label={t('newsletters.subject')} value={preview.subject} />
        {newsletter.status === 'sent' ? null : (
          <MarkAsSent
            context={context}
            newsletter={newsletter}
            shown={<ShownPreview html={preview.html} day={day} />}
          />
        )}
      </div>
    </>,
  )
}

function Outlook({ t, path }: { t: Translate; path: string }) {
  return (
    <section class="card">
      <h2>{t('newsletters.outlook')}</h2>
      <p>{t('newsletters.opens_as_a_new_message')}</p>
      <a class="button" href={`${path}/eml`} download="">
        <Icon name="mail" />
        {t('newsletters.download_eml')}
      </a>
    </section>
  )
}

/** A new message in Gmail with the subject; a real draft would need access to the mailbox (docs/adr/0038). */
const gmailAddress = (subject: string) =>
  `https://mail.google.com/mail/?${new URLSearchParams({ view: 'cm', fs: '1', su: subject })}`

function Gmail({ t, path, subject }: { t: Translate; path: string; subject: string }) {
  return (
    <section class="card">
      <h2>{t('newsletters.gmail')}</h2>
      <p>{t('newsletters.copy_the_newsletter_paste')}</p>
      <div class="row">
        <button
          type="button"
          data-copy-email={`${path}/html?copy`}
          data-requires-script
          aria-label={t('newsletters.copy_for_gmail')}
        >
          <Icon name="copy" />
          {t('common.copy')}
        </button>
        <noscript>
          <a class="button" href={`${path}/html?copy`}>
            {t('newsletters.open_it_select_all')}
          </a>
        </noscript>
        <a
          class="button"
          href={attribute(gmailAddress(subject))}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('newsletters.new_message_in_gmail')}
        >
          <Icon name="mail" />
          {t('newsletters.new_message')}
        </a>
      </div>
    </section>
  )
}

function OtherTools({ t, path }: { t: Translate; path: string }) {
  return (
    <section class="card">
      <h2>{t('newsletters.other_tools')}</h2>
      <p>{t('newsletters.the_newsletter_as_html')}</p>
      <div class="row">
        <button type="button" data-copy-source={`${path}/html?copy`} data-requires-script>
          <Icon name="copy" />
          {t('newsletters.copy_html')}
        </button>
        <a class="button" href={`${path}/html?file`} download="">
          {t('newsletters.download_html')}
        </a>
      </div>
    </section>
  )
}

interface MarkAsSentProps {
  context: MemberRequest
  newsletter: Newsletter
  /** The fields about the email of this page. */
  shown: JSX.Element
}

async function MarkAsSent({ context, newsletter, shown }: MarkAsSentProps) {
  const { t } = context
  if (!can(context.member.role, 'editor')) return ''
  if (newsletter.status !== 'ready') {
    return <p class="muted">{t('newsletters.mark_the_newsletter_as_ready')}</p>
  }
  if (await lacksApproval(context.ctx, newsletter)) {
    return <p class="muted">{t('approval.needed_before_sending')}</p>
  }
  return (
    <section class="card">
      <h2>{t('newsletters.mark_as_sent')}</h2>
      <p>{t('newsletters.when_you_have_sent')}</p>
      <Form context={context} action={`/newsletters/${newsletter.id}/status`}>
        <input type="hidden" name="version" value={String(newsletter.version)} />
        {shown as 'safe'}
        <input type="hidden" name="exported_on" />
        <input type="hidden" name="page" value="export" />
        <div class="check">
          <input id="confirm" type="checkbox" name="confirm" value="on" required />
          <label for="confirm">{t('newsletters.i_have_sent_this_newsletter')}</label>
        </div>
        <button type="submit" class="primary" name="to" value="sent">
          {t('newsletters.mark_as_sent')}
        </button>
      </Form>
    </section>
  )
}

/** Redirects from the former path. Throws `not_found`. */
async function redirectFromSend(context: MemberRequest): Promise<Response> {
  const id = context.params['id'] ?? ''
  await requireNewsletter(context.ctx, id)
  return redirect(context, `/newsletters/${id}/export`)
}

/** The page that exports a newsletter to other tools. */
export const exportPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/export', show, { role: 'viewer' })
    .get('/newsletters/:id/send', redirectFromSend, { role: 'viewer' })
