import type { Scope } from '../../../../contract/vocabulary.ts'
import type { Key } from '../../../../features/api-keys/index.ts'
import { providerName } from '../../../components/provider-name.ts'
import type { ConsoleDeps } from '../../../http/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'

/** The labels of the scopes. */
export const scopeLabels = {
  read: 'keys.read',
  write: 'keys.write',
  send_preview: 'keys.send_previews',
} as const satisfies Record<Scope, TextKey>

type Restrictions = Pick<Key, 'scopes' | 'ingest_only' | 'allow_auto_ready'>

/** The scopes and restrictions of a key, as people call them. */
export const scopeNames = (t: Translate, item: Restrictions): string[] => [
  ...item.scopes.map((scope) => t(scopeLabels[scope])),
  ...restrictionNames(t, item),
]

const restrictionNames = (t: Translate, { ingest_only, allow_auto_ready }: Restrictions) => [
  ...(ingest_only ? [t('keys.ingest_only')] : []),
  ...(allow_auto_ready ? [] : [t('keys.drafts_only')]),
]

/** The scopes and restrictions of a key, and for which provider it is. */
export function KeyScopes({
  t,
  deps,
  item,
}: {
  t: Translate
  deps: ConsoleDeps
  item: Restrictions & Pick<Key, 'provider'>
}) {
  return (
    <div class="badges">
      {item.scopes.map((scope) => (
        <span class="badge accent">{t(scopeLabels[scope])}</span>
      ))}
      {restrictionNames(t, item).map((name) => (
        <span class="badge">{name}</span>
      ))}
      {item.provider ? (
        <span class="badge" safe>
          {t('keys.for', { provider: providerName(deps, item.provider) })}
        </span>
      ) : null}
    </div>
  )
}
