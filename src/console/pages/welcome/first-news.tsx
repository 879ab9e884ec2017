import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'

/** A form for news that a person pastes. The refresh of the steps leaves it alone. */
export function FirstNews({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const { t } = context
  return (
    <Form context={context} action="/welcome/news" draft>
      <p>{t('welcome.paste_from_anywhere')}</p>
      <ErrorSummary submitted={submitted} exceptFields={['title', 'body']} />
      <Field
        name="title"
        label={t('common.title')}
        required
        maxlength={255}
        submitted={submitted}
      />
      <TextArea
        name="body"
        label={t('common.body')}
        hint={t('library.plain_text_or_html_scripts')}
        rows={4}
        richText
        value=""
        required
        submitted={submitted}
      />
      <div class="row">
        <button type="submit" class="button">
          {t('welcome.add_to_the_library')}
        </button>
        <button type="submit" name="create" value="newsletter">
          {t('welcome.add_and_create')}
        </button>
      </div>
    </Form>
  )
}
