import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import type { Suggestion } from '../../../../features/ai-drafts/index.ts'
import { textLinesOf } from '../../../../lib/html/sanitize-html.ts'
import { attribute } from '../../../attribute.ts'
import { BlockBody } from '../../../components/block.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import type { MemberRequest } from '../../../http/context.ts'

/** The page that suggests a text for a block. */
export const suggestionPath = ({ id }: Pick<ContentBlock, 'id'>) => `/library/${id}/suggestion`

const textOf = (body: string, format: ContentBlock['body_format']) =>
  format === 'html' ? textLinesOf(body) : body

/** The suggestion with its differences from the present text, and the form that accepts it. */
export function Comparison({
  context,
  block,
  suggestion,
}: {
  context: MemberRequest
  block: ContentBlock
  suggestion: Suggestion
}) {
  const { t } = context
  return (
    <section class="card" aria-labelledby="suggested">
      <h2 id="suggested">{t('suggestion.suggestion')}</h2>
      <h3 safe>{suggestion.title}</h3>
      <BlockBody t={t} body={suggestion.body} />
      <h3 class="differences">{t('suggestion.differences')}</h3>
      <TextDiff before={block.title} after={suggestion.title} />
      <TextDiff
        before={textOf(block.body, block.body_format)}
        after={textLinesOf(suggestion.body)}
      />
      <p class="muted">{t('suggestion.check_every_fact')}</p>
      <Form context={context} action={`${suggestionPath(block)}/accept`}>
        <input type="hidden" name="title" value={attribute(suggestion.title)} />
        <input type="hidden" name="body" value={attribute(suggestion.body)} />
        <input type="hidden" name="version" value={String(block.version)} />
        <div class="row">
          <button type="submit" class="primary">
            {t('suggestion.accept')}
          </button>
          <a href={`/library/${block.id}`}>{t('suggestion.reject')}</a>
        </div>
      </Form>
    </section>
  )
}
