import type { Adapter } from '../../../integrations/kit/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import type { TestApp } from '../app.ts'
import type { Chat, ChatDriver, PersonName } from './chat.ts'
import { forwarderFor } from './plan-messages.ts'

/** A stand-in for a chat. */
interface StandIn<Person> {
  faults: readonly unknown[]
  people: Record<string, Person>
  reset(): void
  stop(): unknown
}

/** The driver of a stand-in. A reset brings back its people as they are in `people` then. */
export const driverOf = <Connected extends Chat, Person>(
  server: StandIn<Person>,
  {
    people,
    ...driver
  }: Pick<ChatDriver<Connected>, 'adapter' | 'connect'> & {
    people: Record<string, Person>
  },
): ChatDriver<Connected> => ({
  ...driver,
  faults: server.faults,
  reset() {
    server.reset()
    Object.assign(server.people, structuredClone(people))
  },
  stop: server.stop,
})

/** What the connection of each chat has. */
export const connectionOf = (
  app: TestApp,
  adapter: Adapter,
  { team, connectionId }: { team: Team; connectionId: string },
) => ({ forwarder: forwarderFor(app, adapter), team, connectionId })

/** A person in a chat that verifies editors by their email. */
interface PersonWithEmail {
  name: string
  email?: string
  isGone?: boolean
}

/** The people of a chat that verifies editors by their email. */
export const peopleWithEmail = (
  ids: Readonly<Record<PersonName, string>>,
): Record<string, PersonWithEmail> => ({
  [ids.mira]: { name: 'Mira Solano' },
  [ids.tomas]: { name: 'Tomás Weld' },
  [ids.ada]: { name: 'Ada Reyes' },
  [ids.ben]: { name: 'Ben Okoro' },
  [ids.eve]: { name: 'Eve' },
})

const submitButtons: Record<string, string> = { edit_in_form: 'save_draft', open_form: 'save_news' }

/** The name of the button that submits what a button has opened: that of its form, or else the same one. */
export const submitButtonOf = (name: string): string => submitButtons[name] ?? name
