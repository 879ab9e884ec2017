/** A form of a page with the values that a browser would send, and what people type into it. */
export interface PageForm {
  action: string
  /** Its fields with their initial values, in order. */
  fields: readonly FormField[]
  /** Unsaved text is stored on the device. */
  isStored: boolean
}

export interface FormField {
  name: string
  /** The type of an input, or `textarea`, `select` or `submit`. */
  type: string
  value: string
  isRequired: boolean
}

type Element = HTMLRewriterTypes.Element

const decode = (text: string | null) =>
  (text ?? '').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The POST forms of a page, in their order. */
export function formsIn(html: string): PageForm[] {
  const forms: (PageForm & { fields: FormField[] })[] = []
  const add = (element: Element, type: string, value = '') => {
    const field = { name: decode(element.getAttribute('name')), type, value }
    forms.at(-1)?.fields.push({ ...field, isRequired: element.hasAttribute('required') })
  }
  const last = () => forms.at(-1)?.fields.at(-1)
  new HTMLRewriter()
    .on('form[method=post]', {
      element(form) {
        const action = decode(form.getAttribute('action'))
        forms.push({ action, fields: [], isStored: form.hasAttribute('data-draft') })
      },
    })
    .on('form[method=post] input', {
      element(input) {
        const type = input.getAttribute('type') ?? 'text'
        const isChosen = !['checkbox', 'radio'].includes(type) || input.hasAttribute('checked')
        if (isChosen) add(input, type, decode(input.getAttribute('value')))
      },
    })
    .on('form[method=post] textarea', {
      element: (area) => add(area, 'textarea'),
      text({ text }) {
        const field = last()
        if (field?.type === 'textarea') field.value += decode(text).replace(/^\n/, '')
      },
    })
    .on('form[method=post] select', { element: (select) => add(select, 'select') })
    .on('form[method=post] option', {
      element(option) {
        const field = last()
        if (field?.type !== 'select') return
        const isChosen = option.hasAttribute('selected') || field.value === ''
        if (isChosen) field.value = decode(option.getAttribute('value'))
      },
    })
    .on('form[method=post] button', {
      element(button) {
        if (button.getAttribute('type') !== 'button')
          add(button, 'submit', decode(button.getAttribute('value')))
      },
    })
    .transform(html)
  return forms
}
