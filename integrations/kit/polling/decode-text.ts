const byteOrderMarks = [
  { label: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/**
 * The text of an XML document: in the encoding of its byte order mark, of its content type or of its declaration, in
 * this order (RFC 7303, section 3). Without them it is UTF-8, or Windows-1252 when it is not valid UTF-8.
 */
export function decodeXml(bytes: Uint8Array, contentType: string): string {
  const declared = markOf(bytes) ?? charsetOf(contentType) ?? declarationOf(bytes)
  const decoder = declared && decoderFor(declared)
  if (decoder) return decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
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
