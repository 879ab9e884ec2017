import { Elysia } from 'elysia'
import * as v from 'valibot'
import { changedBody } from '../../../../contract/blocks/input.ts'
import {
  collectRemovals,
  requireBodyFits,
  updateBlock,
} from '../../../../features/content-blocks/index.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { eventOptions } from '../../../components/form/event-options.ts'
import {
  conflictStatus,
  keepsBoth,
  retryAfterChange,
} from '../../../components/form/text-conflicts.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { replaceEmojiCodesInForm } from '../../../http/emoji-codes.ts'
import { shownVersion } from '../../../http/forms/form-data.ts'
import {
  editorsWithFile,
  readImage,
  splitImage,
  storeChosenImage,
} from '../../../http/forms/image-form.ts'
import { redirect } from '../../../http/responses.ts'
import { loadBlock } from '../load-block.ts'
import { BlockEditor } from './block-editor.tsx'
import { BlockForm, editorScripts, laterEditorScripts, savedFlash } from './block-form.ts'
import {
  canKeepBoth,
  fieldsOf,
  findBlockConflicts,
  mergedValues,
  undecidedConflicts,
  withoutGaps,
  withTheirValues,
} from './conflicts.ts'

async function editBlockPage(context: MemberRequest, form?: SubmittedForm): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  // What only another person has changed since the form was shown is theirs.
  const submitted = form && { ...form, values: withTheirValues(form.values, block) }
  const conflicts = form ? undecidedConflicts(withoutGaps(form.values, block), block) : []
  const events = await eventOptions(context, block.event_slug ?? '', submitted)
  return await layout(
    context,
    {
      title: t('library.edit_page', { title: block.title }),
      section: 'library',
      scripts: editorScripts,
      laterScripts: laterEditorScripts,
      status: conflictStatus(submitted, conflicts),
      isCompressed: true,
    },
    <>
      <PageHeader
        title={t('common.edit')}
        parent={{ href: `/library/${block.id}`, title: block.title }}
      />
      <BlockEditor
        t={t}
        context={context}
        action={`/library/${block.id}/edit`}
        submitted={submitted}
        conflicts={conflicts}
        canKeepBoth={canKeepBoth(form?.values ?? {}, block)}
        block={block}
        events={events}
        version={block.version}
        originals={fieldsOf(block)}
        submitLabel={t('common.save')}
        cancelPath={`/library/${block.id}`}
      />
    </>,
  )
}

const EditForm = v.object({ ...BlockForm.entries, body: changedBody, version: shownVersion })

async function edit(context: FormRequest<typeof EditForm>): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  await storeChosenImage(context)
  const values = withoutGaps(context.values, block)
  const conflicts = findBlockConflicts(values, { block, version: context.body.version })
  if (conflicts.length > 0 && !keepsBoth(values)) {
    return await editBlockPage(context, { values, errors: [] })
  }
  const { version, ...form } = parseInput(EditForm, mergedValues(values, block))
  await requireBodyFits(context.ctx, { id: block.id, body: form.body })
  const { rest, image } = splitImage(form)
  const written = replaceEmojiCodesInForm(context.deps, rest)
  const imageFields = await readImage(context, image, block)
  const { id, body_format, ...current } = block
  // Unchanged text keeps its format, even when it looks like another one.
  const isNew = rest.body !== current.body
  const input = {
    ...rest,
    ...(rest.title !== current.title && { title: written.title }),
    ...(isNew && { body: written.body }),
  }
  const change = { ...input, ...imageFields, ...(!isNew && { body_format }) }
  const { convert, removals } = collectRemovals(context.deps.bodyConversion)
  await updateBlock(context.ctx, { id, change, convert, expected: [block.version] })
  return redirect(
    context,
    `/library/${id}`,
    savedFlash(t, isNew ? removals : [], t('common.saved')),
  )
}

/** Routes that edit blocks. */
export const editPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/:id/edit', (context) => editBlockPage(context), { role: 'editor' })
    .post('/library/:id/edit', (context) => retryAfterChange(() => edit(context)), {
      role: editorsWithFile,
      body: EditForm,
      renderWithErrors: editBlockPage,
    })
