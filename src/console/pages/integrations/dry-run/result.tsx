import type { IngestPayload } from '../../../../contract/blocks/ingest.ts'
import type {
  DryRunItem,
  Integration,
  SampleRequest,
} from '../../../../features/connections/index.ts'
import { AppError } from '../../../../lib/errors.ts'
import { attribute } from '../../../attribute.ts'
import { BlockBody, blockTypeLabels, isShownWithoutHeading } from '../../../components/block.tsx'
import { DateTime } from '../../../components/dates/date-time.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import type { UserLocale } from '../../../http/user-locale.ts'
import type { Translate } from '../../../locales/index.ts'

/** The items of a dry run, or why there are none. Throws `validation_failed`. */
export async function dryRunResult(
  { t, userLocale }: MemberRequest,
  integration: Integration,
  sample: SampleRequest,
  settings: Record<string, unknown>,
): Promise<JSX.Element> {
  try {
    const outcomes = await integration.dryRun(sample, settings)
    return (
      <section class="dry-run-result" aria-labelledby="outcome">
        <h2 id="outcome">{t('integrations.result')}</h2>
        {outcomes.map((outcome) => (
          <ItemResult t={t} userLocale={userLocale} outcome={outcome} />
        ))}
      </section>
    )
  } catch (error) {
    if (error instanceof AppError) throw error
    const message =
      error instanceof Error ? error.message : t('integrations.this_request_cannot_be_tested')
    return (
      <p class="notice danger" role="alert" safe>
        {message}
      </p>
    )
  }
}

function ItemResult({
  t,
  userLocale,
  outcome,
}: {
  t: Translate
  userLocale: UserLocale
  outcome: DryRunItem
}) {
  switch (outcome.kind) {
    case 'none':
      return (
        <p class="notice" safe>
          {t('integrations.no_block', { reason: outcome.reason })}
        </p>
      )
    case 'withdraw':
      return (
        <p class="notice" safe>
          {t('integrations.deletes_these_blocks_unless', { value: outcome.externalIds.join(', ') })}
        </p>
      )
    default:
      return (
        <>
          {outcome.kind === 'update' ? <p>{t('integrations.updates_the_existing_block')}</p> : null}
          {outcome.items.map((item) => (
            <ResultBlock t={t} userLocale={userLocale} item={item} />
          ))}
        </>
      )
  }
}

/** The block that an item would create. */
function ResultBlock({
  t,
  userLocale,
  item,
}: {
  t: Translate
  userLocale: UserLocale
  item: IngestPayload
}) {
  const { title, body, block_type, external_id, author, source_url, publish_after } = item
  return (
    <article class="card">
      {isShownWithoutHeading(item) ? null : <h3 safe>{title}</h3>}
      <div class="badges">
        <span class="badge">{t(blockTypeLabels[block_type ?? 'general'])}</span>
        <span class="badge">{item.auto_ready ? t('common.ready') : t('common.draft')}</span>
        {publish_after ? (
          <span class="badge">
            {t.html('integrations.not_before', {
              date: () => <DateTime userLocale={userLocale} at={new Date(publish_after)} />,
            })}
          </span>
        ) : null}
      </div>
      <BlockBody t={t} body={body} />
      <dl class="details-list">
        {author ? (
          <>
            <dt>{t('common.author')}</dt>
            <dd safe>{author}</dd>
          </>
        ) : null}
        {source_url ? (
          <>
            <dt>{t('common.link')}</dt>
            <dd>
              <a href={attribute(source_url)} rel="noreferrer" safe>
                {source_url}
              </a>
            </dd>
          </>
        ) : null}
        {external_id ? (
          <>
            <dt>{t('integrations.id_at_the_provider')}</dt>
            <dd class="mono wrap" safe>
              {external_id}
            </dd>
          </>
        ) : null}
      </dl>
    </article>
  )
}
