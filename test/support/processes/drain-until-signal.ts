/**
 * Preloaded into the service, it drains until SIGUSR2 and not for DRAIN_SECONDS: a test sends the signal when its
 * proxy has noticed the drain, however long that takes on a busy machine.
 */
const { sleep } = Bun
const drainMs = Number(process.env['DRAIN_SECONDS']) * 1000

const untilSignal = () =>
  new Promise<void>((resolve) => {
    process.once('SIGUSR2', () => resolve())
  })

Bun.sleep = (ms) => (ms === drainMs ? untilSignal() : sleep(ms))
