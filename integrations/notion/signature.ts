import { verifyWebhookSignature } from '@notionhq/client'

/**
 * Whether Notion signed this body with one of `tokens`. https://developers.notion.com/reference/webhooks
 */
export async function isFromNotion(
  body: string,
  signature: string,
  tokens: readonly string[],
): Promise<boolean> {
  // The library also takes upper case, which Notion never sends.
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return false
  const checks = tokens.map((verificationToken) =>
    verifyWebhookSignature({ body, signature, verificationToken }),
  )
  return (await Promise.all(checks)).includes(true)
}
