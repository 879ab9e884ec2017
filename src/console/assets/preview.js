// Scales the desktop preview to the available width.

const desktopWidthPx = 704
const resizeObserver = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) scaleFrame(target, contentRect)
})

/** Scales the frame to the viewport. Its height grows by the same factor, so that it fills the viewport. */
function scaleFrame(viewport, { width }) {
  const frame = viewport.querySelector('.preview-frame.desktop')
  if (!frame) return
  const scale = Math.min(1, width / desktopWidthPx)
  const height = viewport.clientHeight
  frame.style.transform = `scale(${scale})`
  frame.style.width = `${Math.max(desktopWidthPx, width)}px`
  frame.style.height = `${height / scale}px`
}

function observe() {
  resizeObserver.disconnect()
  const viewport = document.getElementById('preview-viewport')
  if (!viewport) return
  viewport.classList.add('scaled')
  resizeObserver.observe(viewport)
}

/** What is to know about the colors of a template. */
const contrastOf = () => document.getElementById('contrast')?.textContent
let announcedContrast = contrastOf()

observe()
document.addEventListener('htmx:after:swap', () => {
  observe()
  if (contrastOf() !== announcedContrast) announce(contrastOf())
  announcedContrast = contrastOf()
})

// A block type is in one section: where it is chosen, it leaves the others.
document.addEventListener('input', ({ target }) => {
  if (target.name !== 'section_types[]' || !target.checked) return
  const type = target.value.split(':')[1]
  for (const other of document.querySelectorAll(`[name="section_types[]"][value$=":${type}"]`))
    if (other !== target) other.checked = false
})
