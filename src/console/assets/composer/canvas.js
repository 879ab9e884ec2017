// Shows the newsletter at its whole height, scaled to fit, and marks what can be edited. The frame runs no
// scripts; this page only measures what it shows. Without this script the frame has its own scroll bar.

const frameWidthsPx = { desktop: 704, phone: 375 }
const canvasArea = document.getElementById('canvas-area')
const outlineElement = (mark) =>
  document.querySelector(`[data-target="${CSS.escape(mark)}"]`) ?? document.getElementById(mark)
const canvasOf = () => document.getElementById('preview-viewport')

/** The elements of the email that have marks, as `[mark, element]`; a mark is a comment. */
function markedElements(body) {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const marks = []
  while (walker.nextNode()) {
    const [, mark] = /^mark (\S+)$/.exec(walker.currentNode.data) ?? []
    if (mark) marks.push([mark, walker.currentNode])
  }
  return marks.map(([mark, node]) => [mark, largestAround(node, marks, body)])
}

/** The largest element around a mark that contains no other mark. */
function largestAround(node, marks, body) {
  let element = node.parentElement
  while (element.parentElement !== body && element.parentElement.parentElement !== body) {
    const parent = element.parentElement
    if (marks.some(([, other]) => other !== node && parent.contains(other))) break
    element = parent
  }
  return element
}

/** A link over an element of the newsletter, with the name and the warnings that the outline shows. */
function regionFor(mark, known) {
  const element = outlineElement(mark)
  const link = element?.querySelector('a[data-edit]')
  if (!link) return null
  const region = known ?? document.createElement('a')
  region.classList.add('canvas-region')
  region.dataset.mark = mark
  region.href = link.href
  region.setAttribute('aria-label', translate('canvas.edit', { name: link.textContent.trim() }))
  const warnings = [...element.querySelectorAll('.target-warnings li')]
  region.classList.toggle('has-warning', warnings.length > 0)
  region.title = warnings.map((one) => one.textContent).join('\n')
  return region
}

/** Places a link over each element of the newsletter that can be edited. */
function markRegions(canvas, body, scale) {
  const layer = canvas.querySelector('.canvas-regions') ?? document.createElement('div')
  layer.className = 'canvas-regions'
  const known = new Map([...layer.children].map((region) => [region.dataset.mark, region]))
  const regions = markedElements(body).flatMap(([mark, element]) => {
    const region = regionFor(mark, known.get(mark))
    if (!region) return []
    const { left, top, width, height } = element.getBoundingClientRect()
    region.style.translate = `${left * scale}px ${top * scale}px`
    region.style.width = `${width * scale}px`
    region.style.height = `${height * scale}px`
    return [region]
  })
  for (const region of known.values()) if (!regions.includes(region)) region.remove()
  for (const region of regions) if (!region.isConnected) layer.append(region)
  if (!layer.isConnected) canvas.append(layer)
}

/** Fits the frame into the canvas: as wide as a screen, as high as the newsletter. */
function fitFrame() {
  const canvas = canvasOf()
  const frame = canvas?.querySelector('iframe')
  const { body, URL: address } = frame?.contentDocument ?? {}
  // A document without content is as high as the frame: each measurement would make it lower.
  if (!body || address === 'about:blank') return
  const width = canvas.classList.contains('phone') ? frameWidthsPx.phone : frameWidthsPx.desktop
  const room = canvas.clientWidth
  const scale = Math.min(1, room / width)
  canvas.classList.add('fitted')
  const frameWidth = canvas.classList.contains('phone') ? width : Math.max(width, room)
  frame.style.width = `${frameWidth}px`
  const height = Math.ceil(body.getBoundingClientRect().height)
  if (height === 0) return
  frame.style.height = `${height}px`
  frame.style.transform = `scale(${scale})`
  const stage = canvas.querySelector('.canvas-regions')
  canvas.style.height = `${Math.ceil(height * scale) + 2}px`
  if (canvas.dataset.canvas === 'edit') markRegions(canvas, body, scale)
  for (const part of [stage, canvas.querySelector('.canvas-regions')])
    if (part) part.style.width = `${frameWidth * scale}px`
  document.dispatchEvent(new Event('tidings:canvas'))
}

const frameObserver = new ResizeObserver(fitFrame)

/** Fits the frame again when it has loaded, and when its images have. */
function watchFrame() {
  const canvas = canvasOf()
  const frame = canvas?.querySelector('iframe')
  if (!frame) return
  const start = () => {
    frameObserver.disconnect()
    frameObserver.observe(canvasArea)
    const body = frame.contentDocument?.body
    if (body) frameObserver.observe(body)
    fitFrame()
  }
  frame.addEventListener('load', start)
  if (frame.contentDocument?.readyState === 'complete') start()
}

/**
 * Shows another version of the newsletter in the same frame, so that the page does not jump. Its address
 * is replaced, because a new one would be a step of the browser's history.
 */
window.replaceNewsletter = (next) => {
  const canvas = canvasOf()
  const frame = canvas.querySelector('iframe')
  canvas.dataset.hash = next.dataset.hash
  canvas.className = `${next.className} fitted`
  const nextFrame = next.querySelector('iframe')
  frame.className = nextFrame.className
  frame.contentWindow.location.replace(nextFrame.src)
}

watchFrame()
// The names and the warnings of the elements can have changed.
document.addEventListener('htmx:after:swap', fitFrame)
