import * as v from 'valibot'
import type { AppCredentials } from '../contract/app-credentials.ts'

const optionalText = v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty')))

/** The settings of the operator's Slack app, for the schema of the configuration. */
export const slackAppEntries = {
  SLACK_CLIENT_ID: optionalText,
  SLACK_CLIENT_SECRET: optionalText,
  SLACK_SIGNING_SECRET: optionalText,
  SLACK_API_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => URL.parse(value)?.pathname.endsWith('/') === true,
        'must be an address with a slash at the end, such as https://slack.com/api/',
      ),
    ),
    'https://slack.com/api/',
  ),
}

const Settings = v.object(slackAppEntries)

/**
 * The operator's apps, by the slug of their integration; empty when no app is set up. Throws an `Error` that
 * names the settings that are missing.
 */
export function appsOf(
  settings: v.InferOutput<typeof Settings>,
): ReadonlyMap<string, AppCredentials> {
  const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET, SLACK_API_URL } = settings
  const given = { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET }
  const missing = Object.entries(given).filter(([, value]) => value === undefined)
  if (missing.length === Object.keys(given).length) return new Map()
  if (!SLACK_CLIENT_ID || !SLACK_CLIENT_SECRET || !SLACK_SIGNING_SECRET) {
    const names = missing.map(([name]) => name).join(', ')
    throw new Error(
      `These settings belong together: ${Object.keys(given).join(', ')}. Set also ${names}.`,
    )
  }
  const app = {
    clientId: SLACK_CLIENT_ID,
    clientSecret: SLACK_CLIENT_SECRET,
    signingSecret: SLACK_SIGNING_SECRET,
    apiUrl: SLACK_API_URL,
  }
  return new Map([['slack', Object.freeze(app)]])
}
