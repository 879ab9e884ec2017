import { isHubSignature } from '../kit/requests/signature.ts'

/**
 * Whether Notion signed this body with one of `tokens`.
 * Source: https://developers.notion.com/reference/webhooks
 */
export const isFromNotion = (body: string, signature: string, tokens: readonly string[]): boolean =>
  isHubSignature(signature, body, tokens)
