import type { Translate } from '../../messages/index.ts'
/** The keyboard shortcuts of the library, and the setting that turns them off (WCAG 2.1.4). */
export function Shortcuts({ t, canEdit }: { t: Translate; canEdit: boolean }) {
  const keys = [
    ['j / k', t('library.shortcut_next')],
    ...(canEdit
      ? [
          ['a', t('library.shortcut_approve')],
          ['e', t('library.shortcut_edit')],
          ['x', t('library.shortcut_select')],
        ]
      : []),
    ['/', t('library.shortcut_search')],
  ]
  return (
    <details class="shortcuts" id="shortcuts" data-requires-script hidden>
      <summary>{t('library.keyboard_shortcuts')}</summary>
      <dl class="details-list">
        {keys.map(([key = '', action = '']) => (
          <>
            <dt>
              <kbd safe>{key}</kbd>
            </dt>
            <dd safe>{action}</dd>
          </>
        ))}
      </dl>
      <div class="check">
        <input type="checkbox" id="use-shortcuts" checked />
        <label for="use-shortcuts">{t('library.use_these_keys')}</label>
      </div>
    </details>
  )
}
