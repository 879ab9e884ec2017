import type {
  RenderableBlock,
  RenderableNewsletter,
} from '../../../../features/newsletters/index.ts'
import type { MemberRequest } from '../../../http/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'

/** No picture is loaded from this host: `withSampleImages` replaces the addresses. */
const host = 'https://sample.invalid'

/** HTML of the sample newsletter with its pictures as data, so that it needs no address of ours. */
export const withSampleImages = (html: string, { deps: { assets } }: MemberRequest): string =>
  html.replaceAll(
    /https:\/\/sample\.invalid\/(cover|release|portrait-1|portrait-2)/g,
    (_, name: 'cover' | 'release' | 'portrait-1' | 'portrait-2') =>
      `data:image/svg+xml;base64,${assets[`sample/${name}.svg`].content.toString('base64')}`,
  )

/**
 * A newsletter with a block of every type, for previews of templates. The team, the language and the
 * headings of its sections are added.
 */
export function sampleNewsletter(t: Translate): Omit<RenderableNewsletter, 'team'> {
  const paragraph = (key: TextKey) => `<p>${Bun.escapeHTML(t(key))}</p>`
  const block = (
    block_type: RenderableBlock['block_type'],
    title: TextKey,
    { text = title, ...rest }: Partial<RenderableBlock> & { text?: TextKey } = {},
  ): RenderableBlock => ({
    block_type,
    title: t(title),
    body: paragraph(text),
    body_format: 'html',
    image_url: null,
    image_size: null,
    ...rest,
  })
  return {
    title: t('sample.title'),
    subject_line: t('sample.title'),
    preheader_text: t('sample.preheader'),
    date: '2026-11-20',
    cover: { image_url: `${host}/cover`, image_alt: t('sample.cover_alt'), color: null },
    intro: paragraph('sample.intro'),
    closing: paragraph('sample.closing'),
    table_of_contents: true,
    blocks: [
      block('ceo_update', 'sample.ceo_title', {
        text: 'sample.ceo_text',
        author: 'Marta Lindqvist',
      }),
      block('wins_milestones', 'sample.release_title', {
        body: `${paragraph('sample.release_text')}<ul><li>${t('sample.release_point_1')}</li><li>${t('sample.release_point_2')}</li></ul>`,
        image_url: `${host}/release`,
        image_alt: t('sample.release_alt'),
        source_url: 'https://example.com/releases/2.4',
        author: 'Priya Raman',
      }),
      block('wins_milestones', 'sample.kudos', { author: 'Ines Weber' }),
      block('new_starter', 'sample.person_1_title', {
        text: 'sample.person_1_text',
        image_url: `${host}/portrait-1`,
        image_alt: 'Mateo Rossi',
      }),
      block('new_starter', 'sample.person_2_title', {
        text: 'sample.person_2_text',
        image_url: `${host}/portrait-2`,
        image_alt: 'Ada Okafor',
      }),
      block('general', 'sample.news_title', {
        text: 'sample.news_text',
        source_url: 'https://example.com/lift',
      }),
      block('policy_change', 'sample.policy_title', { text: 'sample.policy_text' }),
      block('event_announcement', 'sample.event_title', {
        text: 'sample.event_text',
        event_date: '2026-12-04',
      }),
      block('learning_development', 'sample.learning_title', { text: 'sample.learning_text' }),
    ],
    elements: [
      {
        type: 'poll',
        heading: t('sample.poll'),
        options: [
          { label: t('sample.poll_option_1'), url: 'https://example.com/river' },
          { label: t('sample.poll_option_2'), url: 'https://example.com/roof' },
        ],
        before_position: 10,
      },
      {
        type: 'callout',
        heading: t('sample.callout_title'),
        body: paragraph('sample.callout_text'),
        before_position: 10,
      },
    ],
  }
}
