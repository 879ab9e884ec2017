import { htmlToText } from '../kit/text/html.ts'

const markup = /<(?:br|p|div|span|b|i|u|strong|em|a|ul|ol|li|html-blob)\b[^<>]*>/i

const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,10});/i

// The line breaks between elements of HTML are no part of its text.
const lineBreak =
  /(?<!<\/?(?:br|p|div|ul|ol|li|html-blob)\b[^<>]{0,200}>)\n(?!\s{0,20}<\/?(?:p|div|ul|ol|li|html-blob)\b)/gi

const element = /(<\/?(?:p|div|td|li)\b[^<>]*>)/gi

/**
 * HTML in which the text of a paragraph is one line, as browsers show it. It keeps its lines when it has an empty one, or
 * one that says how to join a call.
 */
function withoutWraps(html: string): string {
  const parts = html.split(element)
  const isStart = (tag = '</') => !tag.startsWith('</')
  return parts
    .map((part, at) => {
      // A text has an even index, between two tags.
      const isWhole = at % 2 === 0 && at > 0 && isStart(parts[at - 1]) && !isStart(parts[at + 1])
      return isWhole && part.includes('\n') ? unwrapped(part) : part
    })
    .join('')
}

function unwrapped(paragraph: string): string {
  const lines = htmlToText(paragraph.replaceAll('\n', '<br>')).split('\n')
  const isPlain = paragraph.includes('\n\n') || lines.some(isAboutCall)
  return isPlain ? paragraph : paragraph.replaceAll('\n', ' ')
}

/**
 * A text as plain text: some programs write HTML or its entities where plain text belongs. Calendars show the line breaks of
 * such a text, too, because a part of it can be plain.
 */
export const plainText = (text: string): string =>
  markup.test(text) || entity.test(text)
    ? htmlToText(withoutWraps(text).replace(lineBreak, '<br>'))
    : text

// Where Teams, Zoom, Google Meet and Webex put how to join, with numbers and passwords.
const invitation =
  /^(?:[_*~=-]{10,}|-::~.*|Microsoft Teams(?:\s(?:meeting|Need help|-?Besprechung).*)?|.*\binviting you to a (?:scheduled )?(?:Zoom|Webex) .*|Join (?:Zoom|Webex|with Google Meet|the meeting|on your computer|Microsoft Teams)\b.*|(?:Am Zoom-Meeting|An (?:der )?(?:Teams-)?Besprechung) teilnehmen.*|Zoom-Meeting beitreten.*|(?:Meeting|Besprechungs)-?\s?ID\s*:.*|(?:Pass(?:code|word)|Kenncode|Kennwort)\s*:.*|(?:Dial-in|Einwahl)\b.*\d.*)$/i

const onlyAddress = /^(?:[\p{L} -]{1,40}:\s?)?<?https?:\/\/\S+$/iu
const maxLineCharacters = 500

const isAboutCall = (line: string): boolean =>
  onlyAddress.test(line) || invitation.test(line.slice(0, maxLineCharacters))

/**
 * The description of an event as plain text, without the way to join its call: a newsletter is read by
 * more people than those who are invited. Outlook and Google write HTML where plain text belongs.
 */
export function readDescription(text: string): string {
  const lines = plainText(text)
    .split('\n')
    .map((line) => line.trim())
  const end = lines.findIndex((line) => invitation.test(line.slice(0, maxLineCharacters)))
  return (end < 0 ? lines : lines.slice(0, end))
    .filter((line) => !onlyAddress.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
