import { direct, type OperationCase, recorded, type World } from './operation.ts'
import {
  connectionId,
  ignoredDelivery,
  keyId,
  newMember,
  routedConnectionId,
  twoConnections,
} from './preparation.ts'

const team = (world: World) => ['--team', world.team.slug] as const
const reads = 'It reads data.'
const allTeams = 'It concerns the installation, not one team, and needs access to the server.'

/** Every command of the command line. */
export const cliOperations: Record<string, OperationCase> = {
  'team create': direct(['team_created'], ({ tidings }) =>
    tidings('team', 'create', '--slug', 'globex', '--name', 'Globex'),
  ),
  'team set': direct(['team_changed'], (world) =>
    world.tidings('team', 'set', ...team(world), '--language', 'de'),
  ),
  'team list': reads,
  'member add': direct(['member_added'], (world) =>
    world.tidings('member', 'add', ...team(world), '--email', 'di@people.test', '--name', 'Di'),
  ),
  'member link': recorded(['member_invited'], newMember, (world, { email }) =>
    world.tidings('member', 'link', ...team(world), '--email', email),
  ),
  'member list': reads,
  'member remove': recorded(['member_removed'], newMember, (world, { email }) =>
    world.tidings('member', 'remove', ...team(world), '--email', email),
  ),
  'member reset-second-factor':
    'The entry concerns an account: test/console/second-factor.test.ts covers it.',
  'member sign-in-link':
    'The entry concerns an account: test/console/sign-in-link.test.ts covers it.',
  'member unlink-identity':
    'The entry concerns an account: test/console/sign-in-link.test.ts covers it.',
  'key create': direct(['key_created'], (world) =>
    world.tidings('key', 'create', ...team(world), '--name', 'ci', '--scopes', 'read'),
  ),
  'key list': reads,
  'key revoke': recorded(['key_revoked'], keyId, (world, id) =>
    world.tidings('key', 'revoke', ...team(world), '--key', id),
  ),
  'adapter list': reads,
  'adapter try': 'It shows what a request would become and stores nothing.',
  'connection create': direct(['connection_created'], (world) =>
    world.tidings(
      'connection',
      'create',
      ...team(world),
      '--adapter',
      'github',
      '--set',
      'secret=x',
    ),
  ),
  'connection set': recorded(['connection_changed'], connectionId, (world, id) =>
    world.tidings(
      'connection',
      'set',
      ...team(world),
      '--id',
      id,
      '--set',
      'repositories=acme/web',
    ),
  ),
  'connection show': reads,
  'connection list': reads,
  'connection remove': recorded(['connection_removed'], connectionId, (world, id) =>
    world.tidings('connection', 'remove', ...team(world), '--id', id),
  ),
  'connection rotate-key': recorded(['connection_key_rotated'], connectionId, (world, id) =>
    world.tidings('connection', 'rotate-key', ...team(world), '--id', id),
  ),
  'connection add-route': recorded(
    ['connection_route_added'],
    twoConnections,
    (world, { id, address }) =>
      world.tidings(
        ...['connection', 'add-route', ...team(world), '--id', id],
        ...['--source', 'acme/web', '--address', address],
      ),
  ),
  'connection list-routes': reads,
  'connection remove-route': recorded(
    ['connection_route_removed'],
    routedConnectionId,
    (world, id) =>
      world.tidings(
        ...['connection', 'remove-route', ...team(world), '--id', id, '--source', 'acme/web'],
      ),
  ),
  'delivery list': reads,
  'delivery show': reads,
  'delivery replay': recorded(['delivery_replayed'], ignoredDelivery, (world, id) =>
    world.tidings('delivery', 'replay', ...team(world), '--id', id),
  ),
  demo: 'It creates a new team with the functions of the other operations.',
  migrate: allTeams,
  doctor: reads,
  'secret rotate': allTeams,
  'secret replace': allTeams,
  backup: allTeams,
  restore: allTeams,
  complete: 'It prints a script for the shell.',
}
