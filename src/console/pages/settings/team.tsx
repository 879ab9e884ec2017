import { Elysia } from 'elysia'
import * as v from 'valibot'
import { TeamChange } from '../../../contract/team.ts'
import {
  type Language,
  languages,
  type NewsletterCadence,
  newsletterCadences,
} from '../../../contract/vocabulary.ts'
import { getTeamDetails, type TeamDetails, updateTeam } from '../../../features/teams/index.ts'
import { Field, Form, Select } from '../../components/form/form.tsx'
import { ImageField } from '../../components/form/image-field.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import {
  editorsWithFile,
  ImageForm,
  type ImageUse,
  readImage,
  splitImage,
} from '../../http/image-form.ts'
import { redirect, success } from '../../http/responses.ts'

const cadenceLabels: Record<NewsletterCadence, string> = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  ad_hoc: 'When needed',
}

/** The languages by their own names. */
const languageLabels: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  nl: 'Nederlands',
  it: 'Italiano',
  pl: 'Polski',
  sv: 'Svenska',
  ja: '日本語',
}

async function start(context: MemberRequest): Promise<Response> {
  return redirect(context, '/settings/team')
}

async function teamPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { aiDraftsPerMonth } = context.deps
  const team = await getTeamDetails(context.ctx, aiDraftsPerMonth)
  return await settingsLayout(
    context,
    {
      tab: '/settings/team',
      title: 'Team',
      lead: 'What readers see at the top of every newsletter.',
      scripts: ['image-field.js'],
    },
    <Form context={context} action="/settings/team" class="narrow" upload>
      <Field
        name="name"
        label="Name"
        value={team.name}
        required
        maxlength={100}
        submitted={submitted}
      />
      <Field
        name="brand_color"
        label="Brand colour"
        hint="Colour of the newsletter header. Its text colour adapts to it."
        type="color"
        value={team.brandColor}
        submitted={submitted}
      />
      <ImageField
        context={context}
        use={logoOf(team)}
        label="Logo"
        hint="Shown at most 200 by 40 pixels large in place of the name. JPEG, PNG, GIF, WebP or AVIF of at most 10 MB."
        withoutText="Without it, the name."
        submitted={submitted}
      />
      <Field
        name="contact"
        label="Contact in the footer"
        hint="An email address, a web address or words."
        value={team.contact ?? ''}
        maxlength={255}
        submitted={submitted}
      />
      <Field
        name="share_url"
        label="Where “Share your news” leads"
        hint="A form or an email address. Without it, your submission form (Settings, Submissions), if you have one."
        value={team.shareUrl?.replace(/^mailto:/, '') ?? ''}
        maxlength={2048}
        submitted={submitted}
      />
      <Select
        name="newsletter_cadence"
        label="How often a newsletter goes out"
        options={newsletterCadences.map((value) => ({ value, label: cadenceLabels[value] }))}
        value={team.newsletterCadence}
        submitted={submitted}
      />
      <Select
        name="language"
        label="Language"
        hint="Language of the texts that Tidings adds to newsletters, such as “Read more”. Your own texts stay as they are."
        options={languages.map((value) => ({ value, label: languageLabels[value] }))}
        value={team.language}
        submitted={submitted}
      />
      <dl class="details-list">
        <dt>Slug</dt>
        <dd>
          <code safe>{team.slug}</code>
        </dd>
        <dt>Plan</dt>
        <dd safe>{team.plan.name}</dd>
      </dl>
      <button type="submit" class="primary">
        Save
      </button>
    </Form>,
  )
}

const TeamForm = v.object({
  ...v.omit(TeamChange, ['logo_url', 'logo_alt']).entries,
  ...ImageForm.entries,
})

const logoOf = ({ logoUrl, logoAlt }: TeamDetails): ImageUse => ({
  ...{ image_url: logoUrl, image_alt: logoAlt, image_focal_x: null, image_focal_y: null },
})

async function save(context: FormRequest<typeof TeamForm>): Promise<Response> {
  const { rest, image } = splitImage(context.body)
  const team = await getTeamDetails(context.ctx, null)
  const logo = await readImage(context, image, logoOf(team), { textOptional: true })
  await updateTeam(context.ctx, { ...rest, logo_url: logo.image_url, logo_alt: logo.image_alt })
  return redirect(context, '/settings/team', success('Saved.'))
}

/** Routes of the team settings. */
export const teamPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings', start, { role: 'admin' })
    .get('/settings/team', (context) => teamPage(context), { role: 'admin' })
    .post('/settings/team', save, {
      role: { ...editorsWithFile, least: 'admin' },
      body: TeamForm,
      renderWithErrors: teamPage,
    })
