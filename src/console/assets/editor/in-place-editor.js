// Edits an element of the newsletter where it is: the form of its page opens over it, and the page
// does not scroll. The same forms work as pages without this script.

let openEditor = null

/** Loads the scripts of the forms in their order, once. */
async function loadScripts() {
  while (laterScripts.length > 0) {
    await loadScript(laterScripts.shift())
  }
}

/** The link over an element of the newsletter; null for one that the email does not show. */
const regionOf = (mark) =>
  mark ? document.querySelector(`.canvas-region[data-mark="${CSS.escape(mark)}"]`) : null

/** Where the editor opens: over the element, or at the top of what is visible. */
function topFor(region) {
  const area = canvasArea.getBoundingClientRect()
  const visible = Math.max(0, 16 - area.top)
  if (!region) return visible
  return region.getBoundingClientRect().top - area.top
}

function createCard(title) {
  const card = document.createElement('section')
  card.className = 'in-place-editor card'
  card.setAttribute('role', 'dialog')
  card.setAttribute('aria-labelledby', 'in-place-title')
  const heading = document.createElement('h2')
  heading.id = 'in-place-title'
  heading.textContent = title
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'ghost small'
  close.textContent = translate('in-place-editor.close')
  close.addEventListener('click', () => closeEditor())
  const header = document.createElement('div')
  header.className = 'in-place-header'
  header.append(heading, close)
  const content = document.createElement('div')
  content.className = 'in-place-content'
  card.append(header, content)
  return card
}

/** Puts the form of a page in the card; its editors start when its text is restored. */
function showForm(card, page, url) {
  const content = card.querySelector('.in-place-content')
  const form = formFrom(page)
  if (!form) return false
  const alerts = page.querySelectorAll('#main > [role=alert]')
  content.replaceChildren(...alerts, form)
  form.dataset.page = url
  return true
}

const startEditors = () => document.dispatchEvent(new Event('tidings:content'))

/** Opens the form of the page at `url` over an element of the newsletter. */
async function editInPlace(url, { mark = '', title, opener }) {
  if (isEditorBeingSaved() && !(await untilEditorIsAnswered())) return
  closeEditor()
  const region = regionOf(mark)
  const card = createCard(title)
  const { pathname, search } = new URL(url, location.href)
  openEditor = { card, opener, mark, path: pathname + search }
  canvasArea.append(card)
  card.style.top = `${topFor(region)}px`
  region?.classList.add('is-edited')
  card.setAttribute('aria-busy', 'true')
  try {
    const [response] = await Promise.all([fetchInTeam(url), loadScripts()])
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (openEditor?.card !== card) return
    // Another page, such as the one to sign in.
    if (!response.ok || response.redirected || !showForm(card, page, pathname)) {
      return location.assign(url)
    }
    const form = card.querySelector('form')
    restoreDraft(form)
    startEditors()
    void window.loadServerDraft?.(form).catch(() => {})
    card.removeAttribute('aria-busy')
    focusForm(form)
  } catch {
    closeEditor()
    showToast(translate('common.cannot_be_reached'), 'danger')
  }
}

function focusForm(form) {
  focusFirstField(form)
  // The page scrolls only when too little of the form would be in sight.
  const card = form.closest('.in-place-editor')
  const { top, height } = card.getBoundingClientRect()
  if (top < 0 || top > innerHeight - Math.min(height, 320))
    card.scrollIntoView({ block: 'nearest' })
}

/** A form that is being sent stays open, because it shows what the server answers. */
const isEditorBeingSaved = () => openEditor?.card.querySelector('form[aria-busy="true"]') != null

/** False when the form that was being sent is still open, because it was not saved. */
async function untilEditorIsAnswered() {
  const sent = openEditor
  await window.sentForm
  return openEditor !== sent
}

/** Closes the editor. Text that is not saved stays stored as a draft and is there when it opens again. */
function closeEditor() {
  if (openEditor && !isEditorBeingSaved()) removeEditor()
}

