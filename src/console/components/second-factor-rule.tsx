import type { MemberRequest } from '../http/context.ts'
import { Checkbox, Form } from './form/form.tsx'

/** The setting of a team that all its members need a second factor. */
export function SecondFactorRule({ context }: { context: MemberRequest }) {
  return (
    <section class="card narrow" aria-labelledby="rule">
      <h2 id="rule">Second factor</h2>
      <Form context={context} action="/settings/members/second-factor">
        <Checkbox
          name="required"
          label="Require a second factor"
          hint="Members without one set it up before they can go on: an authenticator app or a passkey."
          checked={context.member.team_requires_second_factor}
        />
        <button type="submit">Save</button>
      </Form>
    </section>
  )
}
