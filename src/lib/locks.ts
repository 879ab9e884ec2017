/**
 * The numbers of advisory locks that processes on one database agree on. They stand together, since
 * two uses of one number would wait for each other.
 */
export const locks = {
  /** One process migrates at a time. */
  migration: 7_140_271,
  /** One first account is made at a time. */
  setup: 7_140_273,
  /** Nobody reads the fingerprint of the secret while it is being rotated. */
  secret: 7_140_274,
} as const
