import type { MemberRequest } from '../../http/context.ts'
import { Checkbox, Form } from '../form/form.tsx'

/** The setting of a team that all its members need a second factor. */
export function SecondFactorRule({ context }: { context: MemberRequest }) {
  const { t } = context
  return (
    <section class="card narrow" aria-labelledby="rule">
      <h2 id="rule">{t('second_factor.second_factor')}</h2>
      <Form context={context} action="/settings/members/second-factor">
        <Checkbox
          name="required"
          label={t('second_factor.require_a_second_factor')}
          hint={t('second_factor.members_without_one_set')}
          checked={context.member.team_requires_second_factor}
        />
        <button type="submit">{t('common.save')}</button>
      </Form>
    </section>
  )
}
