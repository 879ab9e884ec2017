/**
 * The numbers of the advisory locks that all processes on one database use. They are in one file,
 * because two uses of the same number would block each other.
 */
export const locks = {
  /** Only one process migrates at a time. */
  migration: 7_140_271,
  /** Only one first account is created at a time. */
  setup: 7_140_273,
  /** No process reads the fingerprint of the secret while the secret is being rotated. */
  secret: 7_140_274,
  /** Only one process creates the index of the jobs. */
  jobIndex: 7_140_275,
} as const
