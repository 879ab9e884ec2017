// Runs inside a page: `page.addScriptTag` brings it there, `page.evaluate('mailChecks.…')` calls it.

/** The elements of an email as a tree of names, without the elements inside the bodies of blocks. */
function shape(html) {
  const nameOf = (element) =>
    element.classList.contains('prose')
      ? 'prose'
      : `${element.localName}(${[...element.children].map(nameOf).join()})`
  return nameOf(new DOMParser().parseFromString(html, 'text/html').documentElement)
}

/** The channels of a computed color, such as `rgba(255, 255, 255, 0.5)`. */
function channels(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number)
  return { rgb: [red, green, blue], alpha }
}

/** The relative luminance of WCAG 2.2. */
function luminance({ rgb }) {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The color behind an element: its own background, or that of the nearest ancestor that has one. */
function backgroundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const background = channels(getComputedStyle(at).backgroundColor)
    if (background.alpha > 0) return background
  }
  return channels('rgb(255, 255, 255)')
}

/** Every visible text whose contrast is below WCAG's 4.5, with that contrast. */
function faintTexts() {
  const faint = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const text = walker.currentNode.data.trim()
    if (text === '' || !element.checkVisibility()) continue
    const [one, other] = [
      luminance(channels(getComputedStyle(element).color)),
      luminance(backgroundOf(element)),
    ]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${text.slice(0, 40)}`)
  }
  return faint
}

globalThis.mailChecks = { shape, faintTexts }
