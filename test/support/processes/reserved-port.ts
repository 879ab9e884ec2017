/**
 * Runs `work`, which starts an app on the port that it gets: for apps whose address is known before
 * they start. No other test gets the port meanwhile.
 */
export async function withReservedPort<Result>(
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  // Elysia sets `reusePort` too, so that the app can listen before the reservation ends.
  const reservation = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    reusePort: true,
    fetch: () => new Response(),
  })
  try {
    return await work(reservation.port ?? 0)
  } finally {
    await reservation.stop(true)
  }
}
