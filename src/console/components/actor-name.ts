import { commandLine } from '../../lib/context.ts'
import type { TextKey, Translate } from '../locales/index.ts'

/** The actor of what people send and withdraw without an account; English, as all stored names of actors. */
export const submissionForm = 'Submission form'

/** All names of this actor: earlier versions stored it in the language of the sender, and the audit log is final. */
const submissionForms = [submissionForm, 'Formular für Einsendungen']

const keys = new Map<string, TextKey>([
  ...submissionForms.map((name) => [name, 'submit.submission_form'] as const),
  [commandLine, 'audit.command_line'],
])

/** The name of an actor for people. Only those that are no people and no keys have a translation. */
export function actorName(t: Translate, name: string): string {
  const key = keys.get(name)
  return key ? t(key) : name
}

/** The names under which the audit log has the entries of an actor. */
export const storedNamesOf = (name: string): readonly string[] =>
  submissionForms.includes(name) ? submissionForms : [name]
