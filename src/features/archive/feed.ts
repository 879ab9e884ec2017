import { archiveAddress, feedAddress, newsletterAddress } from './address.ts'
import { type ArchiveTeamRow, type SentRow, shownTime } from './sql.ts'
import { archiveTexts } from './texts.ts'

interface Feed {
  baseUrl: string
  /** The token in the address of the feed. */
  token: string
  team: ArchiveTeamRow
  newsletters: readonly SentRow[]
}

/** The newest newsletters of an archive as an Atom feed (RFC 4287), with links to their pages. */
export function atomFeed({ baseUrl, token, team, newsletters }: Feed): string {
  const { title } = archiveTexts(team.language)
  const updated = newsletters[0]?.sent_at ?? new Date(0)
  const archive = archiveAddress(baseUrl, team.archive_token)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${team.language}">`,
    `<id>${uriOf(team.team_id)}</id>`,
    `<title>${xmlText(`${team.name}: ${title}`)}</title>`,
    `<updated>${updated.toISOString()}</updated>`,
    `<author><name>${xmlText(team.name)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(feedAddress(baseUrl, token))}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(archive)}"/>`,
    ...newsletters.map((one) => entry(one, newsletterAddress(baseUrl, team.archive_token, one.id))),
    '</feed>',
    '',
  ].join('\n')
}

function entry(newsletter: SentRow, address: string): string {
  const { id, title, preheader_text, sent_at } = newsletter
  return [
    '<entry>',
    `<id>${uriOf(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<updated>${sent_at.toISOString()}</updated>`,
    `<published>${shownTime(newsletter).toISOString()}</published>`,
    `<link rel="alternate" type="text/html" href="${xmlText(address)}"/>`,
    ...(preheader_text === null ? [] : [`<summary>${xmlText(preheader_text)}</summary>`]),
    '</entry>',
  ].join('')
}

/** A name that stays the same when the address changes: our ids are a prefix and a UUID (RFC 9562). */
const uriOf = (id: string): string =>
  `urn:uuid:${id
    .slice(id.indexOf('_') + 1)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`

/** Text for XML 1.0, which does not allow control characters. */
const xmlText = (text: string): string =>
  Bun.escapeHTML(text.replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' '))
