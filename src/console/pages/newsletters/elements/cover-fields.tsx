import type { NewsletterSummary } from '../../../../contract/newsletters/newsletter.ts'
import type { TeamDetails } from '../../../../features/teams/index.ts'
import { Checkbox, Field, Select } from '../../../components/form/form.tsx'
import { ImageField } from '../../../components/form/images/image-field.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { coverImageOf } from './cover-values.ts'

const contentsOptions = [
  { value: 'auto', label: 'newsletters.in_long_newsletters' },
  { value: 'true', label: 'newsletters.always' },
  { value: 'false', label: 'newsletters.never' },
] as const

interface CoverFieldsProps {
  context: MemberRequest
  newsletter: NewsletterSummary
  team: TeamDetails
  submitted: SubmittedForm | undefined
}

/** The fields of the title, the image, the color and the table of contents at the top of a newsletter. */
export function CoverFields({ context, newsletter, team, submitted }: CoverFieldsProps) {
  const { t } = context
  const { cover_color } = newsletter
  return (
    <>
      <Field
        name="title"
        label={t('common.title')}
        value={newsletter.title}
        required
        maxlength={255}
        submitted={submitted}
      />
      <ImageField
        t={t}
        context={context}
        use={coverImageOf(newsletter)}
        label={t('newsletters.cover_image')}
        cropped
        submitted={submitted}
      />
      <div class="optional-color">
        <Checkbox
          name="has_cover_color"
          label={t('newsletters.a_color_behind_the_title')}
          hint={t('newsletters.used_without_an_image')}
          checked={cover_color !== null}
          submitted={submitted}
        />
        <Field
          name="cover_color"
          label={t('newsletters.cover_color')}
          type="color"
          value={cover_color ?? team.brandColor}
          submitted={submitted}
        />
      </div>
      <Select
        name="table_of_contents"
        label={t('newsletters.table_of_contents')}
        options={contentsOptions.map(({ value, label }) => ({ value, label: t(label) }))}
        value={String(newsletter.table_of_contents ?? 'auto')}
        submitted={submitted}
      />
    </>
  )
}
