// Standards, algorithms, products, years and weeks that are written like the number of a ticket: `AES-256`, `Q4-2026`.
const names =
  'AES|ANSI|ASCII|BS|CCPA|CO|COP|COVID|CSS|CVE|CW|CWE|DDR|DES|DIN|ECDSA|ECMA|ED|EN|ES|FIPS|FY|GPT|HTML|HTTP|IAS|IEC|IEEE|IFRS|ISAE|ISBN|ISO|KW|LTO|MPEG|MP|NIS|NIST|PCI|PHP|PS|RAID|RFC|RSA|SARS|SHA|SOC|TLS|USB|UTC|UTF|WCAG|WPA|[HQ][1-4]'

/**
 * The number of a ticket such as `APOLLO-12`, as part of an expression, whose flags do not change it. The names of
 * standards and products are none.
 */
export const ticketNumber: string = String.raw`(?-i:(?<![\w-])(?!(?:${names})-)[A-Z][A-Z0-9_]{1,9}-\d{1,7}\b)`
