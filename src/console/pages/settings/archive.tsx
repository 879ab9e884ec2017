import { Elysia } from 'elysia'
import * as v from 'valibot'
import { type ArchiveMode, archiveModes } from '../../../contract/vocabulary.ts'
import {
  archiveAddress,
  createFeedLink,
  deleteFeedLink,
  feedAddress,
  getArchiveSettings,
  replaceArchiveLink,
} from '../../../features/archive/index.ts'
import { updateTeam } from '../../../features/teams/index.ts'
import { CopyField } from '../../components/form/copy-field.tsx'
import { Form, Select } from '../../components/form/form.tsx'
import { settingsLayout } from '../../components/layout/settings-layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

const path = '/settings/archive'

const modeLabels: Record<ArchiveMode, string> = {
  off: 'Nobody: the archive is off',
  link: 'Everybody who knows the link',
  members: 'Members of the team who are signed in',
}

async function page(context: MemberRequest): Promise<Response> {
  const { archive, archive_token, archive_feed_token } = await getArchiveSettings(context.ctx)
  const { baseUrl } = context.deps
  const isOn = archive !== 'off' && archive_token !== null
  return await settingsLayout(
    context,
    {
      tab: path,
      title: 'Archive',
      lead: 'A page for every newsletter that was sent, a list with a search, and “View in browser” in emails.',
    },
    <div class="narrow">
      <Form context={context} action={path}>
        <Select
          name="archive"
          label="Who can read it"
          hint="Search engines are told not to list it."
          options={archiveModes.map((value) => ({ value, label: modeLabels[value] }))}
          value={archive}
        />
        <button type="submit" class="primary">
          Save
        </button>
      </Form>
      {isOn ? (
        <>
          <hr />
          <LinkOfArchive context={context} address={archiveAddress(baseUrl, archive_token)} />
          <hr />
          <LinkOfFeed
            context={context}
            archive={archive}
            address={archive_feed_token && feedAddress(baseUrl, archive_feed_token)}
          />
        </>
      ) : null}
    </div>,
  )
}

function LinkOfArchive({ context, address }: { context: MemberRequest; address: string }) {
  return (
    <section aria-labelledby="link-title">
      <h2 id="link-title">Link</h2>
      <CopyField id="link" label="All newsletters" value={address} />
      <p>
        <a href={address}>Open the archive</a>
      </p>
      <p class="muted">
        When you replace the link, the present one stops working at once, also “View in browser” in
        emails that were sent.
      </p>
      <Form context={context} action={`${path}/replace`}>
        <button type="submit">Replace the link</button>
      </Form>
    </section>
  )
}

interface LinkOfFeedProps {
  context: MemberRequest
  archive: ArchiveMode
  /** Null: there is no feed. */
  address: string | null
}

function LinkOfFeed({ context, archive, address }: LinkOfFeedProps) {
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">Feed</h2>
      <p class="muted">
        {archive === 'members'
          ? 'For feed readers and chat tools: titles and previews of the newsletters, for everybody who knows the link of the feed, also without signing in. The newsletters themselves stay for members.'
          : 'For feed readers and chat tools: titles, previews and links of the newsletters.'}
      </p>
      {address ? <CopyField id="feed" label="Link of the feed" value={address} /> : null}
      <div class="row">
        <Form context={context} action={`${path}/feed`}>
          <button type="submit">{address ? 'Replace the link' : 'Create the link'}</button>
        </Form>
        {address ? (
          <Form context={context} action={`${path}/feed/delete`}>
            <button type="submit" class="danger">
              Delete
            </button>
          </Form>
        ) : null}
      </div>
    </section>
  )
}

const ArchiveForm = v.object({ archive: v.picklist(archiveModes) })

async function save(context: FormRequest<typeof ArchiveForm>): Promise<Response> {
  await updateTeam(context.ctx, context.body)
  return redirect(context, path, success('Saved.'))
}

async function replace(context: MemberRequest): Promise<Response> {
  await replaceArchiveLink(context.ctx)
  return redirect(context, path, success('Replaced the link.'))
}

async function createFeed(context: MemberRequest): Promise<Response> {
  await createFeedLink(context.ctx)
  return redirect(context, path, success('Created the link of the feed.'))
}

async function deleteFeed(context: MemberRequest): Promise<Response> {
  await deleteFeedLink(context.ctx)
  return redirect(context, path, success('Deleted the link of the feed.'))
}

/** Routes of the settings of the archive. */
export const archiveSettingsPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, page, { role: 'admin' })
    .post(path, save, { role: 'admin', body: ArchiveForm })
    .post(`${path}/replace`, replace, { role: 'admin' })
    .post(`${path}/feed`, createFeed, { role: 'admin' })
    .post(`${path}/feed/delete`, deleteFeed, { role: 'admin' })
