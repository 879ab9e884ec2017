import { attribute } from '../../attribute.ts'
import type { Translate } from '../../locales/index.ts'

interface FormButtonsProps {
  t: Translate
  /** The text of the button that submits; "Save" when it is left out. */
  label?: string
  cancelPath: string
}

/** The button that submits a form, and the link that leaves it; a script closes a form over the page instead. */
export function FormButtons({ t, label = t('common.save'), cancelPath }: FormButtonsProps) {
  return (
    <div class="row">
      <button type="submit" class="primary" safe>
        {label}
      </button>
      <a href={attribute(cancelPath)} data-close>
        {t('common.cancel')}
      </a>
    </div>
  )
}
