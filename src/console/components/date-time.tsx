/**
 * A moment, in UTC; the script replaces it by the reader's own time zone and language. Both are of
 * similar length, so that hardly anything on the page moves.
 */
export function DateTime({ at, day = false }: { at: Date; day?: boolean }) {
  return (
    <time datetime={at.toISOString()} data-local={day ? 'day' : 'time'}>
      {(day ? utcDay(at) : `${utcDay(at)}, ${at.toISOString().slice(11, 16)}`) as 'safe'}
      {day ? null : <noscript> UTC</noscript>}
    </time>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const utcDay = (at: Date) => dayFormat.format(at)
