import { Elysia } from 'elysia'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { getNewsletter, previewNewsletter } from '../../../features/newsletters/index.ts'
import { CopyField } from '../../components/copy.tsx'
import { Form } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { can } from '../../roles.ts'
import { NewsletterHead } from './head.tsx'
import { contentHash, Warnings } from './preview-pane.tsx'

async function show(context: MemberRequest): Promise<Response> {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const [{ newsletter }, preview] = await Promise.all([
    getNewsletter(sql, context.teamId, id),
    previewNewsletter(sql, context.teamId, id, now()),
  ])
  return await layout(
    context,
    { title: `Hand over: ${newsletter.title}`, section: 'newsletters', scripts: ['hand-over.js'] },
    <>
      <NewsletterHead context={context} newsletter={newsletter} at="send" />
      <Warnings warnings={preview.warnings} />
      <div class="columns hand-over">
        <Outlook path={`/newsletters/${id}`} />
        <Gmail path={`/newsletters/${id}`} />
        <Elsewhere path={`/newsletters/${id}`} />
      </div>
      <div class="narrow">
        <CopyField id="subject" label="Subject" value={preview.subject} />
        {newsletter.status === 'sent' ? null : (
          <Sent context={context} newsletter={newsletter} seen={contentHash(preview.html)} />
        )}
      </div>
      <p id="said" class="toast" role="status"></p>
    </>,
  )
}

function Outlook({ path }: { path: string }) {
  return (
    <section class="card">
      <h2>Outlook</h2>
      <p>
        Opens as a new message with subject and content in place. Choose who gets it, look it over,
        and send.
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
      <button type="button" data-copy-mail={`${path}/html`} data-script hidden>
        <Icon name="copy" />
        Copy for Gmail
      </button>
      <noscript>
        <a class="button" href={`${path}/html`}>
          Open it, select all and copy
        </a>
      </noscript>
    </section>
  )
}

function Elsewhere({ path }: { path: string }) {
  return (
    <section class="card">
      <h2>Any other tool</h2>
      <p>The page as HTML, for mailing tools and intranets that take it.</p>
      <div class="row">
        <button type="button" data-copy-source={`${path}/html`} data-script hidden>
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

interface SentProps {
  context: MemberRequest
  newsletter: Newsletter
  /** Stands for the mail as it looked on this page. */
  seen: string
}

function Sent({ context, newsletter, seen }: SentProps) {
  if (!can(context.member.role, 'editor')) return ''
  if (newsletter.status !== 'ready') {
    return <p class="quiet">When it is finished, mark it ready. Then it can be marked as sent.</p>
  }
  return (
    <section class="card">
      <h2>Sent it?</h2>
      <p>
        Then say so: the issue is kept in the archive exactly as it is now, and its blocks become
        used. This cannot be taken back.
      </p>
      <Form context={context} action={`/newsletters/${newsletter.id}/status`}>
        <input type="hidden" name="version" value={String(newsletter.version)} />
        <input type="hidden" name="seen" value={seen} />
        <input type="hidden" name="at" value="send" />
        <div class="check">
          <input id="confirm" type="checkbox" name="confirm" value="on" required />
          <label for="confirm">I have sent it to its readers</label>
        </div>
        <button type="submit" class="primary" name="to" value="sent">
          Mark as sent
        </button>
      </Form>
    </section>
  )
}

/** How an issue gets from here to its readers. */
export const exportPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/newsletters/:id/send', show, { role: 'viewer' })
