import { expect, test } from 'bun:test'
import { readForm } from '../../../src/console/http/forms/form-data.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`
const fields = {
  'many fields': (count: number) => Array.from({ length: count }, (_, n) => `f${n}=x`).join('&'),
  'one field many times': (count: number) => 'f=x&'.repeat(count),
  'a long list': (count: number) => 'f[]=x&'.repeat(count),
  'percent-encodings': (count: number) => `f=${'%f0%9f%8e%89'.repeat(count)}`,
  'broken percent-encodings': (count: number) => `f=${'%%f%'.repeat(count)}`,
  'line breaks': (count: number) => `f=${'%0d%0a'.repeat(count)}`,
  'separators only': (count: number) => '&=&'.repeat(count),
}
const parts = {
  'many parts': (count: number) => Array.from({ length: count }, (_, n) => part(`f${n}`)).join(''),
  'beginnings of boundaries': (count: number) => `${part('f')}${'\r\n-'.repeat(count)}`,
  'many parameters of a part': (count: number) =>
    `--b\r\ncontent-disposition: form-data; name="f"${'; x="y"'.repeat(count)}\r\n\r\nx\r\n`,
  'quotes in a name': (count: number) => part('\\"'.repeat(count)),
}

const form = 'application/x-www-form-urlencoded'
const cases = [
  ...Object.entries(fields).map(([name, body]) => [name, form, body] as const),
  ...Object.entries(parts).map(
    ([name, body]) =>
      [name, 'multipart/form-data; boundary=b', (n: number) => `${body(n)}--b--\r\n`] as const,
  ),
]

test.each(cases)(
  'the time to read a form of %s (%s) grows with its size only',
  async (_, type, bodyOf) => {
    const read = async (count: number) => {
      const headers = { 'content-type': type }
      const request = new Request('http://a.test', { method: 'POST', headers, body: bodyOf(count) })
      await readForm(request, { maxFileBytes: 1_000_000 }).catch(() => null)
    }
    expect(await growthOf(read, 1_000)).toBeLessThan(maxLinearGrowth)
  },
)
