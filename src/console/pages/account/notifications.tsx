import * as v from 'valibot'
import {
  type DraftDigest,
  draftDigests,
  getPersonalSettings,
  setPersonalSettings,
} from '../../../features/accounts/index.ts'
import { Checkbox, Form, Select } from '../../components/form/form.tsx'
import { accountContext, type FormRequest, type MemberRequest } from '../../http/context.ts'
import { checkbox } from '../../http/forms/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import type { TextKey } from '../../locales/index.ts'
import { can } from '../../roles.ts'

const digestLabels = {
  off: 'account.digest_off',
  daily: 'account.digest_daily',
  weekly: 'account.digest_weekly',
} as const satisfies Record<DraftDigest, TextKey>

/** Which emails the person gets, and whether letters are shortcuts. */
export async function NotificationForm({ context }: { context: MemberRequest }) {
  const { t } = context
  const settings = await getPersonalSettings(accountContext(context))
  return (
    <section aria-labelledby="notifications">
      <h2 id="notifications">{t('account.notifications')}</h2>
      <Form context={context} action="/account/notifications">
        <fieldset>
          <legend>{t('account.email_me')}</legend>
          <Checkbox
            name="notify_mentions"
            label={t('account.notify_mentions')}
            checked={settings.notify_mentions}
          />
          <Checkbox
            name="notify_assignments"
            label={t('account.notify_assignments')}
            checked={settings.notify_assignments}
          />
          <Checkbox
            name="notify_reminders"
            label={t('account.notify_reminders')}
            checked={settings.notify_reminders}
          />
          {can(context.member.role, 'editor') ? (
            <Select
              name="draft_digest"
              label={t('account.draft_digest')}
              hint={t('account.draft_digest_hint')}
              options={draftDigests.map((value) => ({ value, label: t(digestLabels[value]) }))}
              value={settings.draft_digest}
            />
          ) : null}
        </fieldset>
        <fieldset>
          <legend>{t('account.keyboard')}</legend>
          <Checkbox
            name="keyboard_shortcuts"
            label={t('account.keyboard_shortcuts')}
            hint={t('account.keyboard_shortcuts_hint')}
            checked={settings.keyboard_shortcuts}
          />
        </fieldset>
        <button type="submit">{t('common.save')}</button>
      </Form>
    </section>
  )
}

export const NotificationInput = v.object({
  notify_mentions: checkbox,
  notify_assignments: checkbox,
  notify_reminders: checkbox,
  // Viewers do not have this field.
  draft_digest: v.exactOptional(v.picklist(draftDigests)),
  keyboard_shortcuts: checkbox,
})

/** Stores which emails the person gets, and whether letters are shortcuts. */
export async function saveNotifications(
  context: FormRequest<typeof NotificationInput>,
): Promise<Response> {
  await setPersonalSettings(accountContext(context), context.body)
  return redirect(context, '/account#notifications', success(context.t('common.saved')))
}

export const ShortcutsInput = v.object({ keyboard_shortcuts: checkbox })

/** Stores whether letters are shortcuts, which the script of the library sends. */
export async function saveShortcuts(
  context: FormRequest<typeof ShortcutsInput>,
): Promise<Response> {
  await setPersonalSettings(accountContext(context), context.body)
  return new Response(null, { status: 204 })
}
