/**
 * The numbers of advisory locks that processes on one database agree on. They stand together, since
 * two uses of one number would wait for each other.
 */
export const locks = {
  /** One process migrates at a time. */
  migration: 7_140_271,
  /** One process forwards deliveries; held as long as it does. */
  forwarding: 7_140_272,
  /** One first account is made at a time. */
  setup: 7_140_273,
} as const
