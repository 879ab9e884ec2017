import * as v from 'valibot'
import {
  type ContrastCheck,
  checkContrast,
  forColorScheme,
  previewTemplate,
} from '../../../../features/newsletters/index.ts'
import { getTemplate } from '../../../../features/templates/index.ts'
import { attribute } from '../../../attribute.ts'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import { emailFrame } from '../../../http/responses.ts'
import { looksOf, TemplateForm } from './values.ts'

/** The sample newsletter for the frame, in the looks that the query has. */
export async function showSample(context: MemberRequest): Promise<Response> {
  const { ctx, url } = context
  const form = v.parse(TemplateForm, Object.fromEntries(url.searchParams))
  const looks = looksOf(form)
  const { sections } = await getTemplate(ctx, looks.base)
  const html = await previewTemplate(ctx, { ...looks, sections })
  const scheme = form.screen === 'dark' ? 'dark' : 'light'
  return emailFrame(forColorScheme(html, scheme), { images: true })
}

interface TemplatePreviewProps {
  form: TemplateForm
  /** The color of the team. */
  brandColor: string
}

/** The sample newsletter and what to know about its colors. */
export function TemplatePreview({ form, brandColor }: TemplatePreviewProps) {
  const { base, style } = looksOf(form)
  const { name: _, description: __, preview: ___, device, ...looks } = form
  const query = new URLSearchParams(looks)
  const isPhone = device === 'phone'
  return (
    <section id="template-preview" aria-label="Preview">
      <Contrast checks={checkContrast(base, style, brandColor)} />
      <section
        id="preview-viewport"
        class="preview-viewport"
        tabindex="0"
        aria-label="A sample newsletter, which may be wider than the screen"
      >
        <iframe
          class={`preview-frame ${isPhone ? 'phone' : 'desktop'}`}
          src={attribute(`/settings/templates/html?${query}`)}
          title="A sample newsletter"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

const ratio = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)}:1`

/** A sentence about a color that is hard to read: what is shown instead, and what to choose. */
function warningOf({ kind, color, on, ratio: found, needed, shown }: ContrastCheck): string | null {
  if (found >= needed || shown === null) return null
  const contrast = `a contrast of ${ratio(found)}; ${ratio(needed)} is needed`
  if (kind === 'links') {
    return `Links in ${color} on ${on} have ${contrast}. They are shown in ${shown} instead. Choose a darker color to see it as it is.`
  }
  if (kind === 'band') {
    return `Text on ${on} has ${contrast}. Headers and buttons are shown in ${shown} instead. Choose a darker color to see it as it is.`
  }
  return `Text on the background ${on} has ${contrast}. The background is ${shown} instead. Choose a lighter color.`
}

function Contrast({ checks }: { checks: readonly ContrastCheck[] }) {
  const warnings = checks.flatMap((check) => warningOf(check) ?? [])
  if (warnings.length === 0) {
    const least = Math.min(...checks.map((check) => check.ratio))
    return (
      <p class="muted" role="status" safe>
        {`All text is readable: its contrast is ${ratio(least)} or more.`}
      </p>
    )
  }
  return (
    <div class="notice warning" role="status">
      <Icon name="warning" />
      <ul>
        {warnings.map((warning) => (
          <li safe>{warning}</li>
        ))}
      </ul>
    </div>
  )
}
