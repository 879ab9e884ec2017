import type { ReceiveContext } from '../../kit/adapter.ts'
import type { Settings } from '../settings.ts'

/** What reading a request needs: also the webhook URL of the connection, as Mattermost calls it. */
export interface RequestContext extends ReceiveContext<Settings> {
  webhookUrl: URL
}
