import type { TemplateBase } from '../../../contract/vocabulary.ts'
import bold from './bold.mjml' with { type: 'text' }
import clean from './clean.mjml' with { type: 'text' }
import digest from './digest.mjml' with { type: 'text' }
import callout from './parts/callout.mjml' with { type: 'text' }
import contents from './parts/contents.mjml' with { type: 'text' }
import event from './parts/event.mjml' with { type: 'text' }
import footer from './parts/footer.mjml' with { type: 'text' }
import head from './parts/head.mjml' with { type: 'text' }
import logo from './parts/logo.mjml' with { type: 'text' }
import person from './parts/person.mjml' with { type: 'text' }
import poll from './parts/poll.mjml' with { type: 'text' }
import quote from './parts/quote.mjml' with { type: 'text' }
import story from './parts/story.mjml' with { type: 'text' }
import words from './parts/words.mjml' with { type: 'text' }

const parts: Record<string, string> = {
  callout,
  contents,
  event,
  footer,
  head: withDarkRules(head),
  logo,
  person,
  poll,
  quote,
  story,
  words,
}

/**
 * The MJML source of each layout, with the marks of `lib/html/mjml.ts` and its parts included. Zero is
 * written as `0px`, because mrml computes no width from a padding with a plain `0`.
 */
export const layoutSources: Record<TemplateBase, string> = {
  clean: layoutSource(clean),
  bold: layoutSource(bold),
  digest: layoutSource(digest),
}

/** The part of each layout that shows the blocks of a newsletter, as a document of its own. */
export const blockLayoutSources: Record<TemplateBase, string> = {
  clean: blockLayoutSource(layoutSources.clean),
  bold: blockLayoutSource(layoutSources.bold),
  digest: blockLayoutSource(layoutSources.digest),
}

/** Leaves out what is above and below the sections of a layout. */
function blockLayoutSource(source: string): string {
  return source
    .replace(/(<mj-body[^>]*>).*?(?=<!-- each sections -->)/s, '$1')
    .replace(/<!-- if closing -->.*(?=<\/mj-body>)/s, '')
}

/** Without indentation, which would count towards the 102 KB after which Gmail cuts an email. */
function layoutSource(source: string): string {
  return withParts(source).replaceAll(/\n\s+/g, '\n')
}

function withParts(source: string): string {
  return source.replaceAll(/<!-- include (\w+) -->/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`There is no part ${name} of a layout.`)
    return withParts(part.trim())
  })
}

/**
 * Writes the dark rules twice: in the media query for Apple Mail and others, and for Outlook.com,
 * which ignores the query and marks what it recolors with `data-ogsc` and `data-ogsb`.
 */
function withDarkRules(source: string): string {
  return source.replace(
    /<!-- dark rules -->(.*?)<!-- dark rules end -->/s,
    (_, rules: string) =>
      `@media (prefers-color-scheme: dark) {${rules}}${rules.replaceAll(
        /^\s*(\S[^{]*?) \{/gm,
        (_rule, selectors: string) => `\n${forOutlook(selectors)} {`,
      )}`,
  )
}

function forOutlook(selectors: string): string {
  return selectors
    .split(', ')
    .flatMap((selector) => [`[data-ogsc] ${selector}`, `[data-ogsb] ${selector}`])
    .join(', ')
}
