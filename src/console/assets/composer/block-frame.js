// Shows a block at its whole height; CSS limits it. The frame runs no scripts; this page only measures
// what it shows. Without this script the frame has a fixed height and its own scroll bar.

// In an email, the footer keeps its distance from the last block.
const spaceBelow = 24

function fitBlock(frame) {
  const height = Math.ceil(frame.contentDocument?.body?.getBoundingClientRect().height ?? 0)
  if (height === 0) return
  const borders = frame.offsetHeight - frame.clientHeight
  frame.style.height = `${height + spaceBelow + borders}px`
  frame.dataset.fitted = 'true'
}

/** Fits the frame when it has loaded, and again when its images have or its width changes. */
function watchBlock() {
  const frame = document.querySelector('.block-frame')
  if (!frame || frame.dataset.watched) return
  frame.dataset.watched = 'true'
  const observer = new ResizeObserver(() => fitBlock(frame))
  const start = () => {
    const shown = frame.contentDocument
    if (!shown?.body || shown.URL === 'about:blank') return
    observer.disconnect()
    observer.observe(shown.body)
  }
  frame.addEventListener('load', start)
  if (frame.contentDocument?.readyState === 'complete') start()
}

watchBlock()
// The review list shows another block beside it.
document.addEventListener('tidings:content', watchBlock)
