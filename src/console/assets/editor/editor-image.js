// The dialog of the rich-text editor that uploads an image and inserts it into the text.

/* global uploadImage */

function imageDialog() {
  const dialog = document.createElement('dialog')
  dialog.className = 'card link-dialog'
  dialog.setAttribute('aria-labelledby', 'image-dialog-title')
  dialog.innerHTML = `<form method="dialog">
    <h2 id="image-dialog-title"></h2>
    <label for="image-dialog-file"></label>
    <input id="image-dialog-file" type="file" required aria-describedby="image-dialog-error">
    <label for="image-dialog-alt"></label>
    <input id="image-dialog-alt" type="text" maxlength="500" autocomplete="off" required>
    <p id="image-dialog-error" class="field-error" role="alert" hidden></p>
    <div class="row">
      <button class="primary" value="insert"></button>
      <button class="quiet" value="cancel" formnovalidate></button>
    </div>
  </form>`
  const [fileLabel, altLabel] = dialog.querySelectorAll('label')
  const [insert, cancel] = dialog.querySelectorAll('button')
  dialog.querySelector('h2').textContent = translate('editor-image.image')
  fileLabel.textContent = translate('editor-image.file')
  altLabel.textContent = translate('editor-image.what_it_shows')
  insert.textContent = translate('editor-image.insert')
  cancel.textContent = translate('editor-image.cancel')
  return dialog
}

/** Uploads the chosen image; returns its address, or shows what is wrong and returns null. */
async function uploadChosen(dialog, form) {
  const message = dialog.querySelector('[role=alert]')
  const button = dialog.querySelector('.primary')
  message.hidden = true
  button.ariaBusy = 'true'
  const { url, error } = await uploadImage(form, dialog.querySelector('[type=file]').files[0])
  button.ariaBusy = null
  message.textContent = error ?? ''
  message.hidden = !error
  return url ?? null
}

/** Asks for an image and what it shows, and inserts it where the cursor is. */
window.insertImage = (editor, { form }) => {
  const range = editor.getSelection()
  const dialog = imageDialog()
  const { accept } = form.querySelector('[data-image-field] [type=file]')
  dialog.querySelector('[type=file]').accept = accept
  dialog.addEventListener('submit', async (event) => {
    if (event.submitter?.value !== 'insert') return
    event.preventDefault()
    const url = await uploadChosen(dialog, form)
    if (url === null || !dialog.open) return
    dialog.close()
    editor.setSelection(range)
    editor.insertImage(url, { alt: dialog.querySelector('[type=text]').value.trim() })
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    editor.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
}
