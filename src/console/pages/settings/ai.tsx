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
import { blank } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'

const path = '/settings/ai'

async function aiPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { tone, words_to_avoid, example_texts } = await getVoice(context.deps.sql, context.teamId)
  return await settingsLayout(
    context,
    { tab: path, title: 'AI texts', lead: 'How AI drafts and suggestions sound.' },
    <>
      {context.deps.drafts.available ? null : (
        <p class="notice">
          No AI is configured. An operator can set AI_BASE_URL and AI_MODEL; these settings apply
          then.
        </p>
      )}
      <Form context={context} action={path} class="narrow">
        <Field
          name="tone"
          label="Tone"
          hint="For example: warm and short, we say “you”."
          value={tone ?? ''}
          maxlength={200}
          submitted={submitted}
        />
        <TextArea
          name="words_to_avoid"
          label="Words to avoid"
          hint="One per line, or with commas."
          rows={3}
          value={words_to_avoid.join('\n')}
          submitted={submitted}
        />
        {[1, 2, 3].map((number) => (
          <TextArea
            name={`example_${number}`}
            label={`Example ${number}`}
            hint="A text of a past newsletter that sounds as it should."
            rows={5}
            value={example_texts[number - 1] ?? ''}
            submitted={submitted}
          />
        ))}
        <button type="submit" class="primary">
          Save
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
  ...{ example_1: example, example_2: example, example_3: example },
})

async function save(context: FormRequest<typeof AiForm>): Promise<Response> {
  const { tone, words_to_avoid, example_1, example_2, example_3 } = context.body
  const example_texts = [example_1, example_2, example_3].filter((text) => typeof text === 'string')
  await updateTeam(context.ctx, { tone, words_to_avoid, example_texts })
  return redirect(context, path, success('Saved.'))
}

/** Routes of the settings for texts that a language model writes. */
export const aiPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, (context) => aiPage(context), { role: 'admin' })
    .post(path, save, { role: 'admin', body: AiForm, renderWithErrors: aiPage })
