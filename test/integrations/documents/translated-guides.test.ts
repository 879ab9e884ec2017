import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { loadAdapters } from '../../../integrations/index.ts'
import { languageCodes } from '../../../src/console/locales/index.ts'
import { readGuide } from '../../../src/webhooks/guide.ts'

const folder = fileURLToPath(new URL('../../../integrations', import.meta.url))
const translated = languageCodes.filter((language) => language !== 'en')
const adapters = await loadAdapters()
const slugs = [...adapters.keys()]

test.each(translated.flatMap((language) => slugs.map((slug) => [slug, language] as const)))(
  'the guide of %s exists in the language %s, with a summary, the set-up, every setting and every event',
  async (slug, language) => {
    const [original, guide] = await Promise.all(
      ['README.md', `guide.${language}.md`].map(async (file) =>
        readGuide(await Bun.file(`${folder}/${slug}/${file}`).text()),
      ),
    )
    expect(guide?.summary).not.toBe('')
    expect(guide?.guide).toContain('<ol>')
    expect([...(guide?.hints.keys() ?? [])]).toEqual([...(original?.hints.keys() ?? [])])
    expect([...(guide?.labels.keys() ?? [])]).toEqual([...(original?.hints.keys() ?? [])])
    expect(guide?.summary).not.toBe(original?.summary)
    const events = (adapters.get(slug)?.events ?? []).filter((name) => name !== '*')
    expect([...(original?.events.keys() ?? [])]).toEqual(events)
    expect([...(guide?.events.keys() ?? [])]).toEqual(events)
  },
)
