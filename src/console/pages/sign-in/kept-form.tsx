import { attribute } from '../../attribute.ts'
import { type FormValues, fieldsOfEveryForm } from '../../http/forms/form-data.ts'

/** The prefix of the fields that contain the form that was sent without a session. */
const keptPrefix = 'kept.'

// Passwords are typed again; the token belongs to the session that has ended, the id to its page view. The team is
// that for which the form was written, whichever the new session shows.
const ofPageView = fieldsOfEveryForm.filter((name) => name !== 'form_team')
const notKept = [...ofPageView, 'password', 'current']

/** What was typed in a form that was sent without a session, without what must not be kept. */
export const withoutSecrets = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !notKept.includes(name)))

interface KeptFormFields {
  /** The path to which the kept form is sent afterwards. */
  action: string
  kept: FormValues
}

/** Hidden fields with the whole form, for the steps of the sign-in. */
export function KeptForm({ action, kept }: KeptFormFields) {
  return (
    <>
      <input type="hidden" name="action" value={attribute(action)} />
      <KeptFields values={kept} prefix={keptPrefix} />
    </>
  )
}

/** Hidden fields with the names that the form had, to send it itself. */
export function KeptFields({ values, prefix }: { values: FormValues; prefix: string }) {
  return (
    <>
      {Object.entries(values).flatMap(([name, texts]) =>
        [texts]
          .flat()
          .map((text) => (
            <input type="hidden" name={attribute(prefix + name)} value={attribute(text)} />
          )),
      )}
    </>
  )
}

/** The form that `KeptForm` put into these values. */
export const keptIn = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(keptPrefix))
      .map(([name, text]) => [name.slice(keptPrefix.length), text]),
  )
