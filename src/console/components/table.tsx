import type { PropsWithChildren } from '@kitajs/html'

interface TableProps {
  /** The headings of the columns. */
  columns: readonly string[]
  /** The heading of a last column of buttons, which only screen readers read. */
  actions?: string
  /** An additional class, such as `inline-cells` for short cells that follow each other on a phone. */
  class?: string
}

/** A table of rows; on narrow screens each row becomes a card. */
export function Table({
  columns,
  actions,
  class: className,
  children,
}: PropsWithChildren<TableProps>) {
  return (
    <div class="table-container">
      <table class={['responsive-table', className]}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" safe>
                {column}
              </th>
            ))}
            {actions === undefined ? null : (
              <th scope="col">
                <span class="visually-hidden" safe>
                  {actions}
                </span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children as 'safe'}</tbody>
      </table>
    </div>
  )
}
