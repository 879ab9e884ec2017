import * as v from 'valibot'
import type { ProviderSettings } from '../../kit/requests/received.ts'
import type { Interaction } from '../events/event.ts'
import type { PersonCheck } from '../events/stored-event.ts'
import { AppId, type Settings, WorkspaceId } from '../settings.ts'

type Event = Extract<Interaction, { type: 'event_callback' }>

interface Origin {
  /** The workspace in which the app is installed. */
  workspace: string | undefined
  organization: string | undefined
  /** The workspace of the person, if it can differ from the workspace of the app. */
  home: string | undefined
}

/** Whether the request comes from the workspace (or organization) and the app of the connection. */
export function isOurs(body: Interaction, settings: Settings): boolean {
  const { workspace, organization, home } = originOf(body)
  if (workspace === undefined) return false
  if (settings.app_id && body.api_app_id && settings.app_id !== body.api_app_id) return false
  // An id that could not be stored is refused, too.
  if (!settings.workspace_id && !v.is(WorkspaceId, workspace)) return false
  const ours = settings.workspace_id ?? workspace
  if (body.type === 'event_callback') return workspacesOf(body).includes(ours)
  // In a Slack Connect channel, a person of another company can submit our form.
  return organization === ours || (workspace === ours && (home ?? ours) === ours)
}

/**
 * Whose people may cause an event in a channel that is shared with another company. `ours`: its person is one of them.
 * A check: Slack is asked, because the event does not say it, as that of a reaction, or does not say to which organization
 * the workspace of the person belongs. `connected`: the workspaces whose connections get the event.
 */
export function personOf(
  body: Interaction,
  settings: Settings,
  connected: readonly string[],
): 'ours' | 'outsider' | PersonCheck {
  if (body.type !== 'event_callback' || !isShared(body)) return 'ours'
  const { workspace, organization } = originOf(body)
  const ours = settings.workspace_id ?? workspace
  const home = homeOf(body)
  if (ours === undefined || home === ours) return 'ours'
  const isWithoutOrganization =
    organization === undefined && (workspace === ours || workspace === home)
  if (home !== undefined && isWithoutOrganization) return 'outsider'
  const isOfOurs =
    organization !== undefined && workspace === ours && !connected.includes(organization)
  return checkOf(isOfOurs ? [...new Set([ours, organization])] : [ours], connected)
}

/** The check of a person who must belong to `workspaces`, so that of several connections only one accepts the event. */
function checkOf(workspaces: string[], connected: readonly string[]): PersonCheck {
  if (connected.length < 2) return { only_people_of: workspaces }
  // The workspaces come before the organizations of which they can be a part.
  const first = connected.toSorted((a, b) => Number(isOrganization(a)) - Number(isOrganization(b)))
  return { only_people_of: workspaces, first_of: [...new Set([...first, ...workspaces])] }
}

const isOrganization = (id: string): boolean => id.startsWith('E')

/** Whether another company can see the channel of an event. */
const isShared = (body: Event): boolean =>
  body.is_ext_shared_channel === true || (placeOf(body).team_id ?? body.team_id) !== body.team_id

/**
 * The workspaces and organizations to which a request can belong: an app can be added to either. Of several that see an
 * event in a shared channel, Slack names any one in the authorization, so that the workspace of the person comes first.
 */
export function workspacesOf(body: Interaction): string[] {
  const { workspace, organization } = originOf(body)
  const ids = [workspace, organization]
  const all =
    body.type === 'event_callback' && !isRemoval(body)
      ? [
          homeOf(body),
          ...ids,
          body.context_team_id,
          body.context_enterprise_id,
          body.team_id,
          body.enterprise_id,
        ]
      : ids
  return [...new Set(all)].filter((id) => typeof id === 'string')
}

/**
 * Whether an event can be of a person of any workspace that it names, as that of a reaction in a shared channel: each
 * workspace asks Slack whether the person is one of its own.
 */
export const isOfAny = (body: Interaction): boolean =>
  body.type === 'event_callback' &&
  ['reaction_added', 'reaction_removed'].includes(body.event.type) &&
  isShared(body) &&
  homeOf(body) === undefined

/** The workspace and the app of the request, to be stored when the settings do not contain them. */
export function originSettings(body: Interaction, settings: Settings): ProviderSettings {
  const { workspace } = originOf(body)
  const app = body.api_app_id
  return {
    ...(!settings.workspace_id && v.is(WorkspaceId, workspace) && { workspace_id: workspace }),
    ...(!settings.app_id && v.is(AppId, app) && { app_id: app }),
  }
}

function originOf(body: Interaction): Origin {
  if (body.type === 'command' || body.type === 'event_callback') {
    const { team_id, enterprise_id } = placeOf(body)
    const organization = enterprise_id ?? undefined
    return { workspace: team_id ?? organization, organization, home: undefined }
  }
  const organization = body.enterprise?.id ?? body.team?.enterprise_id ?? undefined
  const team = body.team?.id
  if (body.type === 'view_submission' && body.view.app_installed_team_id) {
    const home = body.user.team_id ?? team
    return { workspace: body.view.app_installed_team_id, organization, home }
  }
  return { workspace: team ?? organization, organization, home: undefined }
}

/** The workspace of the person who has caused an event; undefined when Slack does not say it. */
const homeOf = ({ event }: Event): string | undefined =>
  event.user_team ?? event.source_team ?? undefined

/** The id of our bot for an event; undefined when Slack names that of another workspace that sees the event, too. */
export function botOf(
  { authorizations: [seenBy] = [] }: { authorizations?: Authorization[] },
  { workspace_id: ours }: Settings,
): string | undefined {
  const isOther =
    ours !== undefined &&
    seenBy?.team_id &&
    seenBy.team_id !== ours &&
    seenBy.enterprise_id !== ours
  return isOther ? undefined : seenBy?.user_id
}

interface Authorization {
  user_id?: string | undefined
  team_id?: string | null | undefined
  enterprise_id?: string | null | undefined
}

/**
 * Where the app got a request. An event names the workspace in which it happened, which can be that of a partner; its
 * authorization names that of the app. One about the removal of the app happened in the workspace of the app, which has
 * no authorization any more.
 */
function placeOf(body: Extract<Interaction, { type: 'command' | 'event_callback' }>) {
  if (body.type === 'command' || isRemoval(body)) return body
  const [seenBy] = body.authorizations
  return seenBy?.team_id || seenBy?.enterprise_id ? seenBy : body
}

const isRemoval = ({ event }: Event): boolean =>
  ['app_uninstalled', 'tokens_revoked'].includes(event.type)
