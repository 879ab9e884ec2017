import type { Newsletter } from '../../../../../contract/newsletters/newsletter.ts'
import { attribute } from '../../../../attribute.ts'
import type { Translate } from '../../../../locales/index.ts'
import { type ComposerView, queryOf } from '../view.ts'

const panelLabels = {
  newsletter: 'newsletters.newsletter',
  outline: 'newsletters.outline',
  library: 'common.library',
} as const

/** Selects the panel on screens that are too narrow for all panels. */
export function PanelTabs({
  t,
  newsletter,
  view,
}: {
  t: Translate
  newsletter: Newsletter
  view: ComposerView
}) {
  return (
    <nav
      id="panel-tabs"
      class="segmented-control panel-tabs"
      data-part
      aria-label={t('newsletters.panel')}
    >
      {(['newsletter', 'outline', 'library'] as const).map((panel) => (
        <a
          data-swap
          id={`panel-${panel}`}
          href={attribute(`/newsletters/${newsletter.id}${queryOf({ ...view, panel })}`)}
          aria-current={panel === view.panel ? 'true' : undefined}
        >
          {t(panelLabels[panel])}
          {panel === 'outline' ? ` (${newsletter.blocks.length})` : ''}
        </a>
      ))}
    </nav>
  )
}
