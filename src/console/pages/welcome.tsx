import type { Children } from '@kitajs/html'
import { Elysia } from 'elysia'
import { createLimitedKey } from '../../features/api-keys/index.ts'
import { type FirstSteps, getFirstSteps } from '../../features/setup/index.ts'
import { Form } from '../components/form/form.tsx'
import { Icon } from '../components/icon.tsx'
import { layout, PageHeader } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../http/context.ts'
import { showKeyOnce } from './settings/key-value.tsx'

const path = '/welcome'

async function show(context: MemberRequest): Promise<Response> {
  const done = await getFirstSteps(context.ctx)
  const steps = stepsOf(context, done)
  const openSteps = steps.filter((step) => !step.done)
  return await layout(
    context,
    { title: 'Welcome', section: null },
    <>
      <PageHeader
        title={`Welcome, ${context.member.name}`}
        lead="Five steps to a first newsletter with a win and a release. They take about ten minutes and are checked off automatically."
      />
      <section id="steps" aria-label="First steps" {...(openSteps.length > 0 ? polling : {})}>
        <p class="row" role="status">
          <Progress done={steps.length - openSteps.length} all={steps.length} />
        </p>
        <ol class="steps">
          {steps.map((step, at) => (
            <StepCard step={step} number={at + 1} current={step === openSteps[0]} />
          ))}
        </ol>
      </section>
      <p>
        <Icon name="people" /> <a href="/settings/members">Invite colleagues</a>: editors write
        blocks and compose newsletters, viewers read.
      </p>
    </>,
  )
}

function Progress({ done, all }: { done: number; all: number }) {
  return (
    <>
      <progress max={all} value={done} aria-hidden="true" />
      {done < all ? (
        <span safe>{`${done} of ${all} done`}</span>
      ) : (
        <span>
          All done. Continue in the <a href="/library">library</a>.
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
  return [
    {
      done: done.keyMade,
      title: 'Create an API key',
      text: 'Programs add content with a key. The next page shows it once, with two commands to try.',
      action: (
        <Form context={context} action={path}>
          <button type="submit" class={done.keyMade ? 'small' : 'primary'}>
            <Icon name="key" />
            {done.keyMade ? 'Create another key' : 'Create a key'}
          </button>
        </Form>
      ),
    },
    {
      done: done.blockArrived,
      title: 'Add the first blocks',
      text: 'Run the commands: they add a win and a release to the library. Or write a block yourself.',
      action: <ActionLink to="/library" label="Open the library" icon="library" />,
    },
    {
      done: done.connected,
      title: 'Connect GitHub, Slack or another tool',
      text: 'Releases, wins and new starters are then added to the library as drafts.',
      action: <ActionLink to="/integrations" label="Connect a tool" icon="integrations" />,
    },
    {
      done: done.composed,
      title: 'Compose a newsletter',
      text: 'Approve drafts, create a newsletter and add its blocks in the order you want.',
      action: <ActionLink to="/newsletters" label="Open the newsletters" icon="newsletters" />,
    },
    {
      done: done.previewed,
      title: 'Preview the newsletter',
      text: 'See it on a desktop and a phone, in light and dark mode, then send yourself a preview.',
      action: <ActionLink to="/newsletters" label="Open the newsletters" icon="mail" />,
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

function StepCard({ step, number, current }: { step: Step; number: number; current: boolean }) {
  const { done, title, text, action } = step
  return (
    <li class={done ? 'card step done' : 'card step'} aria-current={current ? 'step' : undefined}>
      <span class="step-number">
        {done ? <Icon name="check" /> : <span aria-hidden="true">{number}</span>}
      </span>
      <div>
        <h2>
          <span safe>{title}</span>
          {done ? <span class="visually-hidden">: done</span> : null}
        </h2>
        <p safe>{text}</p>
      </div>
      <div class="step-action">{action as 'safe'}</div>
    </li>
  )
}

async function createFirstKey(context: MemberRequest): Promise<Response> {
  const made = await createLimitedKey(context.ctx, {
    ...{ name: 'First steps', scopes: ['read', 'write'], provider: null, expires_at: null },
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
