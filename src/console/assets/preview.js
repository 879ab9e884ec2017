// Scales the desktop preview to the width that the page has for it.

const desktopWidthPx = 704
const rooms = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) fit(target, contentRect)
})

/** Shrinks the frame to the room; the frame gets higher by the same factor, so that it fills the room. */
function fit(room, { width }) {
  const frame = room.querySelector('.preview-frame.desktop')
  if (!frame) return
  const scale = Math.min(1, width / desktopWidthPx)
  const height = room.clientHeight
  frame.style.transform = `scale(${scale})`
  frame.style.width = `${Math.max(desktopWidthPx, width)}px`
  frame.style.height = `${height / scale}px`
}

function observe() {
  rooms.disconnect()
  const room = document.getElementById('preview-room')
  if (!room) return
  room.classList.add('scaled')
  rooms.observe(room)
}

observe()
document.addEventListener('htmx:after:swap', observe)
