import type { Children } from '@kitajs/html'
import { Elysia } from 'elysia'
import { createLimitedKey } from '../../features/api-keys/index.ts'
import { type FirstSteps, getFirstSteps } from '../../features/setup/index.ts'
import { Form } from '../components/form/form.tsx'
import { Icon } from '../components/icon.tsx'
import { layout, PageHeader } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../http/context.ts'
import type { Translate } from '../messages/index.ts'
import { showKeyOnce } from './settings/key-value.tsx'

const path = '/welcome'

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context

  const done = await getFirstSteps(context.ctx)
  const steps = stepsOf(context, done)
  const openSteps = steps.filter((step) => !step.done)
  return await layout(
    context,
    { title: t('welcome.welcome'), section: null },
    <>
      <PageHeader
        title={t('welcome.welcome_2', { name: context.member.name })}
        lead={t('welcome.five_steps_to_a_first')}
      />
      <section
        id="steps"
        aria-label={t('welcome.first_steps')}
        {...(openSteps.length > 0 ? polling : {})}
      >
        <p class="row" role="status">
          <Progress t={t} done={steps.length - openSteps.length} all={steps.length} />
        </p>
        <ol class="steps">
          {steps.map((step, at) => (
            <StepCard t={t} step={step} number={at + 1} current={step === openSteps[0]} />
          ))}
        </ol>
      </section>
      <p>
        <Icon name="people" />{' '}
        {t.html('welcome.invite_colleagues', {
          link: (text) => <a href="/settings/members">{text}</a>,
        })}
      </p>
    </>,
  )
}

function Progress({ t, done, all }: { t: Translate; done: number; all: number }) {
  return (
    <>
      <progress max={all} value={done} aria-hidden="true" />
      {done < all ? (
        <span safe>{t('welcome.of_done', { done, all })}</span>
      ) : (
        <span>
          {t.html('welcome.all_done_continue', { link: (text) => <a href="/library">{text}</a> })}
        </span>
      )}
    </>
  )
}

/** htmx attributes that refresh the steps while some of them are open. */
const polling = {
  'data-hx-get': path,
  'data-hx-trigger': 'every 3s',
  'data-hx-select': '#steps',
  'data-hx-swap': 'outerMorph',
}

interface Step {
  done: boolean
  title: string
  text: string
  /** The button or form of the step. */
  action: Children
}

function stepsOf(context: MemberRequest, done: FirstSteps): Step[] {
  const { t } = context

  return [
    {
      done: done.keyMade,
      title: t('welcome.create_an_api_key'),
      text: t('welcome.programs_add_content'),
      action: (
        <Form context={context} action={path}>
          <button type="submit" class={done.keyMade ? 'small' : 'primary'}>
            <Icon name="key" />
            {done.keyMade ? t('welcome.create_another_key') : t('welcome.create_a_key')}
          </button>
        </Form>
      ),
    },
    {
      done: done.blockArrived,
      title: t('welcome.add_the_first_blocks'),
      text: t('welcome.run_the_commands_they_add'),
      action: <ActionLink to="/library" label={t('welcome.open_the_library')} icon="library" />,
    },
    {
      done: done.connected,
      title: t('welcome.connect_github_slack_or_another'),
      text: t('welcome.releases_wins_and_new_starters'),
      action: (
        <ActionLink to="/integrations" label={t('welcome.connect_a_tool')} icon="integrations" />
      ),
    },
    {
      done: done.composed,
      title: t('welcome.compose_a_newsletter'),
      text: t('welcome.approve_drafts_create_a_newsletter'),
      action: (
        <ActionLink
          to="/newsletters"
          label={t('welcome.open_the_newsletters')}
          icon="newsletters"
        />
      ),
    },
    {
      done: done.previewed,
      title: t('welcome.preview_the_newsletter'),
      text: t('welcome.see_it_on_a_desktop'),
      action: (
        <ActionLink to="/newsletters" label={t('welcome.open_the_newsletters')} icon="mail" />
      ),
    },
  ]
}

function ActionLink({
  to,
  label,
  icon,
}: {
  to: string
  label: string
  icon: Parameters<typeof Icon>[0]['name']
}) {
  return (
    <a class="button" href={to}>
      <Icon name={icon} />
      <span safe>{label}</span>
    </a>
  )
}

function StepCard({
  t,
  step,
  number,
  current,
}: {
  t: Translate
  step: Step
  number: number
  current: boolean
}) {
  const { done, title, text, action } = step
  return (
    <li class={done ? 'card step done' : 'card step'} aria-current={current ? 'step' : undefined}>
      <span class="step-number">
        {done ? <Icon name="check" /> : <span aria-hidden="true">{number}</span>}
      </span>
      <div>
        <h2>
          <span safe>{title}</span>
          {done ? <span class="visually-hidden">{t('welcome.done')}</span> : null}
        </h2>
        <p safe>{text}</p>
      </div>
      <div class="step-action">{action as 'safe'}</div>
    </li>
  )
}

async function createFirstKey(context: MemberRequest): Promise<Response> {
  const { t } = context

  const made = await createLimitedKey(context.ctx, {
    ...{
      name: t('welcome.first_steps'),
      scopes: ['read', 'write'],
      provider: null,
      expires_at: null,
    },
    ...{ ingest_only: false, allow_auto_ready: true },
  })
  return showKeyOnce(context, made)
}

/** Routes of the welcome page. */
export const welcomePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, show, { role: 'admin' })
    .post(path, createFirstKey, { role: 'admin' })
