import { type FirstSteps, getFirstSteps } from '../../../features/setup/index.ts'
import { getTeamDetails } from '../../../features/teams/index.ts'
import { getTemplate, inLanguage } from '../../../features/templates/index.ts'
import { attribute } from '../../attribute.ts'
import { Form } from '../../components/form/form.tsx'
import { laterRichTextScripts, richTextScripts } from '../../components/form/text-area.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { samplePath } from '../settings/templates/preview.tsx'
import { formOf } from '../settings/templates/values.ts'
import { Steps } from './steps.tsx'

const scripts = ['welcome.js', 'preview.js', ...richTextScripts] as const

/** The steps to the first newsletter, beside the newsletter as it is so far. */
export async function welcomePage(
  context: MemberRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { t } = context
  const done = await getFirstSteps(context.ctx)
  return await layout(
    context,
    {
      title: t('welcome.first_steps'),
      section: 'welcome',
      ...{ scripts, laterScripts: laterRichTextScripts, isCompressed: true },
    },
    <>
      <PageHeader
        title={t('welcome.welcome', { name: context.member.name })}
        lead={t('welcome.lead')}
      />
      <div class="welcome">
        <div>
          <Steps context={context} done={done} submitted={submitted} />
          <More context={context} />
        </div>
        <Newsletter context={context} done={done} />
      </div>
    </>,
  )
}

/** The newsletter of the team, or else the sample, in the name and color of the team. */
async function Newsletter({ context, done }: { context: MemberRequest; done: FirstSteps }) {
  const { t } = context
  const id = done.newsletterId ?? done.sampleNewsletterId
  return (
    <section class="welcome-newsletter" aria-labelledby="newsletter-title">
      <div class="row between">
        <h2 id="newsletter-title">
          {done.newsletterId ? t('welcome.your_newsletter') : t('welcome.looks_like_this')}
        </h2>
        <a href="/settings/team">{t('welcome.change_name_and_color')}</a>
      </div>
      <section
        id="preview-viewport"
        class="preview-viewport"
        tabindex="0"
        aria-label={t('newsletters.the_email_which_may')}
      >
        <iframe
          class="preview-frame desktop"
          src={attribute(
            id ? `/newsletters/${id}/html?scheme=light` : await templateSample(context),
          )}
          title={t('newsletters.the_email')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

/** The address of the sample in the default template, with its sections. */
async function templateSample({ ctx }: MemberRequest): Promise<string> {
  const { language } = await getTeamDetails(ctx, null)
  return samplePath(formOf(inLanguage(await getTemplate(ctx, 'clean'), language)))
}

/** What can wait until later. */
function More({ context }: { context: MemberRequest }) {
  const { t } = context
  return (
    <section aria-labelledby="more-title">
      <h2 id="more-title">{t('welcome.more')}</h2>
      <ul class="link-list">
        <li>
          <Icon name="people" />
          <span>
            {t.html('welcome.invite_colleagues', {
              link: (text) => <a href="/settings/members">{text}</a>,
            })}
          </span>
        </li>
        <li>
          <Icon name="key" />
          <span>{t('welcome.programs_add_content')}</span>
          <Form context={context} action="/welcome">
            <button type="submit" class="small">
              {t('welcome.create_a_key')}
            </button>
          </Form>
        </li>
      </ul>
      {context.member.team_has_first_steps ? (
        <Form context={context} action="/welcome/hide">
          <button type="submit" class="ghost small">
            {t('welcome.hide')}
          </button>
        </Form>
      ) : null}
    </section>
  )
}
