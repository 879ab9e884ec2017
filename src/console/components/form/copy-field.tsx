import { attribute } from '../../attribute.ts'
import type { Translate } from '../../locales/index.ts'
import { Icon } from '../icon.tsx'

/** Copies the value or the text of the element with this id. */
function CopyButton({ t, targetId, label }: { t: Translate; targetId: string; label: string }) {
  return (
    <button
      type="button"
      data-copy={targetId}
      data-requires-script
      aria-label={t('form.copy', { label: attribute(label) })}
    >
      <Icon name="copy" />
      <span aria-live="polite">{t('common.copy')}</span>
    </button>
  )
}

/** A read-only value with a copy button. */
export function CopyField({
  t,
  id,
  label,
  value,
}: {
  t: Translate
  id: string
  label: string
  value: string
}) {
  return (
    <div class="field">
      <label for={id} safe>
        {label}
      </label>
      <div class="copy-field">
        <input id={id} value={attribute(value)} readonly autocomplete="off" spellcheck="false" />
        <CopyButton t={t} targetId={id} label={label} />
      </div>
    </div>
  )
}

/** Code with a copy button. */
export function CodeSnippet({
  t,
  id,
  label,
  text,
}: {
  t: Translate
  id: string
  label: string
  text: string
}) {
  return (
    <div class="code-snippet">
      <pre tabindex="0">
        <code id={id} safe>
          {text}
        </code>
      </pre>
      <CopyButton t={t} targetId={id} label={label} />
    </div>
  )
}
