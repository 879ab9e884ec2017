import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { SampleRequest } from '../../../../features/connections/index.ts'
import { ErrorSummary, Form } from '../../../components/form/form.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { connectionLayout } from '../connection/layout.tsx'
import { loadWithIntegration } from '../connection/load-connection.ts'
import { dryRunResult } from './result.tsx'

const showErrors = (context: MemberRequest, submitted: SubmittedForm) =>
  dryRunPage(context, { submitted })

async function dryRunPage(
  context: MemberRequest,
  { submitted, result = '' }: { submitted?: SubmittedForm; result?: JSX.Element } = {},
): Promise<Response> {
  const { t } = context
  const { connection, integration } = await loadWithIntegration(context)
  const examples = await integration.examples()
  const { events } = await integration.page(context.userLocale.language)
  const chosen = context.url.searchParams.get('example')
  const example = examples.get(chosen ?? '') ?? examples.values().next().value
  const path = `/integrations/${connection.id}/try`
  const title = t('integrations.test_name', { name: integration.name })
  return await connectionLayout(
    context,
    { connection, title, tab: '/try' },
    <>
      <p class="lead">{t('integrations.paste_a_request')}</p>
      {result}
      {examples.size > 0 ? (
        <p class="row">
          {t('integrations.examples')}
          {[...examples.keys()].slice(0, 6).map((name) => (
            <a class="button small" href={`${path}?example=${encodeURIComponent(name)}`} safe>
              {exampleTitle(t, name, events)}
            </a>
          ))}
        </p>
      ) : null}
      <Form context={context} action={path} draft="device">
        <ErrorSummary submitted={submitted} exceptFields={['headers', 'body']} />
        <TextArea
          name="headers"
          label={t('integrations.headers')}
          hint={t('integrations.one_per_line_for_example')}
          rows={4}
          value={headerLines(example)}
          submitted={submitted}
          mono
        />
        <TextArea
          name="body"
          label={t('integrations.body')}
          rows={14}
          value={example?.body ?? ''}
          submitted={submitted}
          required
          mono
        />
        <button type="submit" class="primary">
          {t('integrations.test')}
        </button>
      </Form>
    </>,
  )
}

/** What an example is: the event as the guide describes it, and what is special about the request. */
function exampleTitle(t: Translate, name: string, events: ReadonlyMap<string, string>): string {
  const [kind, meaning] =
    [...events]
      .map(([event, text]) => [event.split(':').at(-1) ?? event, text] as const)
      .find(([event]) => name === event || name.startsWith(`${event}.`)) ?? ([] as const)
  const rest = kind === undefined ? name : name.slice(kind.length + 1)
  const words = rest.replace(/(?:^|\.)bare$/, '').replaceAll(/[._-]/g, ' ')
  const few = rest.endsWith('bare') ? t('integrations.only_required_fields') : ''
  const special = [words, few].filter((part) => part !== '').join(', ')
  if (meaning === undefined) return special
  return special === '' ? meaning : `${meaning} (${special})`
}

const headerLines = (example: SampleRequest | undefined) =>
  Object.entries(example?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const Headers = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split('\n').map((line) => line.trim())),
  v.transform((lines) => lines.filter((line) => line !== '')),
  v.everyItem(
    (line) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e]*$/.test(line),
    'must be lines such as content-type: application/json',
  ),
  v.transform((lines) =>
    Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
    ),
  ),
)

const Request = v.object({
  headers: Headers,
  body: v.pipe(v.optional(v.string(), ''), v.nonEmpty('is required')),
})

async function runDryRun(context: FormRequest<typeof Request>): Promise<Response> {
  const { headers, body } = context.body
  const { connection, integration } = await loadWithIntegration(context)
  const sample = { headers, body }
  const result = await dryRunResult(context, integration, sample, connection.settings)
  return await dryRunPage(context, { submitted: { values: context.values, errors: [] }, result })
}

/** Routes of the dry run. */
export const dryRunPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/integrations/:id/try', (context) => dryRunPage(context), { role: 'admin' })
    .post('/integrations/:id/try', runDryRun, {
      role: 'admin',
      body: Request,
      renderWithErrors: showErrors,
    })
