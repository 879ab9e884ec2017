import * as v from 'valibot'
import type { ProviderApi } from './provider-request.ts'

/** A request as the provider sent it: signatures are checked over `body`, byte for byte. */
export interface RawRequest {
  /** In upper case. */
  method: string
  /** The URL that the provider called, as it is configured there: some providers sign it. */
  url: URL
  headers: Headers
  body: Uint8Array
}

/** The response to the provider's request. Without a body the response is empty. */
export interface Reply {
  status?: number
  /** Headers that the provider expects, such as an echo of its own header. */
  headers?: Record<string, string>
  /** An object is sent as JSON, a string as plain text. */
  body?: object | string
}

/** A value that can be stored as JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Received<Event> =
  | {
      kind: 'event'
      /** The provider's id of this delivery. A second delivery with the same id does nothing. */
      deliveryId: string
      /**
       * The provider's name of the event, for the filter `events`; one of the adapter's `events`.
       */
      eventName?: string
      event: Event
      /**
       * Data that is needed to finish, such as a response address. It is stored encrypted and
       * deleted when the delivery is settled.
       */
      ephemeralContext?: Json
      reply?: Reply
      providerSettings?: ProviderSettings
    }
  /** Several events in one request. Each is stored, forwarded and replayed separately. */
  | { kind: 'events'; events: { deliveryId: string; eventName?: string; event: Event }[] }
  /**
   * A request that makes no item, such as a ping, a challenge or a dialog to open. Nothing is
   * stored.
   */
  | {
      kind: 'immediateReply'
      reply: Reply
      after?: FollowUp<Event>
      providerSettings?: ProviderSettings
    }
  /** A known event that makes no item. It is listed with its reason. */
  | {
      kind: 'ignored'
      deliveryId: string
      reason: string
      /** Set when a setting is the reason: it is stored, so that the delivery can be replayed. */
      event?: Event
      reply?: Reply
    }
  /** The app or its token was removed at the provider at `at`: nothing more is sent through the connection. */
  | { kind: 'disconnected'; reason: 'uninstalled' | 'revoked'; at: Date; reply: Reply }
  /**
   * An event that the adapter does not know: the response is 200, and the event is logged and
   * counted.
   */
  | { kind: 'unknown'; eventName: string }
  /** A request that is not from the provider or cannot be read. Nothing is stored. */
  | { kind: 'rejected'; status: 400 | 401; reason: string }

/**
 * Work for after the response, such as opening a dialog with a trigger that lasts some seconds. It sends no messages:
 * a job does that for the event that it returns, which is stored. Other failures are logged.
 */
export type FollowUp<Event = unknown> = (
  provider: ProviderApi,
) => Promise<FollowUpEvent<Event> | undefined>

/** An event of a follow-up, such as that a dialog did not open. */
export type FollowUpEvent<Event> = Pick<
  Extract<Received<Event>, { kind: 'event' }>,
  'deliveryId' | 'event' | 'ephemeralContext'
>

/**
 * Settings that the provider sent, such as its workspace or a verification token. They are added
 * and never overwritten.
 */
export type ProviderSettings = Record<string, string>

/** Reads the ephemeral context of an event; undefined after it was deleted. */
export function readStored<Output>(
  schema: v.GenericSchema<unknown, Output>,
  stored: unknown,
): Output | undefined {
  const parsed = v.safeParse(schema, stored)
  return parsed.success ? parsed.output : undefined
}
