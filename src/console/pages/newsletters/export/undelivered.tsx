import type { UndeliveredEmail } from '../../../../features/previews/index.ts'
import { DateTime } from '../../../components/dates/date-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'

interface UndeliveredProps {
  context: MemberRequest
  emails: readonly UndeliveredEmail[]
}

/** The people to whom the last preview could not be delivered, each with the reason. */
export function Undelivered({ context, emails }: UndeliveredProps) {
  const { t, userLocale } = context
  if (emails.length === 0) return ''
  return (
    <section id="undelivered" class="notice warning" aria-labelledby="undelivered-title">
      <Icon name="warning" />
      <div>
        <h2 id="undelivered-title">{t('newsletters.not_delivered')}</h2>
        <ul>
          {emails.map(({ recipient, reason, queued_at }) => (
            <li>
              <strong safe>{recipient}</strong>, <DateTime userLocale={userLocale} at={queued_at} />
              <br />
              <span safe>{t.fromEnglish(reason ?? '')}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
