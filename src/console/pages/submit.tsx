import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import { createImage, maxUploadBytes, processImage } from '../../features/images/index.ts'
import { listMemberships } from '../../features/members/index.ts'
import {
  createSubmission,
  getTeamOfLink,
  NewSubmission,
  submissionTypes,
} from '../../features/submissions/index.ts'
import { createThrottle, networkOf, type Throttle } from '../../lib/concurrency/throttle.ts'
import { type Context, systemContext } from '../../lib/context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { submissionForm } from '../components/actor-name.ts'
import { blockTypeLabels } from '../components/block.tsx'
import { ErrorSummary, Field, Form, Select } from '../components/form/form.tsx'
import { FileField } from '../components/form/images/file-field.tsx'
import { imageTypes } from '../components/form/images/image-field.tsx'
import { TextArea } from '../components/form/text-area.tsx'
import { bareLayout } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../http/context.ts'
import { blank } from '../http/forms/form-data.ts'
import { redirect, success } from '../http/responses.ts'
import { requireSecondFactor, SignInRequiredError } from '../http/sign-in/session.ts'

const perNetworkAndMinute = 10
const perTeamAndMinute = 60

const SubmissionForm = v.object({
  ...NewSubmission.entries,
  id: v.pipe(v.string(), v.uuid('is not the id of a form; reload the page')),
  author: blank(v.nullable(singleLineText(100))),
  image_alt: blank(v.nullable(singleLineText(500))),
  // People do not see this field; programs that fill in forms do.
  website: v.optional(v.string(), ''),
})
type SubmissionRequest = FormRequest<typeof SubmissionForm, ConsoleRequest>

const pathOf = ({ params }: ConsoleRequest) =>
  `/submit/${encodeURIComponent(params['team'] ?? '')}/${encodeURIComponent(params['token'] ?? '')}`

/**
 * The team of the link. Throws `not_found`, and `SignInRequiredError`, `SecondFactorRequiredError` or
 * `insufficient_scope` where only members may send news.
 */
async function requireTeam({ deps, params, signedIn, url }: ConsoleRequest) {
  const link = { slug: params['team'] ?? '', token: params['token'] ?? '' }
  const team = await getTeamOfLink(deps, link)
  if (!team.requires_sign_in) return team
  if (!signedIn) throw new SignInRequiredError()
  const memberships = await listMemberships(deps.sql, signedIn.account.id)
  const member = memberships.find(({ team_id }) => team_id === team.team_id)
  if (!member) {
    throw new AppError('insufficient_scope', `Only members of ${team.team_name} can use this form.`)
  }
  requireSecondFactor({ member, signedIn, url })
  return team
}

async function formPage(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const { team_name } = await requireTeam(context)
  return await bareLayout(
    context,
    {
      title: t('submit.share_your_news_with', { team_name }),
      team: team_name,
      scripts: ['submission.js'],
    },
    <>
      <h1>{t('submit.share_your_news')}</h1>
      <p class="lead" safe>
        {t('submit.an_editor_of_reads', { team_name })}
      </p>
      <ErrorSummary
        submitted={submitted}
        exceptFields={['title', 'body', 'block_type', 'author', 'image', 'image_alt']}
      />
      <Form context={context} action={pathOf(context)} upload draft>
        <input type="hidden" name="id" value={crypto.randomUUID()} />
        <Select
          name="block_type"
          label={t('submit.what_is_it_about')}
          options={submissionTypes.map((value) => ({
            value,
            label: value === 'general' ? t('submit.news') : t(blockTypeLabels[value]),
          }))}
          value="general"
          submitted={submitted}
        />
        <Field
          name="title"
          label={t('submit.headline')}
          required
          maxlength={120}
          submitted={submitted}
        />
        <TextArea
          name="body"
          label={t('submit.what_happened')}
          called={t('common.body')}
          rows={6}
          required
          submitted={submitted}
        />
        <FileField
          name="image"
          label={t('submit.picture_optional')}
          hint={t('submit.jpeg_png_gif_webp')}
          accept={imageTypes}
          submitted={submitted}
        />
        <p class="hint" data-requires-script>
          {t('submit.you_can_also_drop')}
        </p>
        <Field
          name="image_alt"
          label={t('submit.what_the_picture_shows')}
          hint={t('submit.for_people_who_cannot_see')}
          maxlength={500}
          submitted={submitted}
        />
        {context.signedIn ? (
          ''
        ) : (
          <Field
            name="author"
            label={t('submit.your_name')}
            hint={t('submit.shown_with_your_news')}
            autocomplete="name"
            maxlength={100}
            submitted={submitted}
          />
        )}
        <div class="visually-hidden" aria-hidden="true">
          <label for="website">{t('submit.leave_this_field_empty')}</label>
          <input id="website" name="website" tabindex="-1" autocomplete="off" />
        </div>
        <button type="submit" class="button primary full-width">
          {t('submit.send')}
        </button>
      </Form>
    </>,
  )
}

