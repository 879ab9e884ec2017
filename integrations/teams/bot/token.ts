import type { ReceiveContext } from '../../kit/adapter.ts'
import { verifyBearerToken } from '../../kit/requests/bearer-token.ts'
import type { RawRequest } from '../../kit/requests/received.ts'
import { botUrls, type Settings } from '../settings.ts'

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication */
const issuer = 'https://api.botframework.com'
const toleranceSeconds = 300

/**
 * The service address in the token of a request that the Bot Connector sent to this bot; undefined for other requests.
 * Throws a `ProviderError` when its keys cannot be fetched.
 */
export async function verifiedServiceUrl(
  { headers }: RawRequest,
  { settings, now, keys }: Pick<ReceiveContext<Settings>, 'settings' | 'now' | 'keys'>,
): Promise<string | undefined> {
  const { app_id: audience } = settings
  if (audience === undefined) return undefined
  const claims = await verifyBearerToken({
    authorization: headers.get('authorization'),
    keys: keys(botUrls(settings).keys, 'msteams'),
    issuer,
    audience,
    now,
    toleranceSeconds,
    name: 'Microsoft Teams',
  })
  const url = claims?.['serviceurl']
  return typeof url === 'string' ? url : undefined
}
