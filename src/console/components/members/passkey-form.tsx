import type { Children } from '@kitajs/html'
import { attribute } from '../../attribute.ts'
import type { ConsoleRequest } from '../../http/context.ts'
import { Form } from '../form/form.tsx'

interface PasskeyFormProps {
  context: ConsoleRequest
  action: string
  /** `create` asks the browser for a new passkey, `get` for one that exists. */
  kind: 'create' | 'get'
  /** The request of the server, as JSON. */
  options: string
  /** The text of the button. */
  label: string
  children?: Children
}

/** A form that the script `passkeys.js` fills in with the response of the browser. */
export function PasskeyForm({ context, action, kind, options, label, children }: PasskeyFormProps) {
  const { t } = context
  return (
    <>
      <Form
        context={context}
        action={action}
        data={{ 'data-passkey': kind, 'data-options': attribute(options) }}
      >
        {children as 'safe'}
        <input type="hidden" name="response" value="" />
        <p class="field-error" role="alert"></p>
        <button type="submit" class="button primary full-width" data-requires-script safe>
          {label}
        </button>
      </Form>
      <noscript>
        <p class="notice bad">{t('second_factor.passkeys_need_javascript_turn')}</p>
      </noscript>
    </>
  )
}
