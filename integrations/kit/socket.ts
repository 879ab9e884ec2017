import type { ProviderApi } from './requests/provider-request.ts'
import type { RawRequest, Received, Reply } from './requests/received.ts'

export interface OpenSocketContext<Settings> {
  settings: Settings
  provider: ProviderApi
  /** Ends the attempt: `open` throws, and leaves no socket behind. */
  signal: AbortSignal
  /** Whether the operator allows a host (`host` or `host:port`) that is not the provider's, such as a fake in tests. */
  isAllowedHost(host: string): boolean
  /** Stores a request and returns the reply. The request is acknowledged only when it does not throw. */
  receive(request: RawRequest): Promise<Reply>
  /** Runs once, when the socket has been closed by either side. */
  onClosed(): void
}

export interface Socket {
  close(): void
}

/** A connection that the service opens to the provider, for installations that the provider cannot reach. */
export interface SocketMode<Settings, Event, Context> {
  /** The secret setting without which a connection asks for no socket. */
  setting: string
  /** The settings with which a socket is opened, as one text; null when they ask for none. */
  key(settings: Settings): string | null
  /** Opens a socket and waits until the provider uses it. Throws a `ProviderError`. */
  open(context: OpenSocketContext<Settings>): Promise<Socket>
  /** As `receive` of the adapter, whose context it gets, without a signature. */
  receive(request: RawRequest, context: Context): Promise<Received<Event>>
}
