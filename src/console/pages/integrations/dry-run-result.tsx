import type { IngestPayload } from '../../../contract/ingest.ts'
import type { DryRunItem, Integration, SampleRequest } from '../../../features/connections/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { BlockBody, blockTypeLabels, isShownAsBrief } from '../../components/block.tsx'
import { DateTime } from '../../components/date-time.tsx'
import type { Reader } from '../../http/reader.ts'

/** The items of a dry run, or why there are none. Throws `validation_failed`. */
export async function dryRunResult(
  reader: Reader,
  integration: Integration,
  sample: SampleRequest,
  settings: Record<string, unknown>,
): Promise<JSX.Element> {
  try {
    const outcomes = await integration.dryRun(sample, settings)
    return (
      <section class="dry-run-result" aria-labelledby="outcome">
        <h2 id="outcome">Result</h2>
        {outcomes.map((outcome) => (
          <ItemResult reader={reader} outcome={outcome} />
        ))}
      </section>
    )
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = error instanceof Error ? error.message : 'This request cannot be tested.'
    return (
      <p class="notice danger" role="alert" safe>
        {message}
      </p>
    )
  }
}

function ItemResult({ reader, outcome }: { reader: Reader; outcome: DryRunItem }) {
  switch (outcome.kind) {
    case 'none':
      return (
        <p class="notice" safe>
          {`No block: ${outcome.reason}.`}
        </p>
      )
    case 'withdraw':
      return (
        <p class="notice" safe>
          {`Deletes these blocks, unless a newsletter contains them: ${outcome.externalIds.join(', ')}.`}
        </p>
      )
    default:
      return (
        <>
          {outcome.kind === 'revise' ? (
            <p>Updates the existing block of this item; creates no new block.</p>
          ) : null}
          {outcome.items.map((item) => (
            <ResultBlock reader={reader} item={item} />
          ))}
        </>
      )
  }
}

/** The block that an item would create. */
function ResultBlock({ reader, item }: { reader: Reader; item: IngestPayload }) {
  const { title, body, block_type, external_id, author, source_url, publish_after } = item
  return (
    <article class="card">
      {isShownAsBrief(item) ? null : <h3 safe>{title}</h3>}
      <div class="badges">
        <span class="badge">{blockTypeLabels[block_type ?? 'general']}</span>
        <span class="badge">{item.auto_ready ? 'Ready' : 'Draft'}</span>
        {publish_after ? (
          <span class="badge">
            Not before <DateTime reader={reader} at={new Date(publish_after)} />
          </span>
        ) : null}
      </div>
      <BlockBody body={body} />
      <dl class="details-list">
        {author ? (
          <>
            <dt>Author</dt>
            <dd safe>{author}</dd>
          </>
        ) : null}
        {source_url ? (
          <>
            <dt>Link</dt>
            <dd>
              <a href={attribute(source_url)} rel="noreferrer" safe>
                {source_url}
              </a>
            </dd>
          </>
        ) : null}
        {external_id ? (
          <>
            <dt>Id at the provider</dt>
            <dd class="mono wrap" safe>
              {external_id}
            </dd>
          </>
        ) : null}
      </dl>
    </article>
  )
}
