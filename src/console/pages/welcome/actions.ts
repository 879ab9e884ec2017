import * as v from 'valibot'
import { NewBlock } from '../../../contract/blocks/input.ts'
import { createLimitedKey } from '../../../features/api-keys/index.ts'
import { createBlock } from '../../../features/content-blocks/index.ts'
import { addSampleContent, removeSampleContent } from '../../../features/sample-content/index.ts'
import { hideFirstSteps } from '../../../features/teams/index.ts'
import type { FormRequest, MemberRequest } from '../../http/context.ts'
import { replaceEmojiCodesInForm } from '../../http/emoji-codes.ts'
import { redirect, success } from '../../http/responses.ts'
import { createSuggestedNewsletter } from '../newsletters/new.tsx'
import { showKeyOnce } from '../settings/keys/key-value.tsx'

const path = '/welcome'

/** The news that a person has pasted, and whether the newsletter is created with it. */
export const NewsForm = v.object({
  title: NewBlock.entries.title,
  body: NewBlock.entries.body,
  create: v.optional(v.literal('newsletter')),
})

/** Adds a block that is ready, because its author approves it, and creates the newsletter if the person wants that. */
export async function addNews(context: FormRequest<typeof NewsForm>): Promise<Response> {
  const { create, ...typed } = context.body
  const news = { ...replaceEmojiCodesInForm(context.deps, typed), status: 'ready' as const }
  if (create === 'newsletter') {
    return await createSuggestedNewsletter(context, (ctx) => createBlock(ctx, news))
  }
  const { title } = await createBlock(context.ctx, news)
  return redirect(context, path, success(context.t('welcome.news_added', { title })))
}

/** Adds the sample newsletter. */
export async function addSample(context: MemberRequest): Promise<Response> {
  await addSampleContent(context.ctx)
  return redirect(context, path, success(context.t('welcome.sample_added')))
}

/** Removes the sample newsletter. */
export async function removeSample(context: MemberRequest): Promise<Response> {
  const { t } = context
  const kept = await removeSampleContent(context.ctx)
  const message =
    kept === 0 ? t('welcome.sample_removed') : t('welcome.sample_removed_except', { kept })
  return redirect(context, path, success(message))
}

/** Creates an API key and shows it once. */
export async function createFirstKey(context: MemberRequest): Promise<Response> {
  const made = await createLimitedKey(context.ctx, {
    name: context.t('welcome.first_steps'),
    scopes: ['read', 'write'],
    provider: null,
    expires_at: null,
    ingest_only: false,
    allow_auto_ready: true,
  })
  return showKeyOnce(context, made)
}

/** Hides the first steps from the navigation. */
export async function hide(context: MemberRequest): Promise<Response> {
  await hideFirstSteps(context.ctx)
  return redirect(context, '/library', success(context.t('welcome.hidden')))
}
