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
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'
import type { TextKey } from '../../locales/index.ts'

const path = '/settings/archive'

const modeLabels: Record<ArchiveMode, TextKey> = {
  off: 'archive_settings.nobody_the_archive_is_off',
  link: 'archive_settings.everybody_who_knows_the_link',
  members: 'archive_settings.members_of_the_team_who',
}

async function page(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { archive, archive_token, archive_feed_token } = await getArchiveSettings(context.ctx)
  const { baseUrl } = context.deps
  const isOn = archive !== 'off' && archive_token !== null
  return await settingsLayout(
    context,
    {
      tab: path,
      title: t('archive_settings.archive'),
      lead: t('archive_settings.a_page_for_every_newsletter'),
    },
    <div class="narrow">
      <Form context={context} action={path}>
        <Select
          name="archive"
          label={t('archive_settings.who_can_read_it')}
          hint={t('archive_settings.asks_search_engines_not_to')}
          options={archiveModes.map((value) => ({ value, label: t(modeLabels[value]) }))}
          value={archive}
        />
        <p class={archive === 'link' ? 'notice warning' : 'muted'}>
          {t('archive_settings.who_gets_a_forwarded_email')}
        </p>
        <button type="submit" class="primary">
          {t('common.save')}
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
  const { t } = context
  return (
    <section aria-labelledby="link-title">
      <h2 id="link-title">{t('common.link')}</h2>
      <CopyField t={t} id="link" label={t('archive_settings.all_newsletters')} value={address} />
      <p>
        <a href={address}>{t('archive_settings.open_the_archive')}</a>
      </p>
      <p class="muted">{t('archive_settings.when_you_replace_the_link')}</p>
      <Form context={context} action={`${path}/replace`}>
        <button type="submit">{t('archive_settings.replace_the_link')}</button>
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
  const { t } = context
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">{t('archive_settings.feed')}</h2>
      <p class="muted">
        {archive === 'members'
          ? t('archive_settings.feed_without_newsletters')
          : t('archive_settings.feed_with_links')}
      </p>
      {address ? (
        <CopyField t={t} id="feed" label={t('archive_settings.link_of_the_feed')} value={address} />
      ) : null}
      <div class="row">
        <Form context={context} action={`${path}/feed`}>
          <button type="submit">
            {address
              ? t('archive_settings.replace_the_link')
              : t('archive_settings.create_the_link')}
          </button>
        </Form>
        {address ? (
          <Form context={context} action={`${path}/feed/delete`}>
            <button type="submit" class="danger">
              {t('common.delete')}
            </button>
          </Form>
        ) : null}
      </div>
    </section>
  )
}

const ArchiveForm = v.object({ archive: v.picklist(archiveModes) })

async function save(context: FormRequest<typeof ArchiveForm>): Promise<Response> {
  const { t } = context
  await updateTeam(context.ctx, context.body)
  return redirect(context, path, success(t('common.saved')))
}

async function replace(context: MemberRequest): Promise<Response> {
  const { t } = context
  await replaceArchiveLink(context.ctx)
  return redirect(context, path, success(t('archive_settings.replaced_the_link')))
}

async function createFeed(context: MemberRequest): Promise<Response> {
  const { t } = context
  await createFeedLink(context.ctx)
  return redirect(context, path, success(t('archive_settings.created_the_link')))
}

async function deleteFeed(context: MemberRequest): Promise<Response> {
  const { t } = context
  await deleteFeedLink(context.ctx)
  return redirect(context, path, success(t('archive_settings.deleted_the_link')))
}

/** Routes of the settings of the archive. */
export const archiveSettingsPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, page, { role: 'admin' })
    .post(path, save, { role: 'admin', body: ArchiveForm })
    .post(`${path}/replace`, once(replace), { role: 'admin' })
    .post(`${path}/feed`, once(createFeed), { role: 'admin' })
    .post(`${path}/feed/delete`, once(deleteFeed), { role: 'admin' })
