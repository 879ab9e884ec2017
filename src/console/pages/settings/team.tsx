import { Elysia } from 'elysia'
import { TeamChange } from '../../../contract/team.ts'
import {
  type Language,
  languages,
  type NewsletterCadence,
  newsletterCadences,
} from '../../../contract/vocabulary.ts'
import { getTeamDetails, updateTeam } from '../../../features/teams/index.ts'
import { Field, Form, Select } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
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
    },
    <Form context={context} action="/settings/team" class="narrow">
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
      <Field
        name="logo_url"
        label="Logo"
        hint="The address of an image, shown at most 200 by 40 pixels large. Without it, the name is shown."
        value={team.logoUrl ?? ''}
        maxlength={2048}
        submitted={submitted}
      />
      <Field
        name="logo_alt"
        label="What the logo shows"
        hint="For readers who do not see it; without it, the name."
        value={team.logoAlt ?? ''}
        maxlength={255}
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

async function save(context: FormRequest<typeof TeamChange>): Promise<Response> {
  await updateTeam(context.ctx, context.body)
  return redirect(context, '/settings/team', success('Saved.'))
}

/** Routes of the team settings. */
export const teamPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings', start, { role: 'admin' })
    .get('/settings/team', (context) => teamPage(context), { role: 'admin' })
    .post('/settings/team', save, { role: 'admin', body: TeamChange, renderWithErrors: teamPage })
