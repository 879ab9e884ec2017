import { bolt } from './packages.ts'

const toleranceSeconds = 300

/**
 * Whether Slack signed these bytes with one of the secrets within five minutes of `now`. Bolt's
 * check accepts timestamps in the future, so both directions are checked here.
 * Source: https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function isFromSlack(
  headers: Headers,
  body: string,
  secrets: readonly string[],
  now: Date,
): boolean {
  const signature = headers.get('x-slack-signature') ?? ''
  // Bolt's check would ignore the text after a second `=`.
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) return false
  const timestamp = Number(headers.get('x-slack-request-timestamp'))
  // This condition refuses a value that is not a number.
  if (!(Math.abs(now.getTime() / 1000 - timestamp) <= toleranceSeconds)) return false
  return secrets.some((signingSecret) =>
    bolt().isValidSlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
      nowMilliseconds: now.getTime(),
    }),
  )
}
