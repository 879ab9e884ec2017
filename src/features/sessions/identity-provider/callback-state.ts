import { AsyncLocalStorage } from 'node:async_hooks'
import type { Account } from '../../accounts/index.ts'

/** What better-auth does not pass to the functions of a provider. */
interface CallbackState {
  address: string
  account?: Account
  /** Why the code could not be exchanged: better-auth catches errors of `getToken`. */
  failure?: unknown
}

const state = new AsyncLocalStorage<CallbackState>()

/** The state of the callback that better-auth processes at the moment. */
export const currentCallback = (): CallbackState | undefined => state.getStore()

/**
 * Runs a callback of better-auth for a client with this address. Returns its response and the account of
 * the person. Throws `SignInRefusedError` and `IdentityProviderError`.
 */
export async function withCallbackState(
  address: string,
  work: () => Promise<Response>,
): Promise<{ response: Response; account: Account | undefined }> {
  const current: CallbackState = { address }
  const response = await state.run(current, work)
  if (current.failure !== undefined) throw current.failure
  return { response, account: current.account }
}
