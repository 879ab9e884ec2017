// An image that is dropped on the page, or pasted into it, becomes the picture of the submission.

// The form is another one after an error.
const pictureField = () => document.querySelector('form [type=file]')
const descriptionField = () => document.querySelector('form [name=image_alt]')

/** An image among dragged or copied data. Text that a program also copied as an image stays text. */
const imageIn = (data) =>
  data?.types.includes('text/plain')
    ? undefined
    : [...(data?.files ?? [])].find(({ type }) => pictureField().accept.split(',').includes(type))

/** Without a picture, nothing has to say what it shows. */
function showDescription() {
  const description = descriptionField()
  const isUsed =
    pictureField().files.length > 0 || description.value !== '' || description.ariaInvalid
  description.closest('.field').hidden = !isUsed
}

function choose(event, data) {
  const file = pictureField() && imageIn(data)
  if (!file) return
  event.preventDefault()
  const chosen = new DataTransfer()
  chosen.items.add(file)
  pictureField().files = chosen.files
  showDescription()
  descriptionField().focus()
}

/** Runs again when a script has replaced the form. */
function startForm() {
  if (!pictureField()) return
  showDescription()
  pictureField().addEventListener('change', showDescription)
}

startForm()
document.addEventListener('tidings:content', startForm)
// Without this a browser opens the file in place of the page.
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  choose(event, event.dataTransfer)
  event.preventDefault()
})
document.addEventListener('paste', (event) => choose(event, event.clipboardData))
