import { blockTypes } from '../../../../contract/vocabulary.ts'
import { attribute } from '../../../attribute.ts'
import { blockTypeLabels } from '../../../components/block.tsx'
import { fieldErrorOf } from '../../../components/form/form.tsx'
import { describe, FieldErrorMessage } from '../../../components/form/labeled-field.tsx'
import { Icon, type IconName } from '../../../components/icon.tsx'
import type { SubmittedForm } from '../../../http/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'
import { isFilled, sectionsIn } from './section-list.ts'
import type { TemplateForm } from './values.ts'

interface SectionsProps {
  t: Translate
  values: TemplateForm
  submitted: SubmittedForm | undefined
}

const maxSections = 20

/** The sections of a template: their headings, their block types and their order. */
export function Sections({ t, values, submitted }: SectionsProps) {
  const sections = sectionsIn(values)
  const label = t('templates.sections')
  return (
    <fieldset class="template-sections">
      <legend>{label}</legend>
      <p class="hint">{t('templates.sections_hint')}</p>
      <FieldErrorMessage name="sections" error={fieldErrorOf(submitted, 'sections', label)} />
      <ol>
        {sections.map((section, index) => (
          <Section
            t={t}
            section={section}
            index={index}
            isLast={index === sections.length - 1}
            // Sections without content are not sent, so the others move up.
            submitted={submitted}
            sentIndex={sections.slice(0, index).filter(isFilled).length}
          />
        ))}
      </ol>
      {sections.length < maxSections ? (
        <button type="submit" class="small" name="section_change" value="add" formnovalidate>
          {t('templates.add_a_section')}
        </button>
      ) : null}
    </fieldset>
  )
}

interface SectionProps {
  t: Translate
  section: ReturnType<typeof sectionsIn>[number]
  index: number
  isLast: boolean
  submitted: SubmittedForm | undefined
  /** The position among the sections that were sent, for errors. */
  sentIndex: number
}

function Section({
  t,
  section: { title, block_types },
  index,
  isLast,
  submitted,
  sentIndex,
}: SectionProps) {
  const name = `section_title-${index}`
  const at = `sections/${sentIndex}`
  const error =
    fieldErrorOf(submitted, `${at}/title`, 'title') ?? fieldErrorOf(submitted, `${at}/block_types`)
  return (
    <li>
      <div class="template-section-title">
        <label class="visually-hidden" for={name} safe>
          {t('templates.heading_of_section', { number: index + 1 })}
        </label>
        <input
          id={name}
          name="section_title[]"
          value={attribute(title)}
          placeholder={t('templates.heading')}
          maxlength={100}
          autocomplete="off"
          {...describe(name, undefined, error)}
        />
        <Change t={t} change="up" index={index} title={title} disabled={index === 0} />
        <Change t={t} change="down" index={index} title={title} disabled={isLast} />
        <Change t={t} change="remove" index={index} title={title} />
      </div>
      <FieldErrorMessage name={name} error={error} />
      <div class="type-choices">
        {blockTypes.map((type) => (
          <label>
            <input
              type="checkbox"
              name="section_types[]"
              value={`${index}:${type}`}
              checked={block_types.includes(type)}
            />
            <span>{t(blockTypeLabels[type])}</span>
          </label>
        ))}
      </div>
    </li>
  )
}

const changes = {
  up: { icon: 'up', label: 'templates.move_up' },
  down: { icon: 'chevron', label: 'templates.move_down' },
  remove: { icon: 'close', label: 'common.remove' },
} as const satisfies Record<string, { icon: IconName; label: TextKey }>

function Change({
  t,
  change,
  index,
  title,
  disabled = false,
}: {
  t: Translate
  change: keyof typeof changes
  index: number
  title: string
  disabled?: boolean
}) {
  const { icon, label } = changes[change]
  return (
    <button
      type="submit"
      class="icon-button"
      name="section_change"
      value={`${change}:${index}`}
      title={t(label)}
      disabled={disabled}
      formnovalidate
    >
      <Icon name={icon} />
      <span class="visually-hidden" safe>{`${t(label)}: ${title || index + 1}`}</span>
    </button>
  )
}
