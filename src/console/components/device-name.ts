import type { Translate } from '../locales/index.ts'

// The order matters: most browsers also name the browsers that they are based on.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['HeadlessChrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** The browser and system in a `User-Agent` header, such as “Firefox on Linux”. */
export function deviceName(t: Translate, userAgent: string | null): string {
  const findName = (names: readonly (readonly [string, string])[]) =>
    names.find(([token]) => userAgent?.includes(token))?.[1]
  const [browser, system] = [findName(browsers), findName(systems)]
  if (browser && system) return t('account.device_on', { browser, system })
  return browser ?? system ?? t('account.unknown_device')
}
