import { type TemplateFont, templateBases, templateFonts } from '../../../../contract/vocabulary.ts'
import type { TeamDetails } from '../../../../features/teams/index.ts'
import { attribute } from '../../../attribute.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../../components/form/form.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { TemplatePreview } from './preview.tsx'
import type { TemplateForm } from './values.ts'

const fontLabels: Record<TemplateFont, string> = {
  system: 'The font of the reader’s device',
  arial: 'Arial',
  verdana: 'Verdana',
  trebuchet: 'Trebuchet',
  georgia: 'Georgia',
  palatino: 'Palatino',
}

const baseLabels = {
  clean: 'Clean: white, with one accent color',
  bold: 'Bold: a header in the color, a card for every item',
  digest: 'Digest: dense and numbered',
}

const fields = [
  ...['name', 'description', 'base', 'accent_color', 'background_color', 'font', 'width'],
  'corner_radius',
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
  const live = {
    'data-hx-post': action,
    'data-hx-trigger': 'input delay:300ms',
    'data-hx-include': '#template-form',
    'data-hx-vals': attribute('{"preview":"on"}'),
    'data-hx-target': '#template-preview',
    'data-hx-select': '#template-preview',
    'data-hx-swap': 'outerHTML',
  } as const
  return (
    <div class="template-editor">
      <Form context={context} action={action} id="template-form">
        <div {...live}>
          <ErrorSummary submitted={submitted} exceptFields={fields} />
          <Settings values={values} team={team} submitted={submitted} />
          <Views values={values} />
        </div>
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
          <noscript>
            <button type="submit" name="preview" value="on">
              Preview
            </button>
          </noscript>
          <a href="/settings/templates">Cancel</a>
        </div>
      </Form>
      <TemplatePreview form={values} brandColor={team.brandColor} />
    </div>
  )
}

function Settings({
  values,
  team,
  submitted,
}: Pick<TemplateEditorProps, 'values' | 'team' | 'submitted'>) {
  return (
    <>
      <Field
        name="name"
        label="Name"
        value={values.name}
        required
        maxlength={100}
        submitted={submitted}
      />
      <Field
        name="description"
        label="What it is for"
        value={values.description}
        maxlength={500}
        submitted={submitted}
      />
      <Select
        name="base"
        label="Layout"
        options={templateBases.map((value) => ({ value, label: baseLabels[value] }))}
        value={values.base}
        submitted={submitted}
      />
      <Colors values={values} team={team} submitted={submitted} />
      <Select
        name="font"
        label="Font"
        hint="Fonts that readers have, so that nothing is loaded."
        options={templateFonts.map((value) => ({ value, label: fontLabels[value] }))}
        value={values.font}
        submitted={submitted}
      />
      <Field
        name="width"
        label="Width in pixels"
        hint="From 520 to 720, on a large screen."
        value={values.width}
        required
        maxlength={3}
        submitted={submitted}
      />
      <Field
        name="corner_radius"
        label="Radius of corners in pixels"
        hint="From 0 to 24, of images, boxes and buttons."
        value={values.corner_radius}
        required
        maxlength={2}
        submitted={submitted}
      />
      <Checkbox
        name="show_logo"
        label="Show the logo of the team"
        hint={
          team.logoUrl === null
            ? 'The team has no logo yet: add one under Settings, Team.'
            : 'In place of the name of the team. The logo is in the settings of the team.'
        }
        checked={values.show_logo !== ''}
      />
    </>
  )
}

function Colors({
  values,
  team,
  submitted,
}: Pick<TemplateEditorProps, 'values' | 'team' | 'submitted'>) {
  return (
    <fieldset class="template-colors">
      <legend>Colors</legend>
      <Checkbox
        name="own_accent"
        label="A color of its own"
        hint={`Otherwise ${team.brandColor}, the color of the team.`}
        checked={values.own_accent !== ''}
      />
      <Field
        name="accent_color"
        label="Color of headers, links and buttons"
        type="color"
        value={values.accent_color || team.brandColor}
        submitted={submitted}
      />
      <Checkbox
        name="own_background"
        label="A background of its own"
        hint="Otherwise the one of the layout."
        checked={values.own_background !== ''}
      />
      <Field
        name="background_color"
        label="Background, a light color"
        type="color"
        value={values.background_color || '#f4f5f7'}
        submitted={submitted}
      />
    </fieldset>
  )
}

const devices = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
] as const
const screens = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** What the preview shows; it is not stored. */
function Views({ values }: { values: TemplateForm }) {
  const choice = (
    name: 'device' | 'screen',
    label: string,
    options: readonly (readonly [value: string, label: string])[],
  ) => (
    <fieldset class="choices">
      <legend safe>{label}</legend>
      {options.map(([value, title]) => (
        <label>
          <input type="radio" name={name} value={value} checked={values[name] === value} />
          <span safe>{title}</span>
        </label>
      ))}
    </fieldset>
  )
  return (
    <>
      {choice('device', 'Preview for', devices) as 'safe'}
      {choice('screen', 'On a screen that is', screens) as 'safe'}
    </>
  )
}
