const hrefOfLink = /(<a\b[^<>]*?\shref=)(["'])([^"'<>]*)\2/gi

/** HTML in which the addresses of links are whole: relative ones lead nowhere outside of their page. */
export const withWholeAddresses = (html: string, base: string): string =>
  html.replace(hrefOfLink, (whole, start: string, quote: string, href: string) => {
    const address = URL.parse(href.replaceAll('&amp;', '&'), base)
    if (/^[a-z][a-z\d+.-]*:/i.test(href.trim()) || address === null) return whole
    return `${start}${quote}${Bun.escapeHTML(address.href)}${quote}`
  })
