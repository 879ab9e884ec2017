import * as v from 'valibot'
import {
  type ContrastCheck,
  checkContrast,
  forColorScheme,
  previewTemplate,
} from '../../../../features/newsletters/index.ts'
import { attribute } from '../../../attribute.ts'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import { emailFrame } from '../../../http/email-frame.ts'
import type { Translate } from '../../../locales/index.ts'
import { sampleNewsletter, withSampleImages } from './sample.ts'
import { TemplateForm, unfinishedTemplateOf } from './values.ts'

/** The sample newsletter for the frame, in the design that the query contains. */
export async function showSample(context: MemberRequest): Promise<Response> {
  const { ctx, url, t } = context
  const form = v.parse(TemplateForm, formIn(url.searchParams))
  const template = unfinishedTemplateOf(form)
  const html = await previewTemplate(ctx, { template, sample: sampleNewsletter(t) })
  const scheme = form.screen === 'dark' ? 'dark' : 'light'
  return emailFrame(withSampleImages(forColorScheme(html, scheme), context), {
    baseUrl: context.deps.baseUrl,
    images: 'all',
    compressedFor: context.request,
  })
}

const formIn = (query: URLSearchParams) => ({
  ...Object.fromEntries(query),
  'section_title[]': query.getAll('section_title[]'),
  'section_types[]': query.getAll('section_types[]'),
})

interface TemplatePreviewProps {
  t: Translate
  form: TemplateForm
  /** The color of the team. */
  brandColor: string
}

/** The sample newsletter and what to know about its colors. */
export function TemplatePreview({ t, form, brandColor }: TemplatePreviewProps) {
  const { base, style } = unfinishedTemplateOf(form)
  const isPhone = form.device === 'phone'
  return (
    <section id="template-preview" aria-label={t('templates.preview')}>
      <Contrast t={t} checks={checkContrast(base, style, brandColor)} />
      <section
        id="preview-viewport"
        class="preview-viewport"
        tabindex="0"
        aria-label={t('templates.sample_may_be_wider')}
      >
        <iframe
          class={`preview-frame ${isPhone ? 'phone' : 'desktop'}`}
          src={attribute(samplePath(form))}
          title={t('templates.sample')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      </section>
    </section>
  )
}

/** The address of the sample newsletter in the design of a form. */
export function samplePath(form: TemplateForm): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    if (['name', 'description', 'preview', 'section_change', 'device'].includes(name)) continue
    for (const one of [value].flat()) query.append(name, one)
  }
  return `/settings/templates/html?${query}`
}

const ratio = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)}:1`

const warningKeys = {
  links: 'templates.links_are_hard_to_read',
  band: 'templates.headers_are_hard_to_read',
  background: 'templates.background_is_too_dark',
} as const satisfies Record<ContrastCheck['kind'], string>

/** A sentence about a color that is hard to read: what is shown instead, and what to choose. */
function warningOf(t: Translate, check: ContrastCheck): string | null {
  const { kind, color, on, needed, shown } = check
  if (check.ratio >= needed || shown === null) return null
  return t(warningKeys[kind], {
    color,
    on,
    shown,
    found: ratio(check.ratio),
    needed: ratio(needed),
  })
}

function Contrast({ t, checks }: { t: Translate; checks: readonly ContrastCheck[] }) {
  const warnings = checks.flatMap((check) => warningOf(t, check) ?? [])
  if (warnings.length === 0) {
    const least = Math.min(...checks.map((check) => check.ratio))
    return (
      <p id="contrast" class="muted" safe>
        {t('templates.all_text_is_readable', { contrast: ratio(least) })}
      </p>
    )
  }
  return (
    <div id="contrast" class="notice warning">
      <Icon name="warning" />
      <ul>
        {warnings.map((warning) => (
          <li safe>{warning}</li>
        ))}
      </ul>
    </div>
  )
}
