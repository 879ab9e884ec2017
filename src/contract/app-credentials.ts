/** The operator's app at a provider, which admins add to their workspace. */
export interface AppCredentials {
  clientId: string
  clientSecret: string
  signingSecret: string
  /** The base URL of the API, with a slash at the end. */
  apiUrl: string
}
