import { Elysia } from 'elysia'
import type { Newsletter } from '../../../contract/newsletter.ts'
import {
  getNewsletter,
  previewNewsletter,
  requireNewsletter,
} from '../../../features/newsletters/index.ts'
import { CopyField } from '../../components/form/copy-field.tsx'
import { Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { redirect } from '../../http/responses.ts'
import { can } from '../../roles.ts'
import { contentHash, Warnings } from './composer/preview-panel.tsx'
import { NewsletterHeader } from './header.tsx'
import { PostToChat } from './post-to-chat.tsx'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context

  const id = context.params['id'] ?? ''
  const [{ newsletter }, preview] = await Promise.all([
    getNewsletter(context.ctx, id),
    previewNewsletter(context.ctx, id),
  ])
  return await layout(
    context,
    { title: `Export: ${newsletter.title}`, section: 'newsletters', scripts: ['export.js'] },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="export" />
      <Warnings reader={context.reader} warnings={preview.warnings} />
      <div class="columns export">
        <Outlook path={`/newsletters/${id}`} />
        <Gmail path={`/newsletters/${id}`} />
        <OtherTools path={`/newsletters/${id}`} />
      </div>
      <PostToChat context={context} newsletter={newsletter} />
      <div class="narrow">
        <CopyField t={t} id="subject" label="Subject" value={preview.subject} />
        {newsletter.status === 'sent' ? null : (
          <MarkAsSent
            context={context}
            newsletter={newsletter}
            previewHash={contentHash(preview.html)}
          />
        )}
      </div>
      <p id="toast" class="toast" role="status"></p>
    </>,
  )
}

function Outlook({ path }: { path: string }) {
  return (
    <section class="card">
      <h2>Outlook</h2>
      <p>
        Opens as a new message with subject and content. Choose the recipients, check it and send
        it.
      </p>
      <a class="button" href={`${path}/eml`} download="">
        <Icon name="mail" />
        Download .eml
      </a>
    </section>
  )
}

function Gmail({ path }: { path: string }) {
  return (
    <section class="card">
      <h2>Gmail</h2>
      <p>Copy the newsletter, paste it into a new message, then copy the subject from below.</p>
      <button type="button" data-copy-email={`${path}/html?copy`} data-requires-script hidden>
        <Icon name="copy" />
        Copy for Gmail
      </button>
      <noscript>
        <a class="button" href={`${path}/html?copy`}>
          Open it, select all and copy
        </a>
      </noscript>
    </section>
  )
}

function OtherTools({ path }: { path: string }) {
  return (
    <section class="card">
      <h2>Other tools</h2>
      <p>The newsletter as HTML, for mailing tools and intranets.</p>
      <div class="row">
        <button type="button" data-copy-source={`${path}/html?copy`} data-requires-script hidden>
          <Icon name="copy" />
          Copy HTML
        </button>
        <a class="button" href={`${path}/html?file`} download="">
          Download .html
        </a>
      </div>
    </section>
  )
}

interface MarkAsSentProps {
  context: MemberRequest
  newsletter: Newsletter
  /** The hash of the email on this page. */
  previewHash: string
}

function MarkAsSent({ context, newsletter, previewHash }: MarkAsSentProps) {
  if (!can(context.member.role, 'editor')) return ''
  if (newsletter.status !== 'ready') {
    return <p class="muted">Mark the newsletter as ready first. Then you can mark it as sent.</p>
  }
  return (
    <section class="card">
      <h2>Mark as sent</h2>
      <p>
        When you have sent the newsletter, mark it as sent. It is archived as it is now, and its
        blocks become used. You can undo this for ten minutes.
      </p>
      <Form context={context} action={`/newsletters/${newsletter.id}/status`}>
        <input type="hidden" name="version" value={String(newsletter.version)} />
        <input type="hidden" name="preview_hash" value={previewHash} />
        <input type="hidden" name="page" value="export" />
        <div class="check">
          <input id="confirm" type="checkbox" name="confirm" value="on" required />
          <label for="confirm">I have sent this newsletter</label>
        </div>
        <button type="submit" class="primary" name="to" value="sent">
          Mark as sent
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
