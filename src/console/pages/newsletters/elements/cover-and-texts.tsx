import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewsletterChange } from '../../../../contract/newsletters/input.ts'
import type { NewsletterSummary } from '../../../../contract/newsletters/newsletter.ts'
import { getNewsletter, updateNewsletter } from '../../../../features/newsletters/index.ts'
import { getTeamDetails } from '../../../../features/teams/index.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { ErrorSummary, Form } from '../../../components/form/form.tsx'
import { FormButtons } from '../../../components/form/form-buttons.tsx'
import {
  findImageConflicts,
  hasTwoTexts,
  seenImageConflicts,
} from '../../../components/form/images/image-conflicts.ts'
import { imageFieldNames } from '../../../components/form/images/image-field.tsx'
import { TheirImage } from '../../../components/form/images/their-image.tsx'
import {
  laterRichTextScripts,
  richTextScripts,
  TextArea,
} from '../../../components/form/text-area.tsx'
import {
  type Conflict,
  conflictStatus,
  findConflicts,
  keepsBoth,
  mergedTexts,
  OriginalTexts,
  retryAfterChange,
  seenConflicts,
  TextConflictNotice,
  type Texts,
  withSeen,
  withTheirTexts,
} from '../../../components/form/text-conflicts.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { type FormValues, textOf } from '../../../http/forms/form-data.ts'
import {
  editorsWithFile,
  ImageForm,
  readImage,
  splitImage,
  storeChosenImage,
} from '../../../http/forms/image-form.ts'
import { redirect, success } from '../../../http/responses.ts'
import type { TextKey } from '../../../locales/index.ts'
import { NewsletterHeader } from '../header.tsx'
import { CoverFields } from './cover-fields.tsx'
import { coverImageOf, coverTexts, withStoredCover } from './cover-values.ts'
import { htmlOf, typedTextOf } from './typed-text.ts'

const names = [...imageFieldNames, 'title', 'cover_color', 'intro', 'closing']

const Part = v.fallback(v.picklist(['all', 'cover', 'intro', 'closing']), 'all')
type Part = v.InferOutput<typeof Part>

const titles = {
  all: 'newsletters.cover_and_texts',
  cover: 'newsletters.cover',
  intro: 'newsletters.introduction',
  closing: 'newsletters.closing_text',
} as const satisfies Record<Part, TextKey>

const includes = (part: Part, wanted: Part) => part === 'all' || part === wanted

async function framePage(context: MemberRequest, form?: SubmittedForm): Promise<Response> {
  const { t } = context
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const team = await getTeamDetails(context.ctx, null)
  const wanted = form ? textOf(form.values, 'part') : context.url.searchParams.get('part')
  const part = v.parse(Part, wanted)
  const shown = { newsletter, part, brandColor: team.brandColor }
  const submitted = form && withTheirChanges(form, shown)
  const conflicts = form ? undecidedConflicts(form.values, shown) : []
  const path = `/newsletters/${newsletter.id}`
  return await layout(
    context,
    {
      title: t('newsletters.cover_and_texts_of', { title: newsletter.title }),
      section: 'newsletters',
      status: conflictStatus(submitted, conflicts),
      scripts: [...richTextScripts, 'image-field.js'],
      laterScripts: laterRichTextScripts,
    },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <h2>{t(titles[part])}</h2>
      <Form context={context} action={`${path}/frame`} class="narrow" upload draft>
        <ErrorSummary submitted={submitted} exceptFields={names} />
        <TextConflictNotice
          t={t}
          conflicts={conflicts}
          elements={{ image: <TheirImage context={context} use={coverImageOf(newsletter)} /> }}
          canKeepBoth={(name) =>
            name !== 'image' || (form ? hasTwoTexts(form.values, coverImageOf(newsletter)) : false)
          }
        />
        <input type="hidden" name="part" value={part} />
        <OriginalTexts texts={textsOf(newsletter, part)} />
        {includes(part, 'cover') ? (
          <>
            <OriginalTexts texts={coverTexts(newsletter, team.brandColor)} />
            <CoverFields {...{ context, newsletter, team, submitted }} />
          </>
        ) : null}
        {includes(part, 'intro') ? (
          <TextArea
            name="intro"
            label={t('newsletters.introduction')}
            hint={t('newsletters.blank_lines_make_paragraphs_html')}
            rows={5}
            richText
            value={typedTextOf(newsletter.intro)}
            submitted={submitted}
          />
        ) : null}
        {includes(part, 'closing') ? (
          <TextArea
            name="closing"
            label={t('newsletters.closing_text')}
            hint={t('newsletters.blank_lines_make_paragraphs_html')}
            rows={4}
            richText
            value={typedTextOf(newsletter.closing)}
            submitted={submitted}
          />
        ) : null}
        <FormButtons t={t} cancelPath={path} />
      </Form>
    </>,
  )
}

