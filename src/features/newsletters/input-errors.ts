import { ElementChange } from '../../contract/newsletters/element.ts'
import { NewsletterChange } from '../../contract/newsletters/input.ts'
import type { Context } from '../../lib/context.ts'
import { type FieldError, inputErrorsOf } from '../../lib/errors.ts'
import { validPartOf } from '../../lib/parse.ts'
import { elementContentOf, requireElement, withChange } from './composition/elements.ts'
import { richText, withCleanTexts } from './composition/rich-text.ts'
import { requireTemplate } from './rendering/previews/newsletter.ts'

type Body = Readonly<Record<string, unknown>>

/** What the schema of a newsletter cannot find: an unknown template, texts of which nothing is left. */
export async function findNewsletterErrors(ctx: Context, body: Body): Promise<FieldError[]> {
  const { template_slug, intro, closing } = validPartOf(NewsletterChange, body)
  const found = await Promise.all([
    inputErrorsOf(() => template_slug && requireTemplate(ctx, template_slug)),
    inputErrorsOf(() => withCleanTexts({ intro })),
    inputErrorsOf(() => withCleanTexts({ closing })),
  ])
  return found.flat()
}

/** What the schema of a new element cannot find: a text of which nothing is left. */
export async function findNewElementErrors(input: Body): Promise<FieldError[]> {
  const { body } = validPartOf(ElementChange, input)
  return await inputErrorsOf(() => body && richText(body, '/body'))
}

/** What the schema of a changed element cannot find: fields that its type does not have. */
export async function findElementErrors(
  ctx: Context,
  { id, elementId, input }: { id: string; elementId: string; input: Body },
): Promise<FieldError[]> {
  const current = await requireElement(ctx, { id, elementId })
  return await inputErrorsOf(() =>
    elementContentOf(withChange(current, validPartOf(ElementChange, input))),
  )
}
