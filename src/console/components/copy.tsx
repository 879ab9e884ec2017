import { attribute } from '../attribute.ts'
import { Icon } from './icon.tsx'

/** Copies the value or the text of the element with this id; hidden until the script runs. */
function CopyButton({ of, what }: { of: string; what: string }) {
  return (
    <button type="button" data-copy={of} data-script hidden aria-label={`Copy ${attribute(what)}`}>
      <Icon name="copy" />
      <span aria-live="polite">Copy</span>
    </button>
  )
}

/** A value to take elsewhere, with a button that copies it. */
export function CopyField({ id, label, value }: { id: string; label: string; value: string }) {
  return (
    <div class="field">
      <label for={id} safe>
        {label}
      </label>
      <div class="copy">
        <input id={id} value={attribute(value)} readonly autocomplete="off" spellcheck="false" />
        <CopyButton of={id} what={label} />
      </div>
    </div>
  )
}

/** A command to try in a terminal. */
export function Command({ id, what, text }: { id: string; what: string; text: string }) {
  return (
    <div class="command">
      <pre tabindex="0">
        <code id={id} safe>
          {text}
        </code>
      </pre>
      <CopyButton of={id} what={what} />
    </div>
  )
}
