// Offers the names of editors after `@` in a comment. Without this script people type the name.

const suggestionLimit = 6
let list
let field

function closeSuggestions() {
  list?.remove()
  list = undefined
  for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant'])
    field?.removeAttribute(name)
}

/** The start of a name between `@` and the cursor, or undefined. */
function typedName() {
  const before = field.value.slice(0, field.selectionStart)
  return /(?:^|\s)@([^@\n]{0,40})$/.exec(before)?.[1]
}

function suggestions() {
  const typed = typedName()?.toLowerCase()
  if (typed === undefined) return []
  const names = JSON.parse(field.dataset.people)
  const matches = (name) =>
    name.toLowerCase() !== typed &&
    name
      .toLowerCase()
      .split(' ')
      .some((_, at, words) => words.slice(at).join(' ').startsWith(typed))
  return names.filter(matches).slice(0, suggestionLimit)
}

function insert(name) {
  const end = field.selectionStart
  const start = end - typedName().length
  field.setRangeText(`${name} `, start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  closeSuggestions()
  field.focus()
}

function optionOf(name, index) {
  const option = document.createElement('li')
  option.id = `mention-${index}`
  option.role = 'option'
  option.textContent = name
  // `mousedown`, because a click takes the focus from the text first.
  option.addEventListener('mousedown', (event) => {
    event.preventDefault()
    insert(name)
  })
  return option
}

function choose(index) {
  const options = [...list.children]
  const chosen = options[(index + options.length) % options.length]
  for (const option of options) option.ariaSelected = String(option === chosen)
  field.setAttribute('aria-activedescendant', chosen.id)
}

const chosenIndex = () => [...list.children].findIndex((one) => one.ariaSelected === 'true')

function showSuggestions() {
  closeSuggestions()
  const names = suggestions()
  if (names.length === 0) return
  list = document.createElement('ul')
  list.id = 'mention-list'
  list.className = 'mention-list'
  list.role = 'listbox'
  list.ariaLabel = translate('mentions.people')
  list.append(...names.map(optionOf))
  field.after(list)
  // A text area may not be a combobox (ARIA in HTML); a text box may have suggestions.
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-controls', list.id)
  choose(0)
}

document.addEventListener('input', ({ target }) => {
  if (!target.dataset?.people) return
  field = target
  showSuggestions()
})

document.addEventListener('focusout', ({ target }) => {
  // In another window, the text stays the active element, and people come back to it.
  if (target === field && document.activeElement !== field) closeSuggestions()
})

const keys = {
  ArrowDown: () => choose(chosenIndex() + 1),
  ArrowUp: () => choose(chosenIndex() - 1),
  Enter: () => insert(list.children[chosenIndex()].textContent),
  Tab: () => insert(list.children[chosenIndex()].textContent),
  Escape: closeSuggestions,
}

// In the capture phase: Escape closes the names before it closes what is around them.
document.addEventListener(
  'keydown',
  (event) => {
    if (!list || event.target !== field || !keys[event.key]) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
  },
  { capture: true },
)
