import { Icon } from '../../components/icon.tsx'
import type { Translate } from '../../locales/index.ts'

interface ShortcutsProps {
  t: Translate
  canEdit: boolean
  /** Whether the person uses them. */
  isOn: boolean
}

/** The keyboard shortcuts of the library, and the setting that turns them off (WCAG 2.1.4). */
export function Shortcuts({ t, canEdit, isOn }: ShortcutsProps) {
  const keys = [
    ['j k', t('library.shortcut_next')],
    ...(canEdit
      ? [
          ['a', t('library.shortcut_approve')],
          ['e', t('library.shortcut_edit')],
          ['d', t('library.shortcut_decline')],
          ['z', t('library.shortcut_undo')],
          ['x', t('library.shortcut_select')],
          ['Shift X', t('library.shortcut_select_range')],
          ['*', t('library.shortcut_select_all')],
        ]
      : []),
    ['/', t('library.shortcut_search')],
    ['Esc', t('library.shortcut_close')],
    ['?', t('library.shortcut_help')],
  ]
  return (
    <dialog id="shortcuts" class="card shortcuts" aria-labelledby="shortcuts-title">
      <div class="dialog-header">
        <h2 id="shortcuts-title">{t('library.keyboard_shortcuts')}</h2>
        <form method="dialog">
          <button class="ghost icon-button" type="submit" aria-label={t('common.close')}>
            <Icon name="close" />
          </button>
        </form>
      </div>
      <dl class="details-list">
        {keys.map(([key = '', action = '']) => (
          <>
            <dt>
              {key.split(' ').map((one) => (
                <kbd safe>{one}</kbd>
              ))}
            </dt>
            <dd safe>{action}</dd>
          </>
        ))}
      </dl>
      <div class="check">
        <input type="checkbox" id="use-shortcuts" checked={isOn} />
        <label for="use-shortcuts">{t('library.use_these_keys')}</label>
      </div>
    </dialog>
  )
}

/** The button that shows the keyboard shortcuts. */
export function ShortcutsButton({ t }: { t: Translate }) {
  return (
    <button
      type="button"
      id="show-shortcuts"
      class="ghost icon-button on-wide-screens"
      aria-label={t('library.keyboard_shortcuts')}
      title={t('library.keyboard_shortcuts')}
      data-requires-script
    >
      <Icon name="keyboard" />
    </button>
  )
}