/** What a program sees that fills in the field which people do not see. */
async function thanksPage(context: ConsoleRequest): Promise<Response> {
  const { t } = context
  const { team_name } = await requireTeam(context)
  return await bareLayout(
    context,
    { title: t('submit.thank_you'), team: team_name },
    <>
      <h1>{t('submit.thank_you')}</h1>
      <p class="lead" safe>
        {t('submit.your_news_has_reached', { team_name })}
      </p>
      <p>
        <a href={pathOf(context)}>{t('submit.send_something_else')}</a>
      </p>
    </>,
  )
}

async function send(context: SubmissionRequest, limits: Limits): Promise<Response> {
  const { body: form, deps, signedIn, t } = context
  const { team_id } = await requireTeam(context)
  requireUnderLimit(limits, context.address, team_id)
  if (form.website !== '') return redirect(context, `${pathOf(context)}/thanks`)
  const { id, block_type } = form
  const author = signedIn?.account.name ?? form.author
  const { sql, now } = deps
  const ctx = systemContext({ sql, now }, team_id, submissionForm)
  const image = await storeImage(context, ctx)
  const title = deps.typedText.withEmoji(form.title)
  const text = deps.typedText.formatTypedText(form.body)
  const submission = { id, title, ...text, block_type, author, ...image }
  const receipt = await createSubmission(ctx, submission)
  return redirect(context, receipt, {
    ...success(t('submit.thank_you_your_news')),
    cookies: [deps.senderCookie.set(receipt)],
  })
}

/** Stores the picture of the form, if there is one. Throws `validation_failed`. */
async function storeImage(
  { deps, files, body }: SubmissionRequest,
  ctx: Context,
): Promise<{ image_url: string | null; image_alt: string | null }> {
  const bytes = files['image']
  if (!bytes) return { image_url: null, image_alt: null }
  const { image_alt } = body
  if (image_alt === null) {
    throw invalidField('/image_alt', 'say what the image shows', 'required')
  }
  const file = await processImage(bytes)
  const { url } = await createImage({ ...ctx, ...deps.images }, { file })
  return { image_url: url, image_alt }
}

interface Limits {
  networks: Throttle
  teams: Throttle
}

function requireUnderLimit({ networks, teams }: Limits, address: string, teamId: string): void {
  const retryAfterSeconds = networks.count(networkOf(address)) || teams.count(teamId)
  if (retryAfterSeconds === 0) return
  throw new AppError('rate_limited', 'Too much news at once. Try again in a minute.', {
    retryAfterSeconds,
  })
}

/** Routes of the form with which people outside the team send it news. */
export function submitPages(deps: ConsoleDeps) {
  const limits = {
    networks: createThrottle(deps.now, perNetworkAndMinute),
    teams: createThrottle(deps.now, perTeamAndMinute),
  }
  return new Elysia()
    .use(access(deps))
    .get('/submit/:team/:token', (context) => formPage(context), { public: true })
    .get('/submit/:team/:token/thanks', thanksPage, { public: true })
    .post('/submit/:team/:token', (context) => send(context, limits), {
      public: { maxFileBytes: maxUploadBytes },
      body: SubmissionForm,
      renderWithErrors: formPage,
    })
}
