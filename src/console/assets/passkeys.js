// Creates and uses passkeys (WebAuthn). The server puts the request into the form, and reads the answer from it.

const form = document.querySelector('form[data-passkey]')

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const [button, message] = [form.querySelector('button'), form.querySelector('[role=alert]')]
  button.disabled = true
  message.textContent = ''
  try {
    form.elements.response.value = JSON.stringify(await requestCredential(form.dataset.passkey))
    form.submit()
  } catch (error) {
    message.textContent = messageOf(error)
    button.disabled = false
  }
})

/** Asks the browser for a new passkey (`create`) or for one that exists (`get`). */
async function requestCredential(kind) {
  const options = JSON.parse(form.dataset.options)
  const publicKey =
    kind === 'create'
      ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
      : PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials[kind]({ publicKey })).toJSON()
}

function messageOf({ name }) {
  if (name === 'InvalidStateError') return translate('passkeys.exists')
  if (name === 'NotAllowedError') return translate('passkeys.not_used')
  return translate('passkeys.not_possible')
}
