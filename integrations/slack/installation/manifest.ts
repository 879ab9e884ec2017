import manifest from '../manifest.json' with { type: 'json' }

/**
 * The app manifest with the addresses of the connection; without an https address, that of an app with Socket Mode.
 * Source: https://docs.slack.dev/reference/app-manifest
 */
export function manifestFor({ webhookUrl, base }: { webhookUrl: string; base: string }): string {
  const isReachable = URL.parse(webhookUrl)?.protocol === 'https:'
  return JSON.stringify(isReachable ? manifest : withSocketMode(), null, 2)
    .replaceAll('{webhook_url}', webhookUrl)
    .replaceAll('{base_url}', base)
}

function withSocketMode() {
  const { features, settings } = manifest
  const { bot_events } = settings.event_subscriptions
  return {
    ...manifest,
    features: {
      ...features,
      slash_commands: features.slash_commands.map(({ url: _, ...command }) => command),
    },
    settings: {
      ...settings,
      event_subscriptions: { bot_events },
      interactivity: { is_enabled: true },
      socket_mode_enabled: true,
    },
  }
}
