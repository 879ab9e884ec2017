import { addRoute, listRoutes, removeRoute } from '../../features/connections/index.ts'
import {
  type CliRuntime,
  databaseAction,
  formatTable,
  newTeamCommand,
  teamContext,
} from '../command.ts'

const newIdCommand = (name: string) =>
  newTeamCommand(name).requiredOption('--id <id>', 'id of the connection')

const newRouteCommand = (name: string) =>
  newIdCommand(name).requiredOption(
    '--source <text>',
    'a channel id or a repository; * stands for any characters',
  )

/** `tidings connection add-route` */
export const addRouteCommand = (runtime: CliRuntime) =>
  newRouteCommand('add-route')
    .description(
      'Send the events of a channel or repository to another connection, also of another team',
    )
    .requiredOption('--address <url>', 'webhook URL of the connection that handles the events')
    .action(
      databaseAction(runtime, async (context, { team, id, source, address }) => {
        await addRoute(await teamContext(context, team), { id, source, address })
        return { text: `Added the route for ${source}.`, json: { id, source } }
      }),
    )

/** `tidings connection list-routes` */
export const listRoutesCommand = (runtime: CliRuntime) =>
  newIdCommand('list-routes')
    .description('List the routes of a connection')
    .action(
      databaseAction(runtime, async (context, { team, id }) => {
        const routes = await listRoutes(await teamContext(context, team), { id })
        const rows = routes.map((route) => [
          ...[route.source, route.target_team_name ?? 'removed', route.target_id],
        ])
        return { text: formatTable(['SOURCE', 'TEAM', 'CONNECTION'], rows), json: routes }
      }),
    )

/** `tidings connection remove-route` */
export const removeRouteCommand = (runtime: CliRuntime) =>
  newRouteCommand('remove-route')
    .description('Remove a route; the connection handles the events itself again')
    .action(
      databaseAction(runtime, async (context, { team, id, source }) => {
        await removeRoute(await teamContext(context, team), { id, source })
        return { text: `Removed the route for ${source}.`, json: { id, source } }
      }),
    )
