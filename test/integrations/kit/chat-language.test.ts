import { describe, expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import messageCommand from '../../../integrations/discord/fixtures/message-command.json'
import win from '../../../integrations/discord/fixtures/win.json'
import { loadAdapters } from '../../../integrations/index.ts'
import command from '../../../integrations/mattermost/fixtures/command.json'
import kudos from '../../../integrations/teams/fixtures/kudos.json'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { fixtureTime, post, runAdapter } from '../../support/adapters.ts'

const adapters = await loadAdapters()

function adapterOf(slug: string) {
  const adapter = adapters.get(slug)
  if (adapter === undefined) throw new Error(`there is no adapter ${slug}`)
  return adapter
}

/** What the chat shows in response to a request. */
async function replyTo(
  slug: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  settings: object,
  language: Language,
): Promise<string> {
  const { received } = await runAdapter(adapterOf(slug), post(headers, body), settings, {
    language,
  })
  return JSON.stringify('reply' in received ? received.reply?.body : undefined)
}

function mattermost(text: string, language: Language, settings: object = {}) {
  const body = new URLSearchParams({ ...command.body, text }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { token } = command.body
  return replyTo('mattermost', { headers, body }, { token, ...settings }, language)
}

function teams(text: string, language: Language) {
  const key = Buffer.from('key of the tests')
  const body = JSON.stringify({ ...kudos.body, text })
  const authorization = `HMAC ${createHmac('sha256', key).update(body).digest('base64')}`
  const headers = { ...kudos.headers, authorization }
  return replyTo('teams', { headers, body }, { security_token: key.toString('base64') }, language)
}

const keys = generateKeyPairSync('ed25519')
const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)

function discord(interaction: object, language: Language, settings: object = {}) {
  const body = JSON.stringify(interaction)
  const time = String(fixtureTime.getTime() / 1000)
  const signature = sign(null, Buffer.from(time + body), keys.privateKey).toString('hex')
  const headers = {
    ...win.headers,
    'x-signature-timestamp': time,
    'x-signature-ed25519': signature,
  }
  const base = { public_key: publicKey.toString('hex'), ...settings }
  return replyTo('discord', { headers, body }, base, language)
}

const server = { server_url: new URL(command.body.response_url).origin }

describe('replies of chats are in the language of the team', () => {
  test('Mattermost says that something was saved, and how to save', async () => {
    expect(await mattermost('win Wir sind da', 'de')).toContain('Für den Newsletter gespeichert.')
    expect(await mattermost('win C’est prêt', 'fr', server)).toContain('Le lien suivra ici')
    expect(await mattermost('help', 'nl')).toContain('bewaart een succes voor de nieuwsbrief.')
    expect(await mattermost('dzień dobry', 'pl')).toContain('zapisuje sukces do newslettera.')
    expect(await mattermost(`win ${'a'.repeat(70_000)}`, 'es')).toContain('no se guardó nada.')
  })

  test('Microsoft Teams says that something was saved, and how to save', async () => {
    expect(await teams('<at>Tidings</at> win Klart', 'sv')).toContain('Sparat till nyhetsbrevet.')
    expect(await teams('<at>Tidings</at> help', 'it')).toContain('salva un successo')
    expect(await teams('<at>Tidings</at> bom dia', 'pt')).toContain('salva uma conquista')
  })

  test('Discord says that something was saved, and has its form in the language', async () => {
    expect(await discord(win.body, 'ja')).toContain(
      '保存しました。まもなくここにリンクを表示します。',
    )
    const elsewhere = { server_ids: ['1'] }
    expect(await discord(win.body, 'fr', elsewhere)).toContain('newsletter d’un autre serveur')
    const form = await discord(messageCommand.body, 'es')
    for (const words of [
      'Para el boletín',
      'Título',
      'Texto',
      'Tipo',
      'Éxito o hito',
      'Escrito por',
    ])
      expect(form).toContain(words)
    expect(form).not.toMatch(/newsletter|Kind|Written/)
  })
})
