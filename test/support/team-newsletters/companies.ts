import type { RenderableNewsletter } from '../../../src/features/newsletters/index.ts'

/** The address of a picture; the name begins with its format. */
export const picture = (name: string) => `https://pictures.lantern.example/${name}.svg`

/** A team with a contact and a link for readers who share news. */
export function company(
  name: string,
  brand_color: string | null,
  logo = false,
): RenderableNewsletter['team'] {
  const host = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '') || 'team'}.example`
  return {
    name,
    brand_color,
    logo: logo ? { url: picture('logo'), alt: name, width: 320, height: 80 } : null,
    contact: `news@${host}`,
    share_url: `https://tidings.${host}/submit`,
  }
}
