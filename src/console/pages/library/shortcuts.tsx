/** The keyboard shortcuts of the library, and the setting that turns them off (WCAG 2.1.4). */
export function Shortcuts({ canEdit }: { canEdit: boolean }) {
  const keys = [
    ['j / k', 'next, previous block'],
    ...(canEdit
      ? [
          ['a', 'approve'],
          ['e', 'edit'],
          ['x', 'select'],
        ]
      : []),
    ['/', 'search'],
  ]
  return (
    <details class="shortcuts" id="shortcuts" data-requires-script hidden>
      <summary>Keyboard shortcuts</summary>
      <dl class="details-list">
        {keys.map(([key = '', action = '']) => (
          <>
            <dt>
              <kbd safe>{key}</kbd>
            </dt>
            <dd safe>{action}</dd>
          </>
        ))}
      </dl>
      <div class="check">
        <input type="checkbox" id="use-shortcuts" checked />
        <label for="use-shortcuts">Use these keys</label>
      </div>
    </details>
  )
}
