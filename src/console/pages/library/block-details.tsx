import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import { attribute } from '../../attribute.ts'
import { blockSourceLabels, blockTypeLabels, StatusBadge } from '../../components/block.tsx'
import { DateTime } from '../../components/dates/date-time.tsx'
import { eventBlocksPath, eventName } from '../../components/event.tsx'
import { providerName } from '../../components/provider-name.ts'
import type { MemberRequest } from '../../http/context.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'

/** What is known of a block besides its text. */
export async function BlockDetails({
  context,
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const { deps, member, userLocale, t } = context
  const { status, block_type, source, origin, api_key_name, event_slug } = block
  return (
    <dl class="details-list">
      <dt>{t('common.status')}</dt>
      <dd>
        <StatusBadge t={t} status={status} />
      </dd>
      <dt>{t('common.type')}</dt>
      <dd>{t(blockTypeLabels[block_type])}</dd>
      <dt>{t('library.source')}</dt>
      <dd>{t(blockSourceLabels[source])}</dd>
      <Detail
        title={t('common.provider')}
        text={origin?.provider && providerName(deps, origin.provider)}
      />
      <Detail title={t('common.author')} text={origin?.author} />
      {origin?.url ? (
        <>
          <dt>{t('common.link')}</dt>
          <dd class="wrap">
            <a href={attribute(origin.url)} rel="noreferrer" safe>
              {origin.url}
            </a>
          </dd>
        </>
      ) : null}
      <Detail
        title={t('library.id_at_the_provider')}
        text={source === 'submission' ? null : origin?.external_id}
      />
      <Detail title={t('library.api_key')} text={api_key_name} />
      {event_slug ? (
        <>
          <dt>{t('common.event')}</dt>
          <dd>
            <a href={eventBlocksPath(event_slug)} safe>
              {await eventName(context, event_slug)}
            </a>
          </dd>
        </>
      ) : null}
      <BlockDates t={t} userLocale={userLocale} block={block} />
      {can(member.role, 'editor') ? (
        <>
          <dt>{t('history.history')}</dt>
          <dd>
            <a href={`/library/${block.id}/history`}>{t('history.versions')}</a>
          </dd>
        </>
      ) : null}
    </dl>
  )
}

function Detail({ title, text }: { title: string; text: string | null | undefined }) {
  if (!text) return ''
  return (
    <>
      <dt safe>{title}</dt>
      <dd class="wrap" safe>
        {text}
      </dd>
    </>
  )
}

function BlockDates({
  t,
  userLocale,
  block: { publish_after, created_at, updated_at },
}: {
  t: Translate
  userLocale: UserLocale
  block: ContentBlock
}) {
  return (
    <>
      {publish_after ? (
        <>
          <dt>{t('library.not_before')}</dt>
          <dd>
            <DateTime userLocale={userLocale} at={new Date(publish_after)} />
          </dd>
        </>
      ) : null}
      <dt>{t('common.created')}</dt>
      <dd>
        <DateTime userLocale={userLocale} at={new Date(created_at)} />
      </dd>
      {updated_at === created_at ? null : (
        <>
          <dt>{t('library.last_changed')}</dt>
          <dd>
            <DateTime userLocale={userLocale} at={new Date(updated_at)} />
          </dd>
        </>
      )}
    </>
  )
}
