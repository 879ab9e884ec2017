import type { EmailText } from '../../features/notifications/index.ts'
import { parseLayout, renderMail } from '../../lib/html/mjml.ts'
import type { Translate } from '../locales/index.ts'
import source from './email.mjml' with { type: 'text' }

/** Something that an email lists, with a link to it. */
interface EmailItem {
  title: string
  detail: string | null
  url: string
}

/** What an email about an account or a notification says. */
export interface EmailContent {
  /** The subject, which is also the heading. */
  subject: string
  /** Sentences, each a paragraph. */
  lines: readonly string[]
  /** What somebody wrote. */
  quote?: string
  items?: readonly EmailItem[]
  /** How many more items there are, as a sentence, or null. */
  rest?: string | null
  /** Sentences after the items, each a paragraph. */
  advice?: readonly string[]
  /** What the recipient does next, and its address. */
  button: string
  link: string
}

/** The end of an email: a sentence, and the address that it is about. */
export interface EmailEnd {
  text: string
  url?: string
}

const layout = parseLayout(source)
const maxSubjectCharacters = 250

/** An email with one button, as HTML and as plain text. Everything that people wrote is text. */
export function composeEmail(t: Translate, content: EmailContent, end: EmailEnd): EmailText {
  const subject = content.subject.slice(0, maxSubjectCharacters)
  const { lines, quote = '', items = [], rest = null, advice = [], button, link } = content
  const html = renderMail(layout, {
    lang: t.language,
    subject,
    preview: [lines[0], quote].filter(Boolean).join(' '),
    lines: lines.map((line) => ({ line })),
    quote: quote === '' ? '' : { html: Bun.escapeHTML(quote).replaceAll('\n', '<br />') },
    has_items: items.length > 0,
    items: items.map((item) => ({ ...item })),
    rest: rest ?? '',
    has_advice: advice.length > 0,
    advice: advice.map((line) => ({ line })),
    button,
    link,
    words_address: t('email.if_the_button_does_not_work'),
    end: end.url === undefined ? end.text : { html: linkTo(end.url, end.text) },
  })
  return { subject, html, text: plainText(content, end) }
}

const linkTo = (url: string, text: string): string =>
  `<a href="${Bun.escapeHTML(url)}" style="color:#5f5a6e">${Bun.escapeHTML(text)}</a>`

function plainText(
  { lines, quote, items = [], rest, advice = [], button, link }: EmailContent,
  { text, url }: EmailEnd,
): string {
  const titles = items.map(({ title, detail }) => `• ${detail ? `${title} (${detail})` : title}`)
  const parts = [
    ...lines,
    quote,
    [...titles, rest].filter(Boolean).join('\n'),
    ...advice,
    `${button}:\n${link}`,
    url === undefined ? text : `${text}:\n${url}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
