import { makeKey } from '../../features/access/index.ts'
import { action, NoFields, page, type Route } from '../page.ts'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageHead, screen } from '../parts/screen.tsx'
import { recordVisit } from '../record.ts'
import { showKeyOnce } from './settings/key-value.tsx'

const show = page('/welcome', 'admin', (visit) =>
  screen(
    visit,
    { title: 'Welcome', section: null },
    <>
      <PageHead
        title={`Welcome, ${visit.member.name}`}
        lead="Your team is ready. Three things make it useful; none of them takes long."
      />
      <ol class="steps">
        <li class="card">
          <h2>Bring the first item in</h2>
          <p>
            A key lets a program add news. The next page shows it, with a command to try it with.
          </p>
          <Form visit={visit} action="/welcome">
            <button type="submit" class="primary">
              <Icon name="key" />
              Make a key
            </button>
          </Form>
        </li>
        <li class="card">
          <h2>Connect the tools you use</h2>
          <p>Chat, HR systems and trackers tell their news by themselves.</p>
          <a class="button" href="/integrations">
            <Icon name="integrations" />
            See integrations
          </a>
        </li>
        <li class="card">
          <h2>Invite your colleagues</h2>
          <p>Editors write and put issues together. Viewers read along.</p>
          <a class="button" href="/settings/members">
            <Icon name="people" />
            Invite somebody
          </a>
        </li>
      </ol>
    </>,
  ),
)

const firstKey = action('/welcome', 'admin', {
  form: NoFields,
  async act(visit) {
    const { sql, now } = visit.deps
    const name = 'First steps'
    const scopes = ['read' as const, 'write' as const]
    const made = await makeKey(
      sql,
      now,
      visit.teamId,
      {
        ...{ name, scopes, provider: null, expires_at: null },
        ...{ ingest_only: false, allow_auto_ready: true },
      },
      visit.member.id,
    )
    await recordVisit(visit, 'key_created', name)
    return showKeyOnce(visit, made)
  },
})

/** The first page after the set-up. */
export const welcomeRoutes: readonly Route[] = [show, firstKey]
