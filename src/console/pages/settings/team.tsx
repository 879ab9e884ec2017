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
import { ImageField } from '../../components/form/images/image-field.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import {
  editorsWithFile,
  ImageForm,
  type ImageUse,
  readImage,
  splitImage,
} from '../../http/forms/image-form.ts'
import { redirect, success } from '../../http/responses.ts'
import type { TextKey } from '../../locales/index.ts'

/** The labels of how often a team plans a newsletter. */
export const cadenceLabels: Record<NewsletterCadence, TextKey> = {
  weekly: 'team.weekly',
  biweekly: 'team.every_two_weeks',
  monthly: 'team.monthly',
  quarterly: 'team.quarterly',
  ad_hoc: 'team.when_needed',
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
  const { t } = context
  const { aiDraftsPerMonth } = context.deps
  const team = await getTeamDetails(context.ctx, aiDraftsPerMonth)
  return await settingsLayout(
    context,
    {
      tab: '/settings/team',
      title: t('settings.team_details'),
      lead: t('team.what_readers_see'),
      scripts: ['image-field.js'],
    },
    <Form context={context} action="/settings/team" class="narrow" upload draft>
      <Field
        name="name"
        label={t('common.name')}
        value={team.name}
        required
        maxlength={100}
        submitted={submitted}
      />
      <Field
        name="brand_color"
        label={t('team.brand_color')}
        hint={t('team.color_of_the_newsletter_header')}
        type="color"
        value={team.brandColor}
        submitted={submitted}
      />
      <ImageField
        t={t}
        context={context}
        use={logoOf(team)}
        label={t('team.logo')}
        hint={t('team.shown_at_most_200')}
        withoutText={t('team.without_it_the_name')}
        submitted={submitted}
      />
      <Field
        name="contact"
        label={t('team.contact_in_the_footer')}
        hint={t('team.an_email_address_a_web')}
        value={team.contact ?? ''}
        maxlength={255}
        submitted={submitted}
      />
      <Field
        name="share_url"
        label={t('team.where_share_your_news_leads')}
        called={t('common.link')}
        hint={t('team.a_form_or_an_email')}
        value={team.shareUrl?.replace(/^mailto:/, '') ?? ''}
        maxlength={2048}
        submitted={submitted}
      />
      <Select
        name="newsletter_cadence"
        label={t('team.how_often_a_newsletter_goes')}
        options={newsletterCadences.map((value) => ({ value, label: t(cadenceLabels[value]) }))}
        value={team.newsletterCadence}
        submitted={submitted}
      />
      <Select
        name="language"
        label={t('team.language')}
        hint={t('team.language_of_the_texts')}
        options={languages.map((value) => ({ value, label: languageLabels[value] }))}
        value={team.language}
        submitted={submitted}
      />
      <dl class="details-list">
        <dt>{t('team.slug')}</dt>
        <dd>
          <code safe>{team.slug}</code>
        </dd>
        <dt>{t('team.plan')}</dt>
        <dd safe>{team.plan.name}</dd>
      </dl>
      <button type="submit" class="primary">
        {t('common.save')}
      </button>
    </Form>,
  )
}

const TeamForm = v.object({
  ...v.omit(TeamChange, ['logo_url', 'logo_alt']).entries,
  ...ImageForm.entries,
})

const logoOf = ({ logoUrl, logoAlt }: TeamDetails): ImageUse => ({
  image_url: logoUrl,
  image_alt: logoAlt,
  image_focal_x: null,
  image_focal_y: null,
})

async function save(context: FormRequest<typeof TeamForm>): Promise<Response> {
  const { t } = context
  const { rest, image } = splitImage(context.body)
  const team = await getTeamDetails(context.ctx, null)
  const logo = await readImage(context, image, logoOf(team), { textOptional: true })
  await updateTeam(context.ctx, { ...rest, logo_url: logo.image_url, logo_alt: logo.image_alt })
  return redirect(context, '/settings/team', success(t('common.saved')))
}

/** Routes of the team settings. */
export const teamPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/settings', start, { role: 'admin' })
    .get('/settings/team', (context) => teamPage(context), { role: 'admin' })
    .post('/settings/team', save, {
      role: { ...editorsWithFile, minimum: 'admin' },
      body: TeamForm,
      renderWithErrors: teamPage,
    })
