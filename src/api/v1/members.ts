import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { Member } from '../../contract/member.ts'
import { memberRoles } from '../../contract/vocabulary.ts'
import { listMemberPage } from '../../features/members/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { document } from '../openapi/operation.ts'
import { pageParameters, repeatableChoice } from '../parameters.ts'
import { responses } from '../response.ts'

const example = {
  id: 'mb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  name: 'Ada Lovelace',
  email: 'ada@acme.example',
  role: 'editor',
} satisfies Member

export const MemberList = v.strictObject({
  members: described(v.array(Member), 'The members of this page.', [example]),
  meta: listMetaField,
})

const MemberQuery = v.object({
  ...pageParameters,
  role: repeatableChoice(memberRoles, 'The role.'),
})

const toMember = ({ id, name, email, role }: Member): Member => ({ id, name, email, role })

/** `GET /members`: to whom previews can be sent. */
export const members = (deps: ApiDeps) =>
  new Elysia({ prefix: '/members', tags: ['Team'] }).use(access(deps)).get(
    '/',
    async ({ caller, ctx, query, request, set }) => {
      const roles = query.role ?? []
      const context = { caller, query, request, set }
      const { items, meta } = await paginate(deps, context, {
        name: 'members',
        parameters: MemberQuery,
        fields: Member,
        load: async (page) => {
          const found = await listMemberPage(ctx, { roles, page })
          return { ...found, items: found.items.map(toMember) }
        },
        positionOf: ({ id }) => id,
      })
      return { members: items, meta }
    },
    {
      access: { scope: 'send_preview' },
      query: MemberQuery,
      response: responses({ 200: MemberList }),
      detail: document({
        operationId: 'listMembers',
        summary: 'List the members of the team, newest first',
        description:
          'For choosing the `recipients` of a preview. Names and addresses are personal data, so that a key for content (`read`, `write`) does not get them.',
        responses: {
          200: {
            description: 'A page of members.',
            example: { members: [example], meta: exampleMeta },
          },
        },
      }),
    },
  )
