import * as v from 'valibot'

const example = /^(?:changeme|change-me|secret|password|example|test|tidings)\W*\d*$/i

/** A whole number in decimal digits. */
export const whole = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )

/** An http or https URL, without slashes at its end. */
export const webOrigin = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be an http or https address',
  ),
  v.transform((value) => value.replace(/\/+$/, '')),
)

/** The address of the service as browsers send it: every page is at the root of its host. */
export const serviceOrigin = v.pipe(
  webOrigin,
  v.check(
    (value) => /^https?:\/\/[^/?#@]+$/i.test(value),
    'must consist of https:// and a host, such as https://news.example.com, without a path or a password',
  ),
  v.transform((value) => new URL(value).origin),
)

/** True when every `%` in a text begins an encoded character. */
export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The URL of an SMTP server. */
export const mailServer = v.pipe(
  v.string(),
  v.check(
    (value) => /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value),
    'must be an address such as smtp://user:password@mail.example.com:587',
  ),
  v.check(isEncoded, 'must contain a % in the name or password as %25'),
)

/** A folder, or a folder in a bucket of an S3-compatible store. */
export const backupDestination = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.check(
    (value) => !/^[a-z][a-z0-9+.-]+:/i.test(value) || /^s3:\/\/[^/\s]+/.test(value),
    'must be a folder, or an address such as s3://bucket/folder',
  ),
)

/** `Name <address>`, or only an address. */
export const mailSender = v.pipe(
  v.string(),
  v.regex(
    /^(?:[^<>"\p{Cc}]*<)?[^\s<>@,;:"()]+@[^\s<>@,;:"()]+>?$/u,
    'must be an address such as Tidings <news@example.com>',
  ),
  v.transform((value) => {
    const [, name = '', address = ''] = /^(?:(.*)<)?([^<>]+)>?$/.exec(value) ?? []
    return { name: name.trim(), address }
  }),
)

/** A secret of the installation, which must not be one of the documentation's. */
export const installationSecret = v.pipe(
  v.string(),
  v.minLength(32, 'must have at least 32 characters; generate it with: openssl rand -hex 32'),
  v.check((value) => !example.test(value), 'must not be an example value'),
)

/** A host as URLs contain it, with or without a port: no address, no range of addresses. */
function isHost(value: string): boolean {
  const [, host = '', port = '0'] = /^(.*?)(?::(\d{1,5}))?$/.exec(value) ?? []
  return URL.parse(`http://${host}`)?.hostname === host && Number(port) <= 65_535
}

/** Hosts, separated by commas. */
export const hostList = v.pipe(
  v.string(),
  v.transform((value) => value.split(',').map((host) => host.trim().toLowerCase())),
  v.transform((hosts) => hosts.filter((host) => host !== '')),
  v.everyItem(isHost, 'must be hosts such as gitlab.internal or 10.0.0.5:8443, with commas'),
)

/** A number from 0 to 1. */
export const share = v.pipe(
  v.string(),
  v.transform(Number),
  v.number('must be a number from 0 to 1'),
  v.minValue(0, 'must be a number from 0 to 1'),
  v.maxValue(1, 'must be a number from 0 to 1'),
)
