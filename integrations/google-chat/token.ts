import type { ReceiveContext } from '../kit/adapter.ts'
import { verifyBearerToken } from '../kit/bearer-token.ts'
import type { RawRequest } from '../kit/received.ts'
import { googleUrls, type Settings } from './settings.ts'

const chatAccount = 'chat@system.gserviceaccount.com'
/** The limit is ours, because Google documents none. */
const toleranceSeconds = 60

/**
 * Whether Google Chat sent a request. With a project number, its token is for that project; otherwise it is an ID token
 * for the address that Google called. Throws a `ProviderError` when the keys of Google cannot be fetched.
 * Source: https://developers.google.com/workspace/chat/verify-requests-from-chat
 */
export async function isFromGoogle(
  { headers, url }: RawRequest,
  { settings, now, keys }: Pick<ReceiveContext<Settings>, 'settings' | 'now' | 'keys'>,
): Promise<boolean> {
  const urls = googleUrls(settings)
  const given = {
    authorization: headers.get('authorization'),
    now,
    toleranceSeconds,
    name: 'Google',
  }
  const { project_number } = settings
  if (project_number !== undefined) {
    const claims = await verifyBearerToken({
      ...given,
      keys: keys(urls.chatKeys),
      issuer: chatAccount,
      audience: project_number,
    })
    return claims !== undefined
  }
  const claims = await verifyBearerToken({
    ...given,
    keys: keys(urls.idTokenKeys),
    issuer: ['https://accounts.google.com', 'accounts.google.com'],
    audience: url.origin + url.pathname,
  })
  return claims?.['email'] === chatAccount && claims['email_verified'] === true
}
