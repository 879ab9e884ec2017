import { Elysia } from 'elysia'
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
import { DateTime } from '../../components/date-time.tsx'
import { ErrorSummary, Form, Select } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { providerName } from '../../components/provider.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { pluralize } from '../../pluralize.ts'
import { showKeyOnce } from './key-value.tsx'
import { findKey, KeyScopes } from './keys.tsx'

const countedDays = 30

async function loadActiveKey(context: MemberRequest): Promise<Key> {
  const key = await findKey(context)
  if (!key || keyState(key, context.deps.now()) !== 'active') throw notFound('This key')
  return key
}

async function askRevoke(context: MemberRequest): Promise<Response> {
  const { now } = context.deps
  const key = await loadActiveKey(context)
  const since = new Date(now().getTime() - countedDays * 24 * 3_600_000)
  const [requests, created] = await Promise.all([
    recentRequests(context.ctx, key.id),
    countBlocksOfKey(context.ctx, { keyId: key.id, since }),
  ])
  return await settingsLayout(
    context,
    { tab: '/settings/keys', title: `Revoke “${key.name}”?` },
    <div class="narrow">
      <p>Programs that use this key stop working at once. This cannot be undone.</p>
      <dl class="details-list">
        <dt>Key</dt>
        <dd class="mono" safe>{`${key.prefix}…`}</dd>
        <dt>Scopes</dt>
        <dd>
          <KeyScopes deps={context.deps} item={key} />
        </dd>
        <dt>Last used</dt>
        <dd>
          {key.last_used_at ? <DateTime reader={context.reader} at={key.last_used_at} /> : 'Never'}
        </dd>
        <dt>In the last minute</dt>
        <dd safe>{pluralize(requests.length, 'request')}</dd>
        <dt>{`In ${countedDays} days`}</dt>
        <dd safe>{`${pluralize(created, 'block')} added to the library`}</dd>
      </dl>
      {key.provider ? (
        <p class="notice warning" safe>
          {`The connection to ${providerName(context.deps, key.provider)} uses this key: it will add no more blocks.`}
        </p>
      ) : null}
      <div class="row">
        <Form context={context} action={`/settings/keys/${key.id}/revoke`}>
          <button type="submit" class="primary danger">
            Revoke the key
          </button>
        </Form>
        <a href="/settings/keys">Cancel</a>
      </div>
    </div>,
  )
}

async function revoke(context: MemberRequest): Promise<Response> {
  const key = await loadActiveKey(context)
  await revokeKey(context.ctx, key.id)
  return redirect(context, '/settings/keys', success(`The key “${key.name}” no longer works.`))
}

const gracePeriods = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
] as const

const RotateForm = v.object({
  grace: v.pipe(v.picklist(gracePeriods.map(({ value }) => value)), v.transform(Number)),
})

async function rotateKeyPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const key = await loadActiveKey(context)
  return await settingsLayout(
    context,
    {
      tab: '/settings/keys',
      title: `Rotate “${key.name}”`,
      lead: 'Creates a new key with the same scopes. The old key continues to work for the time you choose, so that you can replace it.',
    },
    <Form context={context} action={`/settings/keys/${key.id}/rotate`} class="narrow">
      <ErrorSummary submitted={submitted} exceptFields={['grace']} />
      <Select
        name="grace"
        label="The old key ends"
        options={gracePeriods}
        value="24"
        hint="Choose “At once” if someone else may know the key."
        submitted={submitted}
      />
      <div class="row">
        <button type="submit" class="primary">
          Create the new key
        </button>
        <a href="/settings/keys">Cancel</a>
      </div>
    </Form>,
  )
}

async function rotate(context: FormRequest<typeof RotateForm>): Promise<Response> {
  const { grace } = context.body
  const { id } = await loadActiveKey(context)
  const created = await rotateKey(context.ctx, { keyId: id, graceHours: grace })
  const note =
    grace === 0
      ? 'The old key no longer works.'
      : `The old key works for ${pluralize(grace, 'more hour')}.`
  return showKeyOnce(context, created, note)
}

/** Routes that revoke and rotate a key. */
export const revokeRotateKeyPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/keys/:id/revoke', askRevoke, { role: 'admin' })
    .post('/settings/keys/:id/revoke', revoke, { role: 'admin' })
    .get('/settings/keys/:id/rotate', (context) => rotateKeyPage(context), { role: 'admin' })
    .post('/settings/keys/:id/rotate', rotate, {
      role: 'admin',
      body: RotateForm,
      renderWithErrors: rotateKeyPage,
    })
