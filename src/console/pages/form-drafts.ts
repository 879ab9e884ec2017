import { Elysia } from 'elysia'
import * as v from 'valibot'
import { findFormDraft, saveFormDraft } from '../../features/form-drafts/index.ts'
import { access } from '../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../http/context.ts'

const formName = v.pipe(v.string(), v.minLength(1), v.maxLength(300))

const DraftForm = v.object({
  form: formName,
  content: v.pipe(v.string(), v.maxBytes(200_000)),
  /** Milliseconds since 1970, by the clock of the browser. */
  saved_at: v.pipe(v.string(), v.regex(/^\d{13}$/), v.transform(Number)),
  /** How many milliseconds ago that was: more than a moment in a request that is repeated. */
  age: v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number)), '0'),
})

/** Stores the text of a form; 409 when newer text is stored, as from another device. */
async function save(context: FormRequest<typeof DraftForm>): Promise<Response> {
  const { form, content, saved_at, age } = context.body
  const draft = {
    memberId: context.member.id,
    form,
    content,
    savedAt: new Date(saved_at),
    ageMs: age,
  }
  const isStored = await saveFormDraft(context.ctx, draft)
  return new Response(null, { status: isStored ? 204 : 409 })
}

/** The draft of the person for a form as JSON, or null. */
async function show({ ctx, member, url }: MemberRequest): Promise<Response> {
  const form = v.safeParse(formName, url.searchParams.get('form'))
  const draft = form.success
    ? await findFormDraft(ctx, { memberId: member.id, form: form.output })
    : null
  return Response.json(draft && { content: draft.content, savedAt: draft.savedAt.getTime() })
}

/** Routes of text that is not saved yet. */
export const formDraftPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/drafts', show, { role: 'viewer' })
    .post('/drafts', save, { role: 'viewer', body: DraftForm })
