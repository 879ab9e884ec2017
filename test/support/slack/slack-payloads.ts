/** Requests in the shape of Slack's, from people and places we made up. */

export const people = { U0MIRA: 'Mira Solano', U0TOMAS: 'Tomás Weld' }

// What must never be stored or posted.
export const verificationToken = 'legacy-verification-token'
export const triggerId = '4001.7002.trigger-secret'

const from = {
  token: verificationToken,
  api_app_id: 'A0NEWS',
  team: { id: 'T0ACME', domain: 'acme' },
  user: { id: 'U0MIRA', name: 'mira', username: 'mira', team_id: 'T0ACME' },
}

export const command = (text: string, more: Record<string, string> = {}) => ({
  token: verificationToken,
  team_id: 'T0ACME',
  team_domain: 'acme',
  channel_id: 'C0WINS',
  channel_name: 'wins',
  user_id: 'U0MIRA',
  user_name: 'mira',
  command: '/win',
  text,
  api_app_id: 'A0NEWS',
  response_url: 'https://hooks.slack.com/commands/T0ACME/1/secret-address',
  trigger_id: triggerId,
  ...more,
})

export const messageAction = (text: string, more: object = {}) => ({
  type: 'message_action',
  ...from,
  callback_id: 'save_to_newsletter',
  trigger_id: triggerId,
  action_ts: '1795000001.000100',
  channel: { id: 'C0WINS', name: 'wins' },
  message_ts: '1795000000.000200',
  message: { type: 'message', text, user: 'U0TOMAS', ts: '1795000000.000200' },
  response_url: 'https://hooks.slack.com/app/T0ACME/1/secret-address',
  ...more,
})

export const globalShortcut = (more: object = {}) => ({
  type: 'shortcut',
  ...from,
  callback_id: 'write_for_newsletter',
  trigger_id: triggerId,
  action_ts: '1795000001.000100',
  ...more,
})

interface FormInput {
  title?: string | null
  body?: string | null
  blockType?: string
  event?: string
  notes?: object
  view?: object
}

export function submission(input: FormInput, more: object = {}) {
  const option = (value: string | undefined) => ({ selected_option: value ? { value } : null })
  return {
    type: 'view_submission',
    ...from,
    trigger_id: triggerId,
    view: {
      id: 'V0FORM',
      hash: '1795000002.abc',
      team_id: 'T0ACME',
      app_installed_team_id: 'T0ACME',
      type: 'modal',
      callback_id: 'newsletter_form',
      private_metadata: JSON.stringify(input.notes ?? {}),
      state: {
        values: {
          title: { title: { type: 'plain_text_input', value: input.title ?? null } },
          body: { body: { type: 'plain_text_input', value: input.body ?? null } },
          block_type: { block_type: option(input.blockType ?? 'general') },
          news_event: { news_event: option(input.event) },
        },
      },
      ...input.view,
    },
    response_urls: [],
    ...more,
  }
}

export const press = (value: string, more: object = {}) => ({
  type: 'block_actions',
  ...from,
  trigger_id: triggerId,
  container: { type: 'message', is_ephemeral: true },
  response_url: 'https://hooks.slack.com/actions/T0ACME/1/secret-address',
  actions: [{ type: 'button', action_id: 'undo_news', block_id: 'b', value, action_ts: '1795.1' }],
  ...more,
})

export const suggestion = (value: string) => ({
  type: 'block_suggestion',
  ...from,
  action_id: 'news_event',
  block_id: 'news_event',
  value,
})

export const messageEvent = (event: object) => ({
  type: 'event_callback',
  token: verificationToken,
  team_id: 'T0ACME',
  api_app_id: 'A0NEWS',
  event_id: 'Ev0001',
  event: { type: 'message', channel: 'C0WINS', text: 'Lunch?', ts: '1795000000.000200', ...event },
})
