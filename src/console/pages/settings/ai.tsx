import { Elysia } from 'elysia'
import * as v from 'valibot'
import { maxExampleCharacters, TeamChange, WordsToAvoid } from '../../../contract/team.ts'
import { multilineText } from '../../../contract/text.ts'
import { getVoice, updateTeam } from '../../../features/teams/index.ts'
import { Field, Form } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { blank } from '../../http/forms/form-data.ts'
import { redirect, success } from '../../http/responses.ts'

const path = '/settings/ai'

async function aiPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const { tone, words_to_avoid, example_texts } = await getVoice(context.deps.sql, context.teamId)
  return await settingsLayout(
    context,
    { tab: path, title: t('settings.ai_texts'), lead: t('ai.lead') },
    <>
      {context.deps.drafts.available ? null : <p class="notice">{t('ai.not_configured')}</p>}
      <Form context={context} action={path} class="narrow" draft>
        <Field
          name="tone"
          label={t('ai.tone')}
          hint={t('ai.tone_hint')}
          value={tone ?? ''}
          maxlength={200}
          submitted={submitted}
        />
        <TextArea
          name="words_to_avoid"
          label={t('ai.words_to_avoid')}
          hint={t('ai.words_hint')}
          rows={3}
          value={words_to_avoid.join('\n')}
          submitted={submitted}
        />
        {[1, 2, 3].map((number) => (
          <TextArea
            name={`example_${number}`}
            label={t('ai.example', { number })}
            hint={t('ai.example_hint')}
            rows={5}
            value={example_texts[number - 1] ?? ''}
            submitted={submitted}
          />
        ))}
        <button type="submit" class="primary">
          {t('common.save')}
        </button>
      </Form>
    </>,
  )
}

const words = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[,\n]/).map((word) => word.trim())),
  v.transform((list) => list.filter((word) => word !== '')),
  WordsToAvoid,
)

const example = blank(v.nullish(multilineText(maxExampleCharacters)))

const AiForm = v.object({
  tone: TeamChange.entries.tone,
  words_to_avoid: words,
  example_1: example,
  example_2: example,
  example_3: example,
})

async function save(context: FormRequest<typeof AiForm>): Promise<Response> {
  const { tone, words_to_avoid, example_1, example_2, example_3 } = context.body
  const example_texts = [example_1, example_2, example_3].filter((text) => typeof text === 'string')
  await updateTeam(context.ctx, { tone, words_to_avoid, example_texts })
  return redirect(context, path, success(context.t('common.saved')))
}

/** Routes of the settings for texts that a language model writes. */
export const aiPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, (context) => aiPage(context), { role: 'admin' })
    .post(path, save, { role: 'admin', body: AiForm, renderWithErrors: aiPage })
