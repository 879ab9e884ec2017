import type { App } from '@slack/bolt'
import type { SlackRequest } from './request-result.ts'

/**
 * Listens for the uninstallation of the app and the revocation of its token. Slack sends both events, in any order.
 * Sources: https://docs.slack.dev/reference/events/app_uninstalled and
 * https://docs.slack.dev/reference/events/tokens_revoked
 */
export function listenForUninstallation(app: App, request: SlackRequest): void {
  const timeOf = ({ event_time }: { event_time?: number }) =>
    event_time === undefined ? request.now : new Date(event_time * 1000)
  app.event('app_uninstalled', async ({ body }) => {
    request.setResult({ kind: 'disconnected', reason: 'uninstalled', at: timeOf(body) })
  })
  app.event('tokens_revoked', async ({ body, event }) => {
    const isOurs = (event.tokens.bot ?? []).length > 0
    request.setResult(
      isOurs
        ? { kind: 'disconnected', reason: 'revoked', at: timeOf(body) }
        : {
            kind: 'ignored',
            deliveryId: body.event_id,
            reason: 'the token of a person was revoked, and the app uses none',
          },
    )
  })
}
