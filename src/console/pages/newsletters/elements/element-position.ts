import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { invalidField } from '../../../../lib/errors.ts'
import type { SubmittedForm } from '../../../http/context.ts'
import type { FormValues } from '../../../http/forms/form-data.ts'

type Element = Newsletter['elements'][number]

/** The id of the newsletter block before which an element is; empty at the end. */
export const nextBlockIdOf = ({ blocks }: Newsletter, element: Element | null): string =>
  blocks.find(({ position }) => position === element?.before_position)?.id ?? ''

/** The block that a person has chosen as the next one; undefined when it is the one that the form showed. */
function chosenNextBlock({ before, original_before }: FormValues): string | undefined {
  // A browser that restores a block that was removed has nothing selected, and sends no block.
  return typeof before !== 'string' || before === original_before ? undefined : before
}

/** A form that is shown again: with the stored position, unless the person has chosen another one that still exists. */
export function withStoredPosition(
  form: SubmittedForm,
  newsletter: Newsletter,
  element: Element | null,
): SubmittedForm {
  const chosen = chosenNextBlock(form.values)
  const exists = chosen === '' || newsletter.blocks.some(({ id }) => id === chosen)
  const values = exists
    ? form.values
    : { ...form.values, before: nextBlockIdOf(newsletter, element) }
  return { ...form, values }
}

/**
 * The position of the block before which an element is placed; one after the last without a block. Throws
 * `validation_failed` for a block that was removed.
 */
export function positionBefore({ blocks }: Newsletter, before: string): number {
  const block = blocks.find(({ id }) => id === before)
  if (block || before === '') return block?.position ?? blocks.length + 1
  const message = 'This block was removed from the newsletter. Choose another place'
  throw invalidField('/before', message, 'not_found')
}

/** The change of the position. What a person has not chosen stays as it is stored now. */
export function positionChange(
  newsletter: Newsletter,
  values: FormValues,
): { before_position?: number } {
  const chosen = chosenNextBlock(values)
  return chosen === undefined ? {} : { before_position: positionBefore(newsletter, chosen) }
}
