import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import { findOriginal } from '../../../../features/content-blocks/index.ts'
import { BlockBody } from '../../../components/block.tsx'
import { Form } from '../../../components/form/form.tsx'
import type { MemberRequest } from '../../../http/context.ts'

/** The text of a block before a suggestion was accepted, with a form that restores it. */
export async function OriginalText({
  context,
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const original = await findOriginal(context.ctx, block.id)
  if (!original || (original.title === block.title && original.body === block.body)) return ''
  return (
    <details>
      <summary>{context.t('suggestion.original_text')}</summary>
      <h3 safe>{original.title}</h3>
      <BlockBody t={context.t} body={original.body} format={original.body_format} />
      <Form context={context} action={`/library/${block.id}/original`}>
        <input type="hidden" name="version" value={String(block.version)} />
        <button type="submit">{context.t('suggestion.restore_the_original')}</button>
      </Form>
    </details>
  )
}
