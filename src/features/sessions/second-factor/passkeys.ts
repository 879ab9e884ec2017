import * as v from 'valibot'
import { invalidField } from '../../../lib/errors.ts'
import { recordAccountChange } from '../../account-emails/index.ts'
import { findAccountById, recordAccountAudit } from '../../accounts/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  endClientSession,
  headersOf,
  nullIfRefused,
  onlyCookie,
} from '../better-auth/better-auth.ts'
import { inAuthTransaction } from '../better-auth/transaction.ts'
import { cookieNameOf } from '../cookie-names.ts'
import { updateTwoFactorEnabled } from '../sql.ts'

/** What a browser needs to create or use a passkey, as JSON (WebAuthn, section 5). */
interface PasskeyRequest {
  options: string
  cookies: Cookies
}

/** How people add passkeys and sign in with them. */
export interface Passkeys {
  /** True when browsers offer passkeys for this installation: over https, and on localhost. */
  canUsePasskeys: boolean
  /** Starts to add a passkey. `password` is required for the first second factor of an account with one. */
  startPasskey(client: Client, password: string | undefined): Promise<PasskeyRequest>
  /**
   * Stores the passkey that the browser created. `backupCodes` are returned for the first second factor of
   * the account. Throws `validation_failed` when it does not belong to the request.
   */
  addPasskey(
    client: Client,
    accountId: string,
    input: { response: string; name: string },
  ): Promise<{ backupCodes: readonly string[] | null }>
  startPasskeySignIn(client: Client): Promise<PasskeyRequest>
  /**
   * Starts a session with a passkey, and ends the session that the browser had. Throws `validation_failed` for a
   * passkey that is not known here.
   */
  signInWithPasskey(client: Client, response: string): Promise<Cookies>
}

/** Creates the functions for passkeys. */
export const createPasskeys = (deps: AuthDeps): Passkeys => ({
  canUsePasskeys: isSecureContext(deps.baseUrl),
  startPasskey: (client, password) => startPasskey(deps, client, password),
  addPasskey: (client, accountId, input) => addPasskey(deps, client, accountId, input),
  startPasskeySignIn: (client) => startPasskeySignIn(deps, client),
  signInWithPasskey: (client, response) => signInWithPasskey(deps, client, response),
})

function isSecureContext(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'https:' || hostname === 'localhost'
}

async function startPasskey(
  deps: AuthDeps,
  client: Client,
  password: string | undefined,
): Promise<PasskeyRequest> {
  await createFirstBackupCodes(deps, client, password)
  const { api } = await deps.auth()
  const { headers, response } = await api.generatePasskeyRegistrationOptions({
    headers: headersOf(client),
    query: {},
    returnHeaders: true,
  })
  return { options: JSON.stringify(response), cookies: deps.cookiesIn(headers) }
}

/** Creates backup codes for an account without a second factor; they work when it has one. */
async function createFirstBackupCodes(
  { auth }: AuthDeps,
  client: Client,
  password: string | undefined,
): Promise<void> {
  const { api } = await auth()
  const headers = headersOf(client)
  const session = await api.getSession({ headers })
  if (!session || session.user.twoFactorEnabled) return
  await api.enableTwoFactor({ body: password === undefined ? {} : { password }, headers })
}

async function addPasskey(
  deps: AuthDeps,
  client: Client,
  accountId: string,
  { response, name }: { response: string; name: string },
): Promise<{ backupCodes: readonly string[] | null }> {
  const { api } = await deps.auth()
  const body = { response: parseResponse(response, v.looseObject({})), name }
  return await inAuthTransaction(deps, async (txDeps) => {
    const work = api.verifyPasskeyRegistration({ body, headers: headersOf(client) })
    if (!(await nullIfRefused(work))) throw notAccepted()
    const { changed } = await updateTwoFactorEnabled(txDeps.sql, accountId)
    const txCtx = { ...txDeps, accountId, address: client.address }
    await recordAccountChange(txCtx, { change: 'passkey_added', detail: name })
    if (!changed) return { backupCodes: null }
    return await api.viewBackupCodes({ body: { userId: accountId } })
  })
}

async function startPasskeySignIn(deps: AuthDeps, client: Client): Promise<PasskeyRequest> {
  const { api } = await deps.auth()
  const { headers, response } = await api.generatePasskeyAuthenticationOptions({
    headers: headersOf({ ...client, cookie: '' }),
    returnHeaders: true,
  })
  const options = JSON.stringify({ ...response, userVerification: 'required' })
  return { options, cookies: deps.cookiesIn(headers) }
}

async function signInWithPasskey(
  deps: AuthDeps,
  client: Client,
  response: string,
): Promise<Cookies> {
  const { api } = await deps.auth()
  const body = { response: parseResponse(response, SignInResponse) }
  const onlyPasskey = onlyCookie(client, cookieNameOf(deps.baseUrl, 'passkey'))
  const cookies = await inAuthTransaction(deps, async ({ sql, now }) => {
    const verified = await nullIfRefused(
      api.verifyPasskeyAuthentication({
        body,
        headers: headersOf(onlyPasskey),
        returnHeaders: true as const,
      }),
    )
    if (!verified) throw notAccepted()
    const accountId = verified.response.session.userId
    await recordAccountAudit({ sql, now, accountId, address: client.address }, 'signed_in')
    const account = await findAccountById({ sql }, accountId)
    const device = account ? [deps.devices.cookieFor(account.email)] : []
    return [...deps.cookiesIn(verified.headers), ...device]
  })
  await endClientSession(deps, client)
  return cookies
}

const notAccepted = () =>
  invalidField('/passkey', 'was not accepted; try again, or sign in another way')

/** A browser's response when somebody uses a passkey (WebAuthn, `AuthenticationResponseJSON`). */
const SignInResponse = v.object({
  id: v.string(),
  rawId: v.string(),
  type: v.literal('public-key'),
  clientExtensionResults: v.object({}),
  response: v.object({
    clientDataJSON: v.string(),
    authenticatorData: v.string(),
    signature: v.string(),
    userHandle: v.exactOptional(v.string()),
  }),
})

/** A browser's response out of its JSON. Throws `validation_failed`. */
function parseResponse<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.maxLength(20_000), v.parseJson(), schema), text)
  if (!parsed.success) throw notAccepted()
  return parsed.output
}
