/** What somebody may write in a chat to do harm or by mere accident, and the body that shows it. */
export const hostileMessages: [name: string, written: string, body: string][] = [
  ['a script', 'Hi <script>alert(1)</script>', '<p>Hi &lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['emoji and right-to-left', '🎉👩‍👩‍👧 שלום עולם', '🎉👩‍👩‍👧 שלום עולם'],
  ['NUL and other control characters', 'a\0b\u001b[2J\r\nc', 'ab[2J\nc'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['40,000 characters', 'x'.repeat(40_000), 'x'.repeat(40_000)],
]
