/** A moment: UTC as sent, and in the reader's own zone once the script has run. */
export function Time({ at, day = false }: { at: Date; day?: boolean }) {
  return (
    <time datetime={at.toISOString()} data-local={day ? 'day' : 'time'} safe>
      {day ? utcDay(at) : `${utcDay(at)}, ${at.toISOString().slice(11, 16)} UTC`}
    </time>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const utcDay = (at: Date) => dayFormat.format(at)