function removeEditor() {
  const { card, opener, mark } = openEditor
  const form = card.querySelector('form')
  if (drafts.has(form)) {
    saveDraft(form)
    if (isChanged(form)) void window.autosave?.(form)
    drafts.delete(form)
  }
  openEditor = null
  card.remove()
  canvasArea.style.minHeight = ''
  regionOf(mark)?.classList.remove('is-edited')
  const target = opener?.isConnected ? opener : regionOf(mark)
  target?.focus({ preventScroll: true })
}

/** Opens the form again, with the text that is stored now. */
window.reopenEditor = () => {
  const { path, mark, opener, card } = openEditor
  drafts.delete(card.querySelector('form'))
  card.querySelector('form').remove()
  closeEditor()
  const title = card.querySelector('h2').textContent
  void editInPlace(path, { mark, title, opener })
}

/** The page of the newsletter is loaded again, and the card closes; not one with newer text. */
async function finish(form) {
  await enqueue(() => discardDraft(form))
  if (hasNewerText(form)) await continueForm(form)
  else if (openEditor?.card.contains(form)) removeEditor()
  openView(location.pathname + location.search)
}

// The response to the form of a card; drafts.js sends it.
document.addEventListener('tidings:response', ({ target: form, detail }) => {
  const { next, html } = detail
  if (next) {
    detail.shown = finish(form)
    return
  }
  const page = new DOMParser().parseFromString(html, 'text/html')
  const card = form.closest('.in-place-editor')
  const url = form.dataset.page
  drafts.delete(form)
  if (!showForm(card, page, url)) return location.assign(url)
  const shown = card.querySelector('form')
  // The fields contain text that is not saved yet.
  drafts.set(shown, { key: keyOf(shown), initial: null, stored: readDraft(keyOf(shown)) })
  startEditors()
  card.querySelector('[role=alert], [aria-invalid=true]')?.scrollIntoView({ block: 'nearest' })
})

/** The mark of the row of the outline around an element; empty outside of the outline. */
function markOf(element) {
  const row = element.closest('[data-target], .newsletter-block')
  return row?.dataset.target ?? row?.id ?? ''
}

const isPlainClick = (event) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey

document.addEventListener('click', (event) => {
  const link = event.target.closest('.canvas-region, a[data-edit], .in-place-editor a[data-close]')
  if (!link || !isPlainClick(event)) return
  event.preventDefault()
  if (link.hasAttribute('data-close')) return void closeEditor()
  const mark = link.dataset.mark ?? markOf(link)
  if (link.dataset.mark === undefined) showElement(mark)
  const name = outlineElement(mark)?.querySelector('a[data-edit]') ?? link
  void editInPlace(link.href, { mark, title: name.textContent.trim(), opener: link })
})

/** Shows an element of the newsletter, on narrow screens in its panel. */
function showElement(mark) {
  composer.dataset.panel = 'newsletter'
  const region = regionOf(mark)
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  region?.scrollIntoView({ block: 'center', behavior: reduced ? 'auto' : 'smooth' })
  return region
}

// A warning leads to the place that it refers to.
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-jump]')
  if (!link || !isPlainClick(event)) return
  const target = document.querySelector(link.getAttribute('href'))
  if (!target) return
  event.preventDefault()
  const region = showElement(markOf(target))
  const shown = region ?? target
  shown.scrollIntoView({ block: 'center' })
  shown.focus({ preventScroll: true })
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && openEditor && !event.target.closest('dialog')) closeEditor()
})

// The canvas is at least as high as the card, which can be longer than the newsletter.
const cardObserver = new ResizeObserver(() => {
  if (!openEditor) return
  const { card } = openEditor
  canvasArea.style.minHeight = `${card.offsetTop + card.offsetHeight + 16}px`
})
new MutationObserver(() => {
  cardObserver.disconnect()
  if (openEditor) cardObserver.observe(openEditor.card)
}).observe(canvasArea, { childList: true })

// The outline shows where an element is.
for (const [name, isShown] of [
  ['pointerover', true],
  ['pointerout', false],
]) {
  document.addEventListener(name, ({ target }) => {
    const row = target.closest?.('#blocks :is([data-target], .newsletter-block)')
    if (row) regionOf(markOf(row))?.classList.toggle('is-pointed-at', isShown)
  })
}
