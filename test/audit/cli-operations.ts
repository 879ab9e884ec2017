import { type AuditSetup, direct, type OperationCase, recorded } from './operation.ts'
import {
  connectionId,
  ignoredDelivery,
  keyId,
  newMember,
  routedConnectionId,
  twoConnections,
} from './preparation.ts'

const team = (setup: AuditSetup) => ['--team', setup.team.slug] as const
const reads = 'It reads data.'
const allTeams = 'It concerns the installation, not one team, and needs access to the server.'

/** Every command of the command line. */
export const cliOperations: Record<string, OperationCase> = {
  'team create': direct(['team_created'], ({ tidings }) =>
    tidings('team', 'create', '--slug', 'globex', '--name', 'Globex'),
  ),
  'team set': direct(['team_changed'], (setup) =>
    setup.tidings('team', 'set', ...team(setup), '--language', 'de'),
  ),
  'team list': reads,
  'member add': direct(['member_added'], (setup) =>
    setup.tidings('member', 'add', ...team(setup), '--email', 'di@people.test', '--name', 'Di'),
  ),
  'member link': recorded(['member_invited'], newMember, (setup, { email }) =>
    setup.tidings('member', 'link', ...team(setup), '--email', email),
  ),
  'member list': reads,
  'member remove': recorded(['member_removed'], newMember, (setup, { email }) =>
    setup.tidings('member', 'remove', ...team(setup), '--email', email),
  ),
  'member reset-second-factor':
    'The entry concerns an account: test/console/sign-in/second-factor.test.ts covers it.',
  'member sign-in-link':
    'The entry concerns an account: test/console/sign-in/sign-in-link.test.ts covers it.',
  'member unlink-identity':
    'The entry concerns an account: test/console/sign-in/sign-in-link.test.ts covers it.',
  'key create': direct(['key_created'], (setup) =>
    setup.tidings('key', 'create', ...team(setup), '--name', 'ci', '--scopes', 'read'),
  ),
  'key list': reads,
  'key revoke': recorded(['key_revoked'], keyId, (setup, id) =>
    setup.tidings('key', 'revoke', ...team(setup), '--key', id),
  ),
  'adapter list': reads,
  'adapter try': 'It shows what a request would become and stores nothing.',
  'connection create': direct(['connection_created'], (setup) =>
    setup.tidings(
      'connection',
      'create',
      ...team(setup),
      '--adapter',
      'github',
      '--set',
      'secret=x',
    ),
  ),
  'connection set': recorded(['connection_changed'], connectionId, (setup, id) =>
    setup.tidings(
      'connection',
      'set',
      ...team(setup),
      '--id',
      id,
      '--set',
      'repositories=acme/web',
    ),
  ),
  'connection show': reads,
  'connection list': reads,
  'connection remove': recorded(['connection_removed'], connectionId, (setup, id) =>
    setup.tidings('connection', 'remove', ...team(setup), '--id', id),
  ),
  'connection rotate-key': recorded(['connection_key_rotated'], connectionId, (setup, id) =>
    setup.tidings('connection', 'rotate-key', ...team(setup), '--id', id),
  ),
  'connection add-route': recorded(
    ['connection_route_added'],
    twoConnections,
    (setup, { id, address }) =>
      setup.tidings(
        ...['connection', 'add-route', ...team(setup), '--id', id],
        ...['--source', 'acme/web', '--address', address],
      ),
  ),
  'connection list-routes': reads,
  'connection remove-route': recorded(
    ['connection_route_removed'],
    routedConnectionId,
    (setup, id) =>
      setup.tidings(
        ...['connection', 'remove-route', ...team(setup), '--id', id, '--source', 'acme/web'],
      ),
  ),
  'delivery list': reads,
  'delivery show': reads,
  'delivery replay': recorded(['delivery_replayed'], ignoredDelivery, (setup, id) =>
    setup.tidings('delivery', 'replay', ...team(setup), '--id', id),
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
