import { dayMs, daysBefore, type Now } from '../../../lib/clock.ts'
import { type Sql, transaction, withDeadline } from '../../../lib/database/db.ts'
import { fileNameOf, parseFileName } from '../address.ts'
import { lockFile } from '../sql.ts'
import type { ImageStorage, StoredFile } from '../storage/storage.ts'
import { findReferenced } from './references.ts'
import {
  deleteUnreferenced,
  selectKnownHashes,
  selectTeamsWithImages,
  selectUnreferenced,
  updateUnreferenced,
} from './sql.ts'

/** How long an image is kept that nothing refers to. */
const unreferencedImageDays = 30
/** A file without a row can belong to an upload that is running. */
const orphanAfterMs = dayMs
const filesPerCheck = 500

interface PurgeContext {
  sql: Sql
  now: Now
  storage: ImageStorage
}

/**
 * Deletes images that nothing has referred to for 30 days, and files that belong to no image. An
 * image of a sent newsletter stays, because emails refer to it.
 */
export async function purgeImages(ctx: PurgeContext): Promise<void> {
  const failures: unknown[] = []
  let teams = await withDeadline(selectTeamsWithImages(ctx.sql, ''))
  while (teams.length > 0) {
    for (const teamId of teams)
      await purgeTeam(ctx, teamId).catch((error: unknown) => failures.push(error))
    teams = await withDeadline(selectTeamsWithImages(ctx.sql, teams.at(-1) ?? ''))
  }
  await purgeOrphans(ctx)
  // A team whose cleanup fails does not stop the others; the job is retried.
  if (failures.length > 0) throw failures[0]
}

async function purgeTeam({ sql, now, storage }: PurgeContext, teamId: string): Promise<void> {
  const before = daysBefore(now(), unreferencedImageDays)
  const referenced = [...(await findReferenced(sql, teamId))]
  await withDeadline(updateUnreferenced(sql, teamId, { referenced, at: now() }))
  for (const image of await withDeadline(selectUnreferenced(sql, teamId, before))) {
    await transaction(sql, async (tx) => {
      await lockFile(tx, image.hash)
      await deleteUnreferenced(tx, teamId, image.hash, before)
      const known = await selectKnownHashes(tx, [image.hash])
      if (!known.has(image.hash)) await storage.delete(fileNameOf(image))
    })
  }
}

/** Files of uploads that failed after the file was written. */
async function purgeOrphans(ctx: PurgeContext): Promise<void> {
  const oldest = ctx.now().getTime() - orphanAfterMs
  let batch: StoredFile[] = []
  for await (const file of ctx.storage.list()) {
    if (file.modifiedAt.getTime() < oldest) batch.push(file)
    if (batch.length < filesPerCheck) continue
    await purgeUnknown(ctx, batch)
    batch = []
  }
  await purgeUnknown(ctx, batch)
}

async function purgeUnknown({ sql, storage }: PurgeContext, files: StoredFile[]): Promise<void> {
  const named = files.flatMap(({ name }) => {
    const hash = parseFileName(name)?.hash
    return hash === undefined ? [] : [{ name, hash }]
  })
  const known = await withDeadline(
    selectKnownHashes(
      sql,
      named.map(({ hash }) => hash),
    ),
  )
  for (const { name, hash } of named.filter((file) => !known.has(file.hash))) {
    await transaction(sql, async (tx) => {
      await lockFile(tx, hash)
      const current = await selectKnownHashes(tx, [hash])
      if (!current.has(hash)) await storage.delete(name)
    })
  }
}
