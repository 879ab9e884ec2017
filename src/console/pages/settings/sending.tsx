import { Elysia } from 'elysia'
import * as v from 'valibot'
import { TimeZone } from '../../../features/accounts/index.ts'
import {
  getSchedule,
  type ScheduleSettings,
  saveSchedule,
} from '../../../features/newsletter-schedules/index.ts'
import { requiresApproval, setApprovalRequired } from '../../../features/newsletters/index.ts'
import { getTeamDetails } from '../../../features/teams/index.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import { weekdayOptions } from '../../components/dates/weekday-options.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { checkbox } from '../../http/forms/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { cadenceLabels } from './team.tsx'

const path = '/settings/sending'

async function page(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t, ctx, userLocale } = context
  const [schedule, isApprovalRequired] = await Promise.all([
    getSchedule(ctx, userLocale.timeZone ?? 'UTC'),
    requiresApproval(ctx),
  ])
  const aboutSchedule = submitted && 'weekday' in submitted.values ? submitted : undefined
  return await settingsLayout(
    context,
    { tab: path, title: t('settings.recurring'), lead: t('sending.lead') },
    <div class="narrow">
      <h2>{t('sending.recurring')}</h2>
      {schedule.next ? (
        <p class="notice" safe>
          {t('sending.next', { date: formatDate(userLocale, schedule.next, 'fullDate') })}
        </p>
      ) : null}
      <ScheduleForm context={context} schedule={schedule} submitted={aboutSchedule} />
      <hr />
      <h2>{t('sending.approval')}</h2>
      <Form context={context} action={`${path}/approval`}>
        <Checkbox
          name="required"
          label={t('sending.requires_approval')}
          hint={t('sending.requires_approval_hint')}
          checked={isApprovalRequired}
        />
        <button type="submit">{t('common.save')}</button>
      </Form>
    </div>,
  )
}

interface ScheduleFormProps {
  context: MemberRequest
  schedule: ScheduleSettings
  submitted: SubmittedForm | undefined
}

async function ScheduleForm({ context, schedule, submitted }: ScheduleFormProps) {
  const { t, ctx, userLocale } = context
  const { newsletterCadence } = await getTeamDetails(ctx, null)
  const days = (values: readonly number[]) =>
    values.map((value) => ({
      value: String(value),
      label: value === 0 ? t('sending.on_the_day') : t('sending.days_before', { count: value }),
    }))
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `${String(hour).padStart(2, '0')}:00`,
  }))
  return (
    <Form context={context} action={path} draft>
      <ErrorSummary submitted={submitted} exceptFields={['time_zone']} />
      {newsletterCadence === 'ad_hoc' ? <p class="muted">{t('sending.no_cadence')}</p> : null}
      <Checkbox
        name="is_recurring"
        label={t('sending.prepare_drafts')}
        hint={t('sending.prepare_drafts_hint', { cadence: t(cadenceLabels[newsletterCadence]) })}
        checked={schedule.is_recurring}
        {...(submitted && { submitted })}
      />
      <Select
        name="weekday"
        label={t('sending.weekday')}
        hint={t('sending.weekday_hint')}
        options={weekdayOptions(userLocale)}
        value={String(schedule.weekday)}
      />
      <div class="columns">
        <Select
          name="lead_days"
          label={t('sending.lead_days')}
          options={days([0, 1, 2, 3, 4, 5, 7, 10, 14, 21, 28])}
          value={String(schedule.lead_days)}
        />
        <Select
          name="hour"
          label={t('sending.hour')}
          options={hours}
          value={String(schedule.hour)}
        />
        <Field
          name="time_zone"
          label={t('sending.time_zone')}
          value={schedule.time_zone}
          required
          submitted={submitted}
        />
      </div>
      <Select
        name="reminder_days"
        label={t('sending.reminder')}
        options={[{ value: '', label: t('sending.never') }, ...days([0, 1, 2, 3, 4, 5, 7, 10, 14])]}
        value={schedule.reminder_days === null ? '' : String(schedule.reminder_days)}
      />
      <button type="submit" class="primary">
        {t('common.save')}
      </button>
    </Form>
  )
}

const numberFrom = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.nonEmpty('is required'),
    v.transform(Number),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )

const ScheduleInput = v.object({
  is_recurring: checkbox,
  weekday: numberFrom(1, 7),
  hour: numberFrom(0, 23),
  time_zone: TimeZone,
  lead_days: numberFrom(0, 28),
  reminder_days: v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    numberFrom(0, 14),
  ]),
})

async function save(context: FormRequest<typeof ScheduleInput>): Promise<Response> {
  await saveSchedule(context.ctx, context.body)
  return redirect(context, path, success(context.t('common.saved')))
}

const ApprovalInput = v.object({ required: checkbox })

async function saveApproval(context: FormRequest<typeof ApprovalInput>): Promise<Response> {
  await setApprovalRequired(context.ctx, context.body.required)
  return redirect(context, path, success(context.t('common.saved')))
}

/** Routes of the settings about sending. */
export const sendingPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, (context) => page(context), { role: 'admin' })
    .post(path, save, { role: 'admin', body: ScheduleInput, renderWithErrors: page })
    .post(`${path}/approval`, saveApproval, { role: 'admin', body: ApprovalInput })
