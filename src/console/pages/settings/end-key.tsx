import * as v from 'valibot'
import {
  type Key,
  keyState,
  recentRequests,
  revokeKey,
  rotateKey,
} from '../../../features/api-keys/index.ts'
import { countBlocksOfKey } from '../../../features/content-blocks/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAuditFor } from '../../audit.ts'
import { ErrorSummary, Form, Select } from '../../components/form.tsx'
import { settingsScreen } from '../../components/settings.tsx'
import { Time } from '../../components/time.tsx'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../../page.ts'
import { pluralize } from '../../pluralize.ts'
import { redirect, success } from '../../responses.ts'
import { showKeyOnce } from './key-value.tsx'
import { findKey, KeyRights } from './keys.tsx'

const countedDays = 30

async function liveKey(visit: MemberRequest): Promise<Key> {
  const key = await findKey(visit)
  if (!key || keyState(key, visit.deps.now()) !== 'active') throw notFound('This key')
  return key
}

const askRevoke = page('/settings/keys/:id/revoke', 'admin', async (visit) => {
  const { sql, now } = visit.deps
  const key = await liveKey(visit)
  const since = new Date(now().getTime() - countedDays * 24 * 3_600_000)
  const [requests, made] = await Promise.all([
    recentRequests(sql, visit.teamId, key.id),
    countBlocksOfKey(sql, visit.teamId, key.id, since),
  ])
  return await settingsScreen(
    visit,
    { tab: '/settings/keys', title: `Revoke “${key.name}”?` },
    <div class="narrow">
      <p>
        Whatever uses it stops working at once, also in the middle of a request. This cannot be
        taken back.
      </p>
      <dl class="facts">
        <dt>Key</dt>
        <dd class="mono" safe>{`${key.prefix}…`}</dd>
        <dt>May</dt>
        <dd>
          <KeyRights item={key} />
        </dd>
        <dt>Last used</dt>
        <dd>{key.last_used_at ? <Time at={key.last_used_at} /> : 'Never'}</dd>
        <dt>In the last minute</dt>
        <dd safe>{pluralize(requests.length, 'request')}</dd>
        <dt>{`In ${countedDays} days`}</dt>
        <dd safe>{`${pluralize(made, 'item')} added to the library`}</dd>
      </dl>
      {key.provider ? (
        <p class="notice warn" safe>
          {`The connection to ${key.provider} works with this key: nothing more will come in from there.`}
        </p>
      ) : null}
      <div class="row">
        <Form visit={visit} action={`/settings/keys/${key.id}/revoke`}>
          <button type="submit" class="primary danger">
            Revoke the key
          </button>
        </Form>
        <a href="/settings/keys">Keep it</a>
      </div>
    </div>,
  )
})

const revoke = action('/settings/keys/:id/revoke', 'admin', {
  form: NoFields,
  async handle(visit) {
    const key = await liveKey(visit)
    await revokeKey(visit.deps.sql, visit.teamId, key.id)
    await recordAuditFor(visit, 'key_revoked', key.name)
    return redirect(visit, '/settings/keys', success(`The key “${key.name}” no longer works.`))
  },
})

const graces = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
] as const

const RotateForm = v.object({
  grace: v.pipe(v.picklist(graces.map(({ value }) => value)), v.transform(Number)),
})

const askRotate = page('/settings/keys/:id/rotate', 'admin', (visit) => rotateScreen(visit))

async function rotateScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const key = await liveKey(visit)
  return await settingsScreen(
    visit,
    {
      tab: '/settings/keys',
      title: `Rotate “${key.name}”`,
      lead: 'You get a new key that may do the same. The old one goes on working for a while, so that nothing stops before the new one is in its place.',
    },
    <Form visit={visit} action={`/settings/keys/${key.id}/rotate`} class="narrow">
      <ErrorSummary entry={entry} but={['grace']} />
      <Select
        name="grace"
        label="The old key ends"
        options={graces}
        value="24"
        hint="At once, if somebody else may have it."
        entry={entry}
      />
      <div class="row">
        <button type="submit" class="primary">
          Make the new key
        </button>
        <a href="/settings/keys">Cancel</a>
      </div>
    </Form>,
  )
}

const rotate = action('/settings/keys/:id/rotate', 'admin', {
  form: RotateForm,
  renderWithErrors: rotateScreen,
  async handle(visit, { grace }) {
    const { sql, now } = visit.deps
    const { id, name } = await liveKey(visit)
    const made = await rotateKey(sql, now, visit.teamId, id, grace, visit.member.id)
    await recordAuditFor(visit, 'key_rotated', name)
    const note =
      grace === 0
        ? 'The old key no longer works.'
        : `The old key works for ${pluralize(grace, 'more hour')}.`
    return showKeyOnce(visit, made, note)
  },
})

/** How a key ends: revoked, or replaced by a new one. */
export const endKeyRoutes: readonly Route[] = [askRevoke, revoke, askRotate, rotate]
