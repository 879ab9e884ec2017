import { blockTypes } from '../../../contract/vocabulary.ts'
import type { Integration } from '../../../features/connections/index.ts'
import type { SubmittedForm } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'
import { blockTypeLabels } from '../block.tsx'
import { hasEventChoice } from './event-choice.tsx'
import type { Option } from './event-options.ts'
import { Checkbox, Field, Select } from './form.tsx'

interface SharedSetting {
  name: string
  label: string
  hint: string
  input: 'flag' | 'text' | readonly Option[]
}

/** The settings that every connection has, without those that an integration does not support. */
export function sharedSettings(
  t: Translate,
  integration: Integration,
  eventChoices: readonly Option[] = [],
): readonly SharedSetting[] {
  const { events = [], groups } = integration
  return [
    {
      name: 'auto_ready',
      label: t('integrations.approve_automatically'),
      hint: t('integrations.new_blocks_are_ready'),
      input: 'flag',
    },
    {
      name: 'block_type',
      label: t('common.type'),
      hint: t('integrations.the_type_of_all_blocks'),
      input: [
        { value: '', label: t('integrations.as_the_integration_defines_it') },
        ...blockTypes.map((type) => ({ value: type, label: t(blockTypeLabels[type]) })),
      ],
    },
    {
      name: 'event_slug',
      label: t('common.event'),
      hint: t('integrations.the_event_of_all_blocks'),
      input: eventChoices,
    },
    ...(events.length > 0 && !hasEventChoice(integration)
      ? [
          {
            name: 'events',
            label: t('integrations.events_of_the_provider'),
            hint: t('integrations.only_these_separated_by_commas', { value: events.join(', ') }),
            input: 'text' as const,
          },
        ]
      : []),
    ...(groups
      ? [
          {
            name: 'group',
            label: t('integrations.combine'),
            hint: t('integrations.one_draft_contains_the_items'),
            input: [
              { value: '', label: t('integrations.one_block_per_item') },
              { value: 'week', label: t('integrations.releases_of_a_week') },
              { value: 'week_all', label: t('integrations.all_items_of_a_week') },
            ],
          },
        ]
      : []),
  ]
}

/** The field of a setting that every connection has. */
export function SharedField({
  setting: { name, label, hint, input },
  value,
  submitted,
}: {
  setting: SharedSetting
  value: unknown
  submitted: SubmittedForm | undefined
}) {
  const common = { name, label, hint, submitted }
  if (input === 'flag') return <Checkbox {...common} checked={String(value) === 'true'} />
  if (input === 'text') return <Field {...common} value={toInputValue(value)} />
  return <Select {...common} options={input} value={toInputValue(value)} />
}

/** The value of a setting for an input field. */
export function toInputValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}
