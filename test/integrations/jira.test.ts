import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import resolved from '../../integrations/jira/fixtures/issue_updated.resolved.json'
import { sign } from '../../integrations/jira/fixtures/sign.ts'
import released from '../../integrations/jira/fixtures/version_released.json'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const common = {
  slug: 'jira',
  setting: 'secret',
  secrets: ['curlew', 'plover', 'snipe'],
  sign: (body: string, { secret = '' }) => sign(body, { secret }),
} as const
const versions = await openHook({ ...common, fixture: released })
const issues = await openHook({
  ...common,
  fixture: resolved,
  settings: { issue_labels: 'newsletter' },
})

const withVersion = (version: object) => ({
  ...released.body,
  version: { ...released.body.version, ...version },
})
const withIssue = (fields: object, issue: object = {}) => ({
  ...resolved.body,
  issue: {
    ...resolved.body.issue,
    fields: { ...resolved.body.issue.fields, ...fields },
    ...issue,
  },
})
const json = JSON.stringify

testSignature(versions, 'x-hub-signature')
testUnreadable(versions, {
  body: json(withVersion({ id: 'canary-7f3a' })),
  reason: 'jira:version_released: version.id is not as Jira documents it',
})

describe('Jira versions', () => {
  testHostileText(versions, (name) => withVersion({ name }))

  test.each([
    ['Apollo 1.0', 'Apollo 1.0 is out'],
    ['Apollo for Android v5.2.1', 'Apollo for Android v5.2.1 is out'],
    ['iOS 5.2', 'iOS 5.2 is out'],
    ['v5.2', 'Version v5.2 is out'],
    ['Version 5.2', 'Version 5.2 is out'],
  ])('without a label, the Jira version %s has the title %s', async (name, title) => {
    const body = JSON.stringify(withVersion({ name }))
    expect((await versions.newsOf({ body })).title).toBe(title)
  })

  test('the title of a Jira version begins with the label of the connection', async () => {
    expect((await versions.newsOf({})).title).toBe('Version 5.2 is out')
    expect((await versions.newsOf({ settings: { label: ' Moorlog ' } })).title).toBe(
      'Moorlog 5.2 is out',
    )
  })

  test('a version of another Jira has another content key', async () => {
    const self = 'https://other.atlassian.net/rest/api/2/version/10400'
    const other = await versions.newsOf({ body: json(withVersion({ self })) })
    expect(other.external_id).not.toBe((await versions.newsOf({})).external_id)
  })

  test.each(['ftp://quillmoor.example/rest/api/2/version/1', 'nowhere', 'https://a b/rest/'])(
    'a Jira version with the address %s is refused',
    async (self) => {
      const { outcome } = await versions.send({ body: json(withVersion({ self })) })
      expect(outcome).toMatchObject({ rejected: 400 })
    },
  )

  test('a version of a Jira without https has no link', async () => {
    const self = 'http://jira.quillmoor.example/rest/api/2/version/10400'
    expect(
      (await versions.newsOf({ body: json(withVersion({ self })) })).source_url,
    ).toBeUndefined()
  })
})

