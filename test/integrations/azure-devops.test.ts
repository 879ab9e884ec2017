import { describe, expect, test } from 'bun:test'
import deployment from '../../integrations/azure-devops/fixtures/deployment.completed.json'
import { sign } from '../../integrations/azure-devops/fixtures/sign.ts'
import workItem from '../../integrations/azure-devops/fixtures/workitem.closed.json'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const hookWith = (fixture: typeof deployment | typeof workItem) =>
  openHook({
    slug: 'azure-devops',
    fixture,
    setting: 'password',
    secrets: ['plover', 'dunlin', 'curlew'],
    sign: (body, { password = '' }) => sign(body, { password }),
  })
const releases = await hookWith(deployment)
const workItems = await hookWith(workItem)

const withRelease = (release: object, environment: object = {}) => {
  const { resource } = deployment.body
  return {
    ...deployment.body,
    resource: {
      ...resource,
      environment: {
        ...resource.environment,
        ...environment,
        release: { ...resource.environment.release, ...release },
      },
    },
  }
}

testUnreadable(releases, {
  body: JSON.stringify(withRelease({ id: 'canary 7f3a' })),
  reason:
    'ms.vss-release.deployment-completed-event: resource.environment.release.id is not as Azure DevOps documents it',
})
testLeaks(releases, {
  kept: 'Tideline',
  leaks: [
    ...['canary-variable', 'Canary Approver', 'approver@marlowe.example', 'Canary Owner'],
    ...['ConnectedServiceName', 'canary-comment', 'Time to deploy'],
  ],
})
testLeaks(workItems, {
  kept: 'Ines Aker',
  leaks: [
    ...['ines@marlowe.example', 'bo@marlowe.example', 'Bo Weld', 'canary-comment'],
    ...['canary-description', 'Canary'],
  ],
})
testHostileText(workItems, (title) => ({
  ...workItem.body,
  resource: {
    ...workItem.body.resource,
    revision: {
      ...workItem.body.resource.revision,
      fields: { ...workItem.body.resource.revision.fields, 'System.Title': title },
    },
  },
}))

describe('Azure DevOps: password', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  test.each<[string, string | null]>([
    ['no password', null],
    ['an empty password', basic('tidings:')],
    ['another password', basic('tidings:curlew')],
    ['the password as the name', basic('plover:')],
    ['the password without a name', basic('plover')],
    ['the password in upper case', basic('tidings:PLOVER')],
    ['the password as a bearer token', 'Bearer plover'],
    ['the password in plain text', 'Basic tidings:plover'],
  ])('an Azure DevOps request with %s is refused', async (_, authorization) => {
    const { outcome } = await releases.send({ headers: { authorization } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('an Azure DevOps request is accepted with any name, and with both passwords during a rotation', async () => {
    const settings = { password: ['dunlin', 'plover'] }
    for (const text of ['tidings:plover', ':dunlin', 'somebody:plover']) {
      const headers = { authorization: basic(text) }
      expect((await releases.send({ headers, settings })).outcome).toHaveProperty('items')
    }
    const third = { authorization: basic('tidings:curlew') }
    expect((await releases.send({ headers: third, settings })).outcome).toMatchObject({
      rejected: 401,
    })
  })
})

test('the time to read the name of a person in Azure DevOps grows with its length only', async () => {
  const { resource } = workItem.body
  const sendName = (name: string) => {
    const fields = { ...resource.revision.fields, 'System.AssignedTo': name }
    const revision = { ...resource.revision, fields }
    return workItems.send({
      body: JSON.stringify({ ...workItem.body, resource: { ...resource, revision } }),
    })
  }
  const growth = await growthOf((size) => sendName(`Ines${' '.repeat(size)}Aker`), 4_000)
  expect(growth).toBeLessThan(maxLinearGrowth)
})

describe('Azure DevOps: what is news', () => {
  const titleOf = async (name: string) =>
    (await releases.newsOf({ body: JSON.stringify(withRelease({ name })) })).title

  test.each([
    ['Release-42', 'Tideline 42 is out'],
    ['Release-20261119.3', 'Tideline 20261119.3 is out'],
    ['v2.4.0', 'Tideline v2.4.0 is out'],
    ['Offline mode is here', 'Offline mode is here'],
    ['Tideline 2.5', 'Tideline 2.5 is out'],
  ])('the title of the release %s is %s', async (name, title) => {
    expect(await titleOf(name)).toBe(title)
  })

  test('two deployments of a release are one item, and a repeated request is one delivery', async () => {
    const first = await releases.send()
    const again = await releases.send()
    const other = await releases.send({
      body: JSON.stringify({
        ...withRelease({}, { name: 'prod-eu' }),
        id: 'c3e52c57-187a-45c4-abe2-184a48291bae',
      }),
    })
    expect(again.deliveryId).toBe(first.deliveryId ?? '')
    expect(other.deliveryId).not.toBe(first.deliveryId ?? '')
    const keys = [first, other].map(
      ({ outcome }) => JSON.stringify(outcome).match(/"external_id":"[^"]+"/)?.[0],
    )
    expect(keys[0]).toBe(keys[1] ?? '')
  })

  test('a link of a release that leads to another site is left out', async () => {
    const _links = { web: { href: 'https://evil.example/' } }
    const { source_url } = await releases.newsOf({ body: JSON.stringify(withRelease({ _links })) })
    expect(source_url).toBeUndefined()
  })

  test('a link with the earlier address of an organization is kept', async () => {
    const href = 'https://marlowe.visualstudio.com/Tideline/_release?releaseId=1'
    const _links = { web: { href } }
    const { source_url } = await releases.newsOf({ body: JSON.stringify(withRelease({ _links })) })
    expect(source_url).toBe(href)
    const forged = { web: { href: 'https://visualstudio.com.evil.example/' } }
    const body = JSON.stringify(withRelease({ _links: forged }))
    expect((await releases.newsOf({ body })).source_url).toBeUndefined()
  })

  test('the test of a service hook, whose work item has the number 0, is known by its revision', async () => {
    const resource = { ...workItem.body.resource, workItemId: 0 }
    const { external_id } = await workItems.newsOf({
      body: JSON.stringify({ ...workItem.body, resource }),
    })
    expect(external_id).toEndWith(':13')
  })

  test('a work item that moves from one finished state to another is not news again', async () => {
    const { resource } = workItem.body
    const fields = { 'System.State': { oldValue: 'Done', newValue: 'Closed' } }
    const body = JSON.stringify({ ...workItem.body, resource: { ...resource, fields } })
    expect((await workItems.send({ body })).outcome).toMatchObject({
      ignored: expect.stringContaining('before'),
    })
  })
})
