import { decodeJwt } from 'jose'
import type { ReceiveContext } from '../kit/adapter.ts'
import { verifyBearerToken } from '../kit/requests/bearer-token.ts'
import type { RawRequest } from '../kit/requests/received.ts'
import { googleUrls, type Settings } from './settings.ts'

const chatAccount = 'chat@system.gserviceaccount.com'
/** The limit is ours, because Google documents none. */
const toleranceSeconds = 60

const idTokenIssuers = ['https://accounts.google.com', 'accounts.google.com']

/**
 * Whether Google Chat sent a request. With a project number, its token is for that project, or for its add-on;
 * otherwise it is an ID token of Google Chat for the address that Google called. Throws a `ProviderError` when the keys
 * of Google cannot be fetched. Sources: https://developers.google.com/workspace/chat/verify-requests-from-chat and
 * https://developers.google.com/workspace/add-ons/chat/convert#request-verification
 */
export async function isFromGoogle(
  { headers, url }: RawRequest,
  { settings, now, keys }: Pick<ReceiveContext<Settings>, 'settings' | 'now' | 'keys'>,
): Promise<boolean> {
  const urls = googleUrls(settings)
  const authorization = headers.get('authorization')
  const given = { authorization, now, toleranceSeconds, name: 'Google' }
  const { project_number } = settings
  if (project_number !== undefined && !isIdToken(authorization)) {
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
    issuer: idTokenIssuers,
    audience: url.origin + url.pathname,
  })
  const account = project_number === undefined ? chatAccount : addOnAccount(project_number)
  return claims?.['email'] === account && claims['email_verified'] === true
}

/** The account in whose name Google sends the requests to the add-on of a project. */
const addOnAccount = (projectNumber: string) =>
  `service-${projectNumber}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`

/** Whether a token, which is not verified yet, says that it is an ID token. */
function isIdToken(authorization: string | null): boolean {
  try {
    const { iss = '' } = decodeJwt((authorization ?? '').replace(/^Bearer /i, ''))
    return idTokenIssuers.includes(iss)
  } catch {
    return false
  }
}