const text = v.optional(v.string(), '')
const FrameForm = v.object({
  ...ImageForm.entries,
  part: Part,
  title: v.optional(v.string()),
  has_cover_color: text,
  cover_color: text,
  intro: text,
  closing: text,
  table_of_contents: v.optional(v.picklist(['auto', 'true', 'false']), 'auto'),
})

async function save(context: FormRequest<typeof FrameForm>): Promise<Response> {
  const { t, ctx } = context
  const id = context.params['id'] ?? ''
  const newsletter = await getNewsletter(ctx, id)
  const { brandColor } = await getTeamDetails(ctx, null)
  const isCover = includes(context.body.part, 'cover')
  if (isCover) await storeChosenImage(context)
  const values = isCover ? withStoredCover(context.values, newsletter, brandColor) : context.values
  const body = parseInput(FrameForm, values)
  const stored = textsOf(newsletter, body.part)
  const ofImage = isCover ? findImageConflicts(context.values, coverImageOf(newsletter)) : []
  const conflicts = [...findConflicts(values, stored), ...ofImage]
  if (conflicts.length > 0 && !keepsBoth(values)) {
    return await framePage(context, { values: context.values, errors: [] })
  }
  const texts = mergedTexts(values, stored)
  const change = parseInput(NewsletterChange, {
    ...(isCover && (await coverChange(context, { form: body, newsletter }))),
    ...(body.title !== undefined && { title: texts['title'] }),
    ...(includes(body.part, 'intro') && { intro: storedText(texts['intro'] ?? '') }),
    ...(includes(body.part, 'closing') && { closing: storedText(texts['closing'] ?? '') }),
  })
  await updateNewsletter(ctx, { id, change, expected: [newsletter.version] })
  return redirect(context, `/newsletters/${id}`, success(t('common.saved')))
}

interface ShownPart {
  newsletter: NewsletterSummary
  part: Part
  brandColor: string
}

/** The conflicts of a form that is shown again, also those that it showed before. */
function undecidedConflicts(values: FormValues, { newsletter, part }: ShownPart): Conflict[] {
  const stored = textsOf(newsletter, part)
  const found = findConflicts(values, stored)
  const seen = seenConflicts(values, stored)
  if (!includes(part, 'cover')) return withSeen(found, seen)
  const cover = coverImageOf(newsletter)
  return withSeen(
    [...found, ...findImageConflicts(values, cover)],
    [...seen, ...seenImageConflicts(values, cover)],
  )
}

/** A form that is shown again: what only another person has changed since it was shown is theirs. */
function withTheirChanges(
  form: SubmittedForm,
  { newsletter, part, brandColor }: ShownPart,
): SubmittedForm {
  const { values } = form
  const shown = includes(part, 'cover') ? withStoredCover(values, newsletter, brandColor) : values
  return { ...form, values: withTheirTexts(shown, textsOf(newsletter, part)) }
}

/** The texts of a part as they are typed. */
const textsOf = ({ title, intro, closing }: NewsletterSummary, part: Part): Texts => ({
  ...(includes(part, 'cover') && { title }),
  ...(includes(part, 'intro') && { intro: typedTextOf(intro) }),
  ...(includes(part, 'closing') && { closing: typedTextOf(closing) }),
})

const storedText = (typed: string) => (typed.trim() ? htmlOf(typed) : null)

async function coverChange(
  context: MemberRequest,
  { form, newsletter }: { form: v.InferOutput<typeof FrameForm>; newsletter: NewsletterSummary },
) {
  const { rest, image } = splitImage(form)
  const { table_of_contents, has_cover_color, cover_color } = rest
  const cover = await readImage(context, image, coverImageOf(newsletter))
  return {
    cover_image_url: cover.image_url,
    cover_image_alt: cover.image_alt,
    cover_focal_x: cover.image_focal_x,
    cover_focal_y: cover.image_focal_y,
    cover_color: has_cover_color ? cover_color : null,
    table_of_contents: table_of_contents === 'auto' ? null : table_of_contents === 'true',
  }
}

/** The page of a newsletter's cover, introduction and closing text. */
export const coverAndTextsPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/frame', (context) => framePage(context), { role: 'editor' })
    .post('/newsletters/:id/frame', (context) => retryAfterChange(() => save(context)), {
      role: editorsWithFile,
      body: FrameForm,
      renderWithErrors: framePage,
    })
