/** The keys of the library, and the way to switch them off (WCAG 2.1.4). */
export function Shortcuts({ mayEdit }: { mayEdit: boolean }) {
  const keys = [
    ['j / k', 'next, previous block'],
    ...(mayEdit
      ? [
          ['a', 'approve'],
          ['e', 'edit'],
          ['x', 'select'],
        ]
      : []),
    ['/', 'search'],
  ]
  return (
    <details class="shortcuts" id="shortcuts" data-script hidden>
      <summary>Keyboard shortcuts</summary>
      <dl class="facts">
        {keys.map(([key = '', what = '']) => (
          <>
            <dt>
              <kbd safe>{key}</kbd>
            </dt>
            <dd safe>{what}</dd>
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
