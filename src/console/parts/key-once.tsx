import type { Scope } from '../../contract/vocabulary.ts'
import type { Visit } from '../page.ts'
import { Command, CopyField } from './copy.tsx'
import { Icon } from './icon.tsx'
import { settingsScreen } from './settings.tsx'

interface NewKey {
  name: string
  token: string
  scopes: readonly Scope[]
  /** What happens to the key it replaces. */
  note?: string
}

/** The one page that ever shows a key's value, in the answer to the form that made it. */
export async function keyOnceScreen(
  visit: Visit,
  { name, token, scopes, note }: NewKey,
): Promise<Response> {
  return await settingsScreen(
    visit,
    { tab: '/settings/keys', title: `The key “${name}”` },
    <div class="narrow">
      <p class="notice warn">
        <Icon name="warning" /> This is the only time you see it. Copy it now, and keep it like a
        password.
      </p>
      {note ? <p safe>{note}</p> : null}
      <CopyField id="key" label="Key" value={token} />
      <h2>Try it</h2>
      <p>
        {scopes.includes('write')
          ? 'In a terminal, this adds a first item to the library:'
          : 'In a terminal, this tells whose key it is:'}
      </p>
      <Command id="try" what="the command" text={tryCommand(visit.deps.baseUrl, token, scopes)} />
      <p class="row">
        <a class="button" href="/library">
          Look at the library
        </a>
        <a href="/docs">API documentation</a>
      </p>
    </div>,
  )
}

function tryCommand(baseUrl: string, token: string, scopes: readonly Scope[]): string {
  const bearer = `-H 'Authorization: Bearer ${token}'`
  if (!scopes.includes('write')) return `curl ${baseUrl}/api/v1/ping ${bearer}`
  return [
    `curl ${baseUrl}/api/v1/webhooks/ingest`,
    bearer,
    "-H 'Content-Type: application/json'",
    `-d '{"title": "Hello from the terminal", "body": "Our first piece of news."}'`,
  ].join(' \\\n  ')
}
