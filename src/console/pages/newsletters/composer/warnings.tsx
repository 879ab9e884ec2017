import type { Notice } from '../../../../features/newsletters/index.ts'
import { attribute } from '../../../attribute.ts'
import { formatTimestamps } from '../../../components/dates/date-time.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'

interface WarningsProps {
  context: MemberRequest
  notices: readonly Notice[]
}

/** The id of the element of the page that a warning refers to. */
const anchorOf = (target: string): string => (target.includes('_') ? target : `target-${target}`)

const textOf = ({ t, userLocale }: MemberRequest, { message }: Notice): string =>
  formatTimestamps(userLocale, t.fromEnglish(message))

/**
 * All warnings, each with a link to the element that it refers to: on this page, or on the page of the
 * newsletter at `path`.
 */
export function Warnings({ context, notices, path = '' }: WarningsProps & { path?: string }) {
  const { t } = context
  return (
    <section id="warnings" data-part aria-label={t('newsletters.before_you_send_it')}>
      {notices.length === 0 ? null : (
        <div class="notice warning">
          <Icon name="warning" />
          <div>
            <h2>{t('newsletters.before_you_send_it')}</h2>
            <ul>
              {notices.map((notice) => (
                <li>
                  {notice.target === null ? (
                    <span safe>{textOf(context, notice)}</span>
                  ) : (
                    <a
                      href={attribute(`${path}#${anchorOf(notice.target)}`)}
                      class="warning-link"
                      data-jump
                      safe
                    >
                      {textOf(context, notice)}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  )
}

/** The warnings about one element or field, beside it. */
export function TargetWarnings({ context, notices, target }: WarningsProps & { target: string }) {
  const own = notices.filter((notice) => notice.target === target)
  if (own.length === 0) return ''
  return (
    <ul class="target-warnings">
      {own.map((notice) => (
        <li safe>{textOf(context, notice)}</li>
      ))}
    </ul>
  )
}
