import { fileURLToPath } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import manifest from './manifest.json' with { type: 'json' }

const icon = async (name: string) =>
  await Bun.file(fileURLToPath(new URL(`icons/${name}.png`, import.meta.url))).bytes()

/**
 * The permissions in the manifest of an app that reads images: the owner of a team who adds the app allows it to read
 * the messages of that team. Source: https://learn.microsoft.com/microsoftteams/platform/graph-api/rsc/resource-specific-consent
 */
const readPermissions = {
  webApplicationInfo: { id: '{app_id}', resource: 'https://RscBasedStoreApp' },
  authorization: {
    permissions: {
      resourceSpecific: [{ name: 'ChannelMessage.Read.Group', type: 'Application' }],
    },
  },
}

/**
 * A version of its own for each package: Teams takes a changed app only with a higher one.
 * Source: https://learn.microsoft.com/microsoft-365/extensibility/schema/root#version
 */
function versionAt(now: Date): string {
  const [day = '', time = ''] = now.toISOString().replace(/\..*$/, '').split('T')
  return `1.${day.replaceAll('-', '')}.${Number(time.replaceAll(':', ''))}`
}

/**
 * The app of a bot, as an admin of Teams uploads it: the manifest with the id of the bot, and two icons.
 * Source: https://learn.microsoft.com/microsoftteams/platform/concepts/build-and-test/apps-package
 */
export async function appPackage(
  { app_id, read_images }: Readonly<Record<string, unknown>>,
  baseUrl: string,
  now: Date,
): Promise<Uint8Array | null> {
  if (typeof app_id !== 'string') return null
  const full = {
    ...manifest,
    version: versionAt(now),
    ...(read_images === true && readPermissions),
  }
  const text = JSON.stringify(full, null, 2)
    .replaceAll('{app_id}', app_id)
    .replaceAll('{base_url}', baseUrl)
    .replaceAll('{host}', new URL(baseUrl).hostname)
  return zipSync({
    'manifest.json': strToU8(text),
    'color.png': await icon('color'),
    'outline.png': await icon('outline'),
  })
}
