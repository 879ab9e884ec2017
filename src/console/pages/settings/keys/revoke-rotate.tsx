import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  type Key,
  keyState,
  listRequestAges,
  listRotatedKeyIds,
  revokeKey,
  rotateKey,
} from '../../../../features/api-keys/index.ts'
import { countBlocksOfKeys } from '../../../../features/content-blocks/index.ts'
import { daysBefore } from '../../../../lib/clock.ts'
import { notFound } from '../../../../lib/errors.ts'
import { DateTime } from '../../../components/dates/date-time.tsx'
import { ErrorSummary, Form, Select } from '../../../components/form/form.tsx'
import { settingsLayout } from '../../../components/layout/settings-layout.tsx'
import { providerName } from '../../../components/provider-name.ts'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { findKeyInPath } from './find-key.ts'
import { showKeyOnce } from './key-value.tsx'
import { KeyScopes } from './scopes.tsx'

const countedDays = 30

async function loadActiveKey(context: MemberRequest): Promise<Key> {
  const key = await findKeyInPath(context)
  if (!key || keyState(key, context.deps.now()) !== 'active') throw notFound('This key')
  return key
}

async function askRevoke(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { now } = context.deps
  const key = await loadActiveKey(context)
  const since = daysBefore(now(), countedDays)
  const keyIds = await listRotatedKeyIds(context.ctx, key)
  const [requests, { created, among }] = await Promise.all([
    listRequestAges(context.ctx, key.id),
    countBlocksOfKeys(context.ctx, { keyIds, since }),
  ])
  return await settingsLayout(
    context,
    { tab: '/settings/keys', title: t('keys.confirm_revoke', { name: key.name }) },
    <div class="narrow">
      <p>{t('keys.programs_that_use_this_key')}</p>
      <dl class="details-list">
        <dt>{t('keys.key')}</dt>
        <dd class="mono" safe>{`${key.prefix}…`}</dd>
        <dt>{t('keys.scopes')}</dt>
        <dd>
          <KeyScopes t={t} deps={context.deps} item={key} />
        </dd>
        <dt>{t('keys.last_used')}</dt>
        <dd>
          {key.last_used_at ? (
            <DateTime userLocale={context.userLocale} at={key.last_used_at} />
          ) : (
            t('keys.never')
          )}
        </dd>
        <dt>{t('keys.in_the_last_minute')}</dt>
        <dd safe>{t('keys.request', { count: requests.length })}</dd>
        <dt safe>{t('keys.in_days', { countedDays })}</dt>
        <dd>
          <span safe>
            {among === null
              ? t('keys.block', { count: created })
              : t('keys.of_the_newest_blocks', { count: created, among })}
          </span>
          {keyIds.length > 1 ? <p class="muted">{t('keys.with_keys_that_replaced')}</p> : null}
        </dd>
      </dl>
      {key.provider ? (
        <p class="notice warning" safe>
          {t('keys.the_connection_to_uses', { provider: providerName(context.deps, key.provider) })}
        </p>
      ) : null}
      <div class="row">
        <Form context={context} action={`/settings/keys/${key.id}/revoke`}>
          <button type="submit" class="primary danger">
            {t('keys.revoke_the_key')}
          </button>
        </Form>
        <a href="/settings/keys">{t('common.cancel')}</a>
      </div>
    </div>,
  )
}

async function revoke(context: MemberRequest): Promise<Response> {
  const { t } = context
  const key = await loadActiveKey(context)
  await revokeKey(context.ctx, key.id)
  return redirect(
    context,
    '/settings/keys',
    success(t('keys.the_key_no_longer_works', { name: key.name })),
  )
}

const gracePeriods = [
  { value: '0', label: 'keys.at_once' },
  { value: '1', label: 'keys.in_an_hour' },
  { value: '24', label: 'keys.in_a_day' },
  { value: '168', label: 'keys.in_a_week' },
] as const

const RotateForm = v.object({
  grace: v.pipe(v.picklist(gracePeriods.map(({ value }) => value)), v.transform(Number)),
})

async function rotateKeyPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const key = await loadActiveKey(context)
  return await settingsLayout(
    context,
    {
      tab: '/settings/keys',
      title: t('keys.confirm_rotate', { name: key.name }),
      lead: t('keys.creates_a_new_key'),
    },
    <Form context={context} action={`/settings/keys/${key.id}/rotate`} class="narrow">
      <ErrorSummary submitted={submitted} exceptFields={['grace']} />
      <Select
        name="grace"
        label={t('keys.the_old_key_ends')}
        options={gracePeriods.map(({ value, label }) => ({ value, label: t(label) }))}
        value="24"
        hint={t('keys.choose_at_once_if_someone')}
        submitted={submitted}
      />
      <div class="row">
        <button type="submit" class="primary">
          {t('keys.create_the_new_key')}
        </button>
        <a href="/settings/keys">{t('common.cancel')}</a>
      </div>
    </Form>,
  )
}

async function rotate(context: FormRequest<typeof RotateForm>): Promise<Response> {
  const { t } = context
  const { grace } = context.body
  const { id } = await loadActiveKey(context)
  const created = await rotateKey(context.ctx, { keyId: id, graceHours: grace })
  const note =
    grace === 0 ? t('keys.the_old_key_no_longer') : t('keys.the_old_key_works', { count: grace })
  return showKeyOnce(context, created, note)
}

/** Routes that revoke and rotate a key. */
export const revokeRotateKeyPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings/keys/:id/revoke', askRevoke, { role: 'admin' })
    .post('/settings/keys/:id/revoke', once(revoke), { role: 'admin' })
    .get('/settings/keys/:id/rotate', (context) => rotateKeyPage(context), { role: 'admin' })
    .post('/settings/keys/:id/rotate', once(rotate), {
      role: 'admin',
      body: RotateForm,
      renderWithErrors: rotateKeyPage,
    })