describe('Jira issues', () => {
  testHostileText(issues, (summary) => withIssue({ summary }))
  testLeaks(issues, {
    kept: 'Maps work without a signal',
    leaks: [
      ...['ines.farrow@quillmoor.example', '5c5f880629be9642ba529340', 'gravatar'],
      ...['Van Dalen', 'map.db', 'Contract value', 'customfield_10030', 'High'],
    ],
  })

  test.each([
    ['newsletter', true],
    ['NewsLetter, other', true],
    ['news*', true],
    ['other', false],
    ['letter', false],
    ['', false],
  ])('with issue_labels=%s, a Jira issue makes an item: %p', async (issue_labels, news) => {
    expect('items' in (await issues.send({ settings: { issue_labels } })).outcome).toBe(news)
  })

  test.each([
    ['changed from one resolution to another', [{ field: 'resolution', from: '1', to: '2' }]],
    ['closed without a resolution', [{ field: 'status', from: '3', to: '10002' }]],
    ['given no resolution', [{ field: 'resolution', from: null, to: null }]],
    ['changed in nothing', []],
  ])('a Jira issue that was %s is ignored', async (_, items) => {
    const body = json({ ...resolved.body, changelog: { items } })
    expect((await issues.send({ body })).outcome).toHaveProperty('ignored')
  })

  test.each([
    ...['Won’t Do', 'Cannot Reproduce', 'Incomplete', 'Postponed', 'On hold'],
    ...['Abgebrochen', 'Zurückgewiesen', 'Unvollständig', 'Wird nicht erledigt'],
    ...['Incomplet', 'Annulé', 'Rejeté', 'Impossible à reproduire'],
    ...['No se solucionará', 'Rechazado', 'Não será feito', 'Wordt niet opgelost'],
    ...['By Design', 'Works as Intended', 'Superseded', 'Out of Date', 'Known Issue', 'Later'],
    ...['Works for me', 'Migrated to another ITS', 'Auto-closed', 'Insufficient information'],
    ...['Storniert', 'Doppelt', 'Kein Fehler', '対応不要', '仕様どおり'],
    ...['Annullato', 'Anulowane', 'Nie zostanie wykonane', 'Åtgärdas inte', '対応しない'],
  ])('a Jira issue with the resolution %s is not done', async (name) => {
    const body = json(withIssue({ resolution: { ...resolved.body.issue.fields.resolution, name } }))
    expect((await issues.send({ body })).outcome).toHaveProperty('ignored')
  })

  test.each([
    ...['Done', 'Fixed', 'Erledigt', 'Behoben', 'Terminé', 'Corrigé', 'Résolu', 'Hecho', 'Listo'],
    ...['Solucionado', 'Concluído', 'Resolvido', 'Gereed', 'Opgelost', 'Completato', 'Risolto'],
    ...['Done by Design', 'Moved to production', 'Installed', 'Rolled out', 'Migrated'],
    ...['Gotowe', 'Rozwiązane', 'Klart', 'Åtgärdad', '完了', '修正済み'],
  ])('a Jira issue with the resolution %s is done', async (name) => {
    const body = json(withIssue({ resolution: { ...resolved.body.issue.fields.resolution, name } }))
    expect((await issues.send({ body })).outcome).toHaveProperty('items')
  })

  test('a Jira issue without a changelog is ignored', async () => {
    const { changelog: _, ...body } = resolved.body
    expect((await issues.send({ body: json(body) })).outcome).toHaveProperty('ignored')
  })

  test.each([{ id: '10021' }, 'restricted', 0])(
    'a Jira issue with the security level %j is ignored',
    async (security) => {
      const { outcome } = await issues.send({ body: json(withIssue({ security })) })
      expect(outcome).toHaveProperty('ignored')
    },
  )

  test.each(['TES-1/../../evil', 'tes-1', 'TES'])(
    'a Jira issue with the key %s is refused',
    async (key) => {
      const { outcome } = await issues.send({ body: json(withIssue({}, { key })) })
      expect(outcome).toMatchObject({ rejected: 400 })
    },
  )
})

test('the id of a Jira delivery is the same for every attempt', async () => {
  const headers = { 'x-atlassian-webhook-retry': '2' }
  const id = released.headers['x-atlassian-webhook-identifier']
  expect((await versions.send({ headers })).deliveryId).toBe(id)
  const unnamed = { 'x-atlassian-webhook-identifier': null }
  expect((await versions.send({ headers: unnamed })).deliveryId).toMatch(/^sha256:/)
})

test.each([{}, { secret: '' }, { secret: 'a', label: ' ' }, { secret: 'a', projects: 'MOOR' }])(
  'the Jira settings %j are refused',
  (settings) => {
    expect(v.safeParse(versions.adapter.settings, settings).success).toBe(false)
  },
)

test('a Jira event name that is not a name is refused and not repeated', async () => {
  const body = json({ ...released.body, webhookEvent: 'x\n{"level":"error"}' })
  expect((await versions.send({ body })).outcome).toEqual({
    rejected: 400,
    reason: 'webhookEvent is missing or is not a name',
  })
})

test('the time for the summary of a Jira issue grows with its length only', async () => {
  const growth = await growthOf(
    (size) => issues.newsOf({ body: json(withIssue({ summary: `Shipped${'\t'.repeat(size)}x` })) }),
    6000,
  )
  expect(growth).toBeLessThan(maxLinearGrowth)
})
