import {
  type TemplateBase,
  type TemplateFont,
  templateBases,
  templateFonts,
} from '../../../../contract/vocabulary.ts'
import type { TeamDetails } from '../../../../features/teams/index.ts'
import { attribute } from '../../../attribute.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'
import { TemplatePreview } from './preview.tsx'
import { Sections } from './sections.tsx'
import type { TemplateForm } from './values.ts'

const fontNames: Record<Exclude<TemplateFont, 'system'>, string> = {
  arial: 'Arial',
  verdana: 'Verdana',
  trebuchet: 'Trebuchet',
  georgia: 'Georgia',
  palatino: 'Palatino',
}

const baseLabels = {
  clean: 'templates.layout_clean',
  bold: 'templates.layout_bold',
  digest: 'templates.layout_digest',
} as const satisfies Record<TemplateBase, TextKey>

const fields = [
  ...['name', 'description', 'base', 'accent_color', 'background_color', 'font', 'width'],
  ...['corner_radius', 'sections'],
]

interface TemplateEditorProps {
  context: MemberRequest
  team: TeamDetails
  /** The path that the form is sent to. */
  action: string
  values: TemplateForm
  /** The form with its errors, when it could not be saved. */
  submitted: SubmittedForm | undefined
}

/** The settings of a template with a preview beside them, which follows every change. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { context, team, action, values, submitted } = props
  const { t } = context
  const live = {
    'data-hx-post': action,
    'data-hx-trigger': 'input delay:300ms',
    'data-hx-include': '#template-form',
    'data-hx-vals': attribute('{"preview":"on"}'),
    'data-hx-target': '#template-preview',
    'data-hx-select': '#template-preview',
    'data-hx-swap': 'outerHTML',
    // The newest change counts. A request that waits for an earlier one would find its target replaced.
    'data-hx-sync': 'replace',
  } as const
  return (
    <div class="template-editor">
      <Form context={context} action={action} id="template-form" draft>
        <div {...live}>
          <Views t={t} values={values} />
          <ErrorSummary submitted={otherErrors(submitted)} exceptFields={fields} />
          <Settings t={t} values={values} team={team} submitted={submitted} />
          <Sections t={t} values={values} submitted={submitted} />
        </div>
        <div class="row">
          <button type="submit" class="primary">
            {t('common.save')}
          </button>
          <noscript>
            <button type="submit" name="preview" value="on">
              {t('templates.preview')}
            </button>
          </noscript>
          <a href="/settings/templates">{t('common.cancel')}</a>
        </div>
      </Form>
      <TemplatePreview t={t} form={values} brandColor={team.brandColor} />
    </div>
  )
}

/** The form without the errors that a section shows. */
const otherErrors = (submitted: SubmittedForm | undefined) =>
  submitted && {
    ...submitted,
    errors: submitted.errors.filter(({ pointer }) => !pointer.startsWith('/sections/')),
  }

type SettingsProps = Pick<TemplateEditorProps, 'values' | 'team' | 'submitted'> & { t: Translate }

function Settings({ t, values, team, submitted }: SettingsProps) {
  return (
    <>
      <Field
        name="name"
        label={t('common.name')}
        value={values.name}
        required
        maxlength={100}
        submitted={submitted}
      />
      <Field
        name="description"
        label={t('templates.what_it_is_for')}
        value={values.description}
        maxlength={500}
        submitted={submitted}
      />
      <Select
        name="base"
        label={t('templates.layout')}
        options={templateBases.map((value) => ({ value, label: t(baseLabels[value]) }))}
        value={values.base}
        submitted={submitted}
      />
      <Colors t={t} values={values} team={team} submitted={submitted} />
      <Select
        name="font"
        label={t('templates.font')}
        hint={t('templates.font_hint')}
        options={templateFonts.map((value) => ({
          value,
          label: value === 'system' ? t('templates.font_of_the_device') : fontNames[value],
        }))}
        value={values.font}
        submitted={submitted}
      />
      <Field
        name="width"
        label={t('templates.width')}
        hint={t('templates.width_hint')}
        value={values.width}
        required
        maxlength={3}
        submitted={submitted}
      />
      <Field
        name="corner_radius"
        label={t('templates.corner_radius')}
        hint={t('templates.corner_radius_hint')}
        value={values.corner_radius}
        required
        maxlength={2}
        submitted={submitted}
      />
      <Checkbox
        name="show_logo"
        label={t('templates.show_the_logo')}
        hint={team.logoUrl === null ? t('templates.no_logo_yet') : t('templates.logo_hint')}
        checked={values.show_logo !== ''}
      />
    </>
  )
}

function Colors({ t, values, team, submitted }: SettingsProps) {
  return (
    <fieldset class="template-colors optional-color">
      <legend>{t('templates.colors')}</legend>
      <Checkbox
        name="own_accent"
        label={t('templates.own_color')}
        hint={t('templates.own_color_hint', { color: team.brandColor })}
        checked={values.own_accent !== ''}
      />
      <Field
        name="accent_color"
        label={t('templates.accent_color')}
        type="color"
        value={values.accent_color || team.brandColor}
        submitted={submitted}
      />
      <Checkbox
        name="own_background"
        label={t('templates.own_background')}
        hint={t('templates.own_background_hint')}
        checked={values.own_background !== ''}
      />
      <Field
        name="background_color"
        label={t('templates.background_color')}
        type="color"
        value={values.background_color || '#f4f5f7'}
        submitted={submitted}
      />
    </fieldset>
  )
}

const devices = [
  ['desktop', 'templates.desktop'],
  ['phone', 'templates.phone'],
] as const
const screens = [
  ['light', 'templates.light'],
  ['dark', 'templates.dark'],
] as const

/** What the preview shows; it is not stored. */
function Views({ t, values }: { t: Translate; values: TemplateForm }) {
  const choice = (
    name: 'device' | 'screen',
    label: TextKey,
    options: readonly (readonly [value: string, label: TextKey])[],
  ) => (
    <fieldset>
      <legend>{t(label)}</legend>
      <div class="segmented-control">
        {options.map(([value, title]) => (
          <label>
            <input type="radio" name={name} value={value} checked={values[name] === value} />
            <span>{t(title)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
  return (
    <div class="preview-views">
      {choice('device', 'templates.preview_for', devices) as 'safe'}
      {choice('screen', 'templates.on_a_screen', screens) as 'safe'}
    </div>
  )
}
