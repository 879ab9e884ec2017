import * as v from 'valibot'
import type { VersionRow } from '../../../features/versions/index.ts'
import { attribute } from '../../attribute.ts'
import { actorName } from '../../components/actor-name.ts'
import { DateTime, formatTime } from '../../components/dates/date-time.tsx'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Form } from '../../components/form/form.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { shownVersion } from '../../http/forms/form-data.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { Differences, type ShownField } from './differences.tsx'

/** The form that restores a version. */
export const RestoreForm = v.object({
  version: shownVersion,
  /** The version that the person has seen as the present one. */
  current: shownVersion,
})

/** The version that the page shows, and the one that it is compared with; null for the first one. */
export interface ChosenVersions {
  shown: VersionRow
  compared: VersionRow | null
}

/** The versions that the query asks for: by default the newest, compared with the one before. */
export function chosenVersions(
  { url }: MemberRequest,
  versions: readonly VersionRow[],
): ChosenVersions | null {
  const named = (name: string) =>
    versions.find((one) => String(one.version) === url.searchParams.get(name))
  const shown = named('version') ?? versions[0]
  if (!shown) return null
  const previous = versions[versions.indexOf(shown) + 1] ?? null
  return { shown, compared: named('with') ?? previous }
}

export interface HistoryProps {
  context: MemberRequest
  /** The address of the page, without a query. */
  path: string
  versions: readonly VersionRow[]
  chosen: ChosenVersions
  /** Who made the first version, when that was not recorded. */
  creator: string | null
  /** The labels of the fields, by their names in a version. */
  labels: Readonly<Record<string, TextKey>>
  /** The fields of both versions. */
  fields: { before: readonly ShownField[] | null; after: readonly ShownField[] }
  /** What is below the differences. */
  content: JSX.Element
  /** The present version, when an earlier one can be restored. */
  current: number | null
}

/** The versions of a block or a newsletter beside one of them, with its differences from another one. */
export function History(props: HistoryProps) {
  const { context, path, versions, chosen, fields, content, current } = props
  const { t, userLocale } = context
  const { shown, compared } = chosen
  return (
    <div class="history">
      <nav aria-label={t('history.versions')}>
        <ol class="versions">
          {versions.map((one) => (
            <VersionItem {...props} version={one} />
          ))}
        </ol>
      </nav>
      <section class="card" aria-labelledby="version">
        <div class="row version-header">
          <h2 id="version">
            {t.html('history.version_of', {
              number: () => <>{shown.version}</>,
              date: () => <DateTime userLocale={userLocale} at={shown.created_at} />,
            })}
          </h2>
          {current !== null && shown !== versions[0] ? (
            <Form context={context} action={`${path}/restore`}>
              <input type="hidden" name="version" value={String(shown.version)} />
              <input type="hidden" name="current" value={String(current)} />
              <button type="submit" class="primary">
                {t('history.restore')}
              </button>
            </Form>
          ) : null}
        </div>
        {compared ? <CompareForm {...props} /> : null}
        {compared && fields.before ? (
          <Differences t={t} before={fields.before} after={fields.after} />
        ) : null}
        {content as 'safe'}
      </section>
    </div>
  )
}

function VersionItem({
  context,
  path,
  versions,
  chosen,
  version,
  creator,
  labels,
}: HistoryProps & { version: VersionRow }) {
  const { t, userLocale } = context
  const isFirst = version === versions.at(-1)
  const name = version.name ?? (isFirst ? creator : null) ?? t('history.not_recorded')
  return (
    <li>
      <a
        href={attribute(`${path}?version=${version.version}`)}
        aria-current={version === chosen.shown ? 'true' : undefined}
      >
        <span class="version-name" safe>
          {actorName(t, name)}
        </span>
        <span class="muted">
          <RelativeTime userLocale={userLocale} at={version.created_at} now={context.deps.now()} />
        </span>
        <span class="muted version-changes" safe>
          {summaryOf(context, version, labels)}
        </span>
      </a>
    </li>
  )
}

/** What a version is, in a few words. */
function summaryOf(
  { t }: MemberRequest,
  { version, changes, restored_version: restored }: VersionRow,
  labels: HistoryProps['labels'],
): string {
  if (restored !== null) return t('history.restores', { version: restored })
  const names = Object.entries(labels).flatMap(([name, label]) =>
    changes.includes(name) ? [t(label)] : [],
  )
  if (names.length > 0) return [...new Set(names)].join(', ')
  return version === 1 ? t('common.created') : t('history.no_difference')
}

/** Chooses the version to compare with. */
function CompareForm({ context, path, versions, chosen: { shown, compared } }: HistoryProps) {
  const { t, userLocale } = context
  const optionText = ({ version, name, created_at }: VersionRow) =>
    [
      t('history.version', { version }),
      formatTime(userLocale, created_at),
      ...(name ? [actorName(t, name)] : []),
    ].join(' · ')
  return (
    <form action={path} class="row compare-form">
      <input type="hidden" name="version" value={String(shown.version)} />
      <label for="with">{t('history.compare_with')}</label>
      <select id="with" name="with">
        {versions
          .filter((one) => one !== shown)
          .map((one) => (
            <option value={String(one.version)} selected={one === compared} safe>
              {optionText(one)}
            </option>
          ))}
      </select>
      <button type="submit" class="small">
        {t('history.compare')}
      </button>
    </form>
  )
}

/** Instead of the versions, when nothing was changed yet. */
export function NoVersions({ t }: { t: Translate }) {
  return (
    <div class="empty">
      <h2>{t('history.no_changes')}</h2>
      <p>{t('history.changes_appear_here')}</p>
    </div>
  )
}
