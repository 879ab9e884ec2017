import { listUndelivered, type UndeliveredEmail } from '../../../../features/previews/index.ts'
import { attribute } from '../../../attribute.ts'
import { DateTime } from '../../../components/dates/date-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import { can } from '../../../roles.ts'

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
          {emails.map(({ recipient, reason, is_final, queued_at }) => (
            <li>
              <strong safe>{recipient}</strong>, <DateTime userLocale={userLocale} at={queued_at} />
              <br />
              <span safe>{t.fromEnglish(reason)}</span>{' '}
              {is_final ? '' : t('newsletters.another_attempt_follows')}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** What editors see of the previews of some newsletters that were not delivered. */
export async function findUndelivered(
  { ctx, member }: MemberRequest,
  newsletterIds: readonly string[],
): Promise<UndeliveredEmail[]> {
  return can(member.role, 'editor') ? await listUndelivered(ctx, { newsletterIds }) : []
}

/** A badge that says that the last preview of a newsletter was not delivered, and links to the reasons. */
export function UndeliveredBadge({ context: { t }, emails }: UndeliveredProps) {
  const [first] = emails
  if (!first) return ''
  const isFinal = emails.some(({ is_final }) => is_final)
  return (
    <a
      class={`badge ${isFinal ? 'danger' : 'warning'}`}
      href={`/newsletters/${first.newsletter_id}/preview#undelivered`}
      title={attribute(emails.map(({ recipient }) => recipient).join(', '))}
    >
      {isFinal
        ? t('newsletters.preview_not_delivered')
        : t('newsletters.preview_not_delivered_yet')}
    </a>
  )
}
