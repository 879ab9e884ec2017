import type { AppCredentials } from '../../src/contract/app-credentials.ts'
import type { ProviderApi } from './requests/provider-request.ts'
import type { RawRequest, Reply } from './requests/received.ts'

/** The tokens of a workspace. */
interface AppTokens {
  /** The settings of the connection that contain tokens, by name. */
  settings: Record<string, string>
  /** Null for a token that does not expire. */
  expiring: { refreshToken: string; expiresAt: Date } | null
}

/** A workspace to which the app was added. */
export interface InstalledWorkspace extends AppTokens {
  /** The id of the workspace or the organization. */
  workspaceId: string
  /** Empty when the provider does not name it. */
  workspaceName: string
}

/** What a request to the address of the app is. */
type Identified =
  /**
   * `ids`: to which workspaces it can belong, the most specific first. `isOfAny`: all of them get it, because only they
   * can find out to which one it belongs.
   */
  | { kind: 'workspace'; ids: readonly string[]; isOfAny: boolean; unknown: Reply }
  | { kind: 'immediateReply'; reply: Reply }
  | { kind: 'rejected'; status: 400 | 401; reason: string }

interface InstallContext {
  app: AppCredentials
  provider: ProviderApi
  now: Date
}

/** How admins add the operator's app to their workspace, with OAuth. */
export interface AppInstaller {
  /** The page of the provider on which a person allows the app. */
  authorizeUrl(app: AppCredentials, given: { state: string; redirectUrl: string }): Promise<string>
  /**
   * Exchanges the query of the callback for tokens; null when the person has cancelled. The host has checked the
   * state. Throws a `ProviderError`.
   */
  install(
    context: InstallContext & { query: URLSearchParams; redirectUrl: string },
  ): Promise<InstalledWorkspace | null>
  /** Exchanges a refresh token for new tokens. Throws a `ProviderError`. */
  refresh(context: InstallContext & { refreshToken: string }): Promise<AppTokens>
  /**
   * Revokes the token in the settings of a connection that was removed. Throws a `ProviderError`: `refused` for a token
   * that is not valid any more.
   */
  revoke(context: InstallContext & { settings: Record<string, unknown> }): Promise<void>
  /** Verifies a request to the address of the app, and reads to which workspace it belongs. */
  identify(request: RawRequest, app: AppCredentials, now: Date): Identified
}
