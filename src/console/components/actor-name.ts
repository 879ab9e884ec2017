import type { TextKey, Translate } from '../locales/index.ts'

/** The actor of what people send and withdraw without an account; English, as all stored names of actors. */
export const submissionForm = 'Submission form'

const keys = new Map<string, TextKey>([
  [submissionForm, 'submit.submission_form'],
  ['The command line', 'audit.command_line'],
])

/** The name of an actor for people. Only those that are no people and no keys have a translation. */
export function actorName(t: Translate, name: string): string {
  const key = keys.get(name)
  return key ? t(key) : name
}
