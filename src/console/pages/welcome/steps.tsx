import type { Children } from '@kitajs/html'
import type { FirstSteps } from '../../../features/setup/index.ts'
import { Form } from '../../components/form/form.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { FirstNews } from './first-news.tsx'

interface Step {
  isDone: boolean
  title: string
  text: string
  /** The buttons of the step; missing while an earlier step has to be done first. */
  action?: Children
  /** A form below the text. */
  form?: Children
}

interface StepsProps {
  context: MemberRequest
  done: FirstSteps
  /** The form of the first news with its errors. */
  submitted: SubmittedForm | undefined
}

/** The steps, with those that are done checked off. */
export function Steps(props: StepsProps) {
  const { t } = props.context
  const steps = stepsOf(props)
  const open = steps.filter((step) => !step.isDone)
  const values = { done: steps.length - open.length, all: steps.length }
  return (
    <section
      id="steps"
      aria-label={t('welcome.first_steps')}
      data-refreshed={open.length > 0 ? '' : undefined}
    >
      <p class="row" role="status">
        <progress max={values.all} value={values.done} aria-hidden="true" />
        {open.length > 0 ? (
          <span safe>{t('welcome.of_done', values)}</span>
        ) : (
          <span>
            {t.html('welcome.all_done_continue', { link: (text) => <a href="/library">{text}</a> })}
          </span>
        )}
      </p>
      <ol class="steps">
        {steps.map((step, at) => (
          <StepCard
            {...{ context: props.context, step, number: at + 1 }}
            isNext={step === open[0]}
          />
        ))}
      </ol>
    </section>
  )
}

function StepCard({
  context: { t },
  step,
  number,
  isNext,
}: {
  context: MemberRequest
  step: Step
  number: number
  isNext: boolean
}) {
  const { isDone, title, text, action, form } = step
  return (
    <li class={isDone ? 'card step done' : 'card step'} aria-current={isNext ? 'step' : undefined}>
      <span class="step-number">
        {isDone ? <Icon name="check" /> : <span aria-hidden="true">{number}</span>}
      </span>
      <div>
        <h2>
          <span safe>{title}</span>
          {isDone ? <span class="visually-hidden">{t('welcome.done')}</span> : null}
        </h2>
        <p safe>{text}</p>
      </div>
      {action === undefined ? null : <div class="step-action row">{action as 'safe'}</div>}
      {form === undefined ? null : <div class="step-form">{form as 'safe'}</div>}
    </li>
  )
}

const stepsOf = (props: StepsProps): Step[] => [
  sampleStep(props),
  newsStep(props),
  composeStep(props),
  previewStep(props),
  sendStep(props),
]

function sampleStep({ context, done }: StepsProps): Step {
  const { t } = context
  const id = done.sampleNewsletterId
  const action = id ? (
    <>
      <ActionLink to={`/newsletters/${id}`} label={t('welcome.open')} icon="newsletters" />
      <Form context={context} action="/welcome/sample/remove">
        <button type="submit" class="ghost">
          {t('welcome.remove_sample')}
        </button>
      </Form>
    </>
  ) : (
    <Form context={context} action="/welcome/sample">
      <button type="submit" class="button">
        <Icon name="plus" />
        {t('welcome.add_sample')}
      </button>
    </Form>
  )
  return {
    isDone: id !== null || done.newsletterId !== null,
    title: t('welcome.see_a_sample'),
    text: t('welcome.see_a_sample_text'),
    action,
  }
}

function newsStep({ context, done, submitted }: StepsProps): Step {
  const { t } = context
  return {
    isDone: done.hasBlock || done.connected,
    title: t('welcome.add_news'),
    text: t('welcome.add_news_text'),
    action: (
      <ActionLink to="/integrations" label={t('welcome.connect_a_tool')} icon="integrations" />
    ),
    ...((done.newsletterId === null || submitted) && {
      form: <FirstNews context={context} submitted={submitted} />,
    }),
  }
}

function composeStep({ context, done }: StepsProps): Step {
  const { t } = context
  const id = done.newsletterId
  const create = (
    <Form context={context} action="/newsletters">
      <input type="hidden" name="suggested" value="on" />
      <button type="submit" class="button">
        <Icon name="newsletters" />
        {t('welcome.create_newsletter')}
      </button>
    </Form>
  )
  return {
    isDone: id !== null,
    title: t('welcome.compose'),
    text: t('welcome.compose_text'),
    ...(id && {
      action: <ActionLink to={`/newsletters/${id}`} label={t('welcome.open')} icon="newsletters" />,
    }),
    ...(!id && done.hasBlock && { action: create }),
  }
}

function previewStep({ context, done }: StepsProps): Step {
  const { t } = context
  const id = done.newsletterId ?? done.sampleNewsletterId
  return {
    // After sending, there is nothing to check any more.
    isDone: done.previewed || done.sent,
    title: t('welcome.check_on_phone'),
    text: t('welcome.check_on_phone_text'),
    ...(id && {
      action: (
        <ActionLink to={`/newsletters/${id}/preview`} label={t('welcome.preview')} icon="mail" />
      ),
    }),
  }
}

function sendStep({ context, done }: StepsProps): Step {
  const { t } = context
  return {
    isDone: done.sent,
    title: t('welcome.send'),
    text: t('welcome.send_text'),
    ...(done.newsletterId && {
      action: (
        <ActionLink
          to={`/newsletters/${done.newsletterId}/export`}
          label={t('welcome.export')}
          icon="copy"
        />
      ),
    }),
  }
}

function ActionLink({ to, label, icon }: { to: string; label: string; icon: IconName }) {
  return (
    <a class="button" href={to}>
      <Icon name={icon} />
      <span safe>{label}</span>
    </a>
  )
}
