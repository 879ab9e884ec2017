// An image that is dropped on the page, or pasted into it, becomes the picture of the submission.

const input = document.querySelector('form [type=file]')

/** An image among dragged or copied data. Text that a program also copied as an image stays text. */
const imageIn = (data) =>
  data?.types.includes('text/plain')
    ? undefined
    : [...(data?.files ?? [])].find(({ type }) => input.accept.split(',').includes(type))

const description = document.querySelector('form [name=image_alt]')

/** Without a picture, nothing has to say what it shows. */
function showDescription() {
  const isUsed = input.files.length > 0 || description.value !== '' || description.ariaInvalid
  description.closest('.field').hidden = !isUsed
}

function choose(event, data) {
  const file = imageIn(data)
  if (!file) return
  event.preventDefault()
  const chosen = new DataTransfer()
  chosen.items.add(file)
  input.files = chosen.files
  showDescription()
  description.focus()
}

if (input) {
  showDescription()
  input.addEventListener('change', showDescription)
  for (const hint of document.querySelectorAll('[data-requires-script]')) hint.hidden = false
  // Without this a browser opens the file in place of the page.
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    choose(event, event.dataTransfer)
    event.preventDefault()
  })
  document.addEventListener('paste', (event) => choose(event, event.clipboardData))
}
