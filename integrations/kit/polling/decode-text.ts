const byteOrderMarks = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * The text of a document: in the encoding of its byte order mark, of its content type or of its XML declaration, in this
 * order (RFC 7303, section 3). Without them it is UTF-8. What is said is not believed where the bytes say otherwise: they
 * show whether a document is UTF-16, and many documents in Windows-1252 are declared as UTF-8.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string): string {
  const said = [charsetOf(contentType), declarationOf(bytes)].find(
    (label) => label !== undefined && !/^utf-?16/i.test(label),
  )
  const label = markOf(bytes) ?? utf16Of(bytes) ?? said
  const decoder = label && decoderFor(label)
  return decoder && decoder.encoding !== 'utf-8' ? decoder.decode(bytes) : decodeUtf8(bytes)
}

/** Text in UTF-8, or in Windows-1252 when more of its characters are broken than whole. */
function decodeUtf8(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const brokenCount = text.match(/\ufffd/g)?.length ?? 0
  if (brokenCount === 0) return text
  const wholeCount = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0
  return brokenCount > wholeCount ? new TextDecoder('windows-1252').decode(bytes) : text
}

/** The byte order of UTF-16 without a mark: a document begins with a character of ASCII. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0 && second) return 'utf-16be'
  return first && second === 0 ? 'utf-16le' : undefined
}

const markOf = (bytes: Uint8Array) =>
  byteOrderMarks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.label

const charsetOf = (contentType: string) => /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1]

function declarationOf(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  return /^\s*<\?xml[^>]{0,150}\sencoding\s*=\s*["']([\w:.-]{1,40})["']/.exec(start)?.[1]
}

/** The decoder for a name; undefined for a name that nobody knows. */
function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label as Bun.Encoding)
  } catch {
    return undefined
  }
}
