import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import type { SubmittedForm } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'

/** One answer of a poll per line: the words, then the address. */
export const linesOf = (options: Newsletter['elements'][number]['options']) =>
  (options ?? []).map(({ label, url }) => `${label} ${url}`).join('\n')

/** The answers of a poll, from the lines of the form. */
export const optionsOf = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, label = line.trim(), url = ''] = /^\s*(.*?)\s+(\S+)\s*$/.exec(line) ?? []
      return url === '' && URL.canParse(label) ? { label: '', url: label } : { label, url }
    })

/** The errors of a form, with those of single answers as one error of their field. */
export function withAnswerErrors(t: Translate, submitted: SubmittedForm): SubmittedForm {
  const texts = new Set<string>()
  const others = submitted.errors.filter((error) => {
    const [, index, part] = /^\/options\/(\d+)\/(label|url)$/.exec(error.pointer) ?? []
    if (index === undefined) return true
    const number = Number(index) + 1
    texts.add(
      part === 'url'
        ? t('newsletters.answer_needs_address', { number })
        : t('newsletters.answer_needs_words', { number }),
    )
    return false
  })
  if (texts.size === 0) return submitted
  const error = { pointer: '/options', code: 'invalid', message: [...texts].join('. ') }
  return { ...submitted, errors: [...others, error] }
}
