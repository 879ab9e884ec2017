import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFaults } from './database-faults.ts'
import { type Fault, lastsFor } from './fault.ts'
import { restartFaults } from './restart-faults.ts'

const mailFault = (behavior: 'is away' | 'hangs' | 'drops' | 'asks to try later'): Fault => ({
  name: `the mail server ${behavior} for 50 s`,
  restarts: false,
  async cause({ mailServer }) {
    mailServer.behave(behavior)
    await lastsFor(50)
    mailServer.behave('works')
  },
})

const ingestFault = (behavior: 'loses responses' | 'limits requests', name: string): Fault => ({
  name: `${name} for 20 s`,
  restarts: false,
  async cause({ proxy }) {
    proxy.behave(behavior)
    await lastsFor(20)
    proxy.behave('works')
  },
})

const clientFault = (behavior: 'breakOff' | 'sendTwice', name: string): Fault => ({
  name: `${name} for 20 s`,
  restarts: false,
  async cause({ clients }) {
    clients[behavior] = true
    await lastsFor(20)
    clients[behavior] = false
  },
})

const requestFaults: Fault[] = [
  mailFault('is away'),
  mailFault('hangs'),
  mailFault('drops'),
  mailFault('asks to try later'),
  ingestFault('loses responses', 'every second response of ingest is lost'),
  ingestFault('limits requests', 'ingest asks the worker to try later'),
  clientFault('breakOff', 'clients break off their requests'),
  clientFault('sendTwice', 'every request and webhook is sent twice at once'),
  {
    name: '300 clients send half of a request for 15 s',
    restarts: false,
    async cause({ url }) {
      const { hostname, port } = new URL(url())
      const sockets = Array.from({ length: 300 }, () =>
        connect(Number(port), hostname)
          .on('error', () => {})
          .on('connect', function (this: ReturnType<typeof connect>) {
            this.write('POST /api/v1/webhooks/ingest HTTP/1.1\r\nContent-Length: 100\r\nHost: ')
          }),
      )
      await lastsFor(15)
      for (const socket of sockets) socket.destroy()
    },
  },
]

const processFaults: Fault[] = [
  {
    name: 'the service is frozen for 5 s',
    restarts: false,
    async cause({ service }) {
      service().process.kill('SIGSTOP')
      await lastsFor(5)
      service().process.kill('SIGCONT')
    },
  },
  {
    name: 'standard output is not read for 45 s',
    restarts: false,
    async cause({ service }) {
      service().pauseOutput()
      await lastsFor(45)
      service().resumeOutput()
    },
  },
  {
    name: 'kill -9 of a second process that forwards',
    restarts: false,
    async cause({ startWorker }) {
      const worker = await startWorker()
      await lastsFor(2 + Math.random() * 6)
      worker.process.kill('SIGKILL')
      await worker.exited
    },
  },
  {
    name: 'a second service starts in the same data folder',
    restarts: false,
    cause: async ({ startSecond }) => void (await startSecond().exited),
  },
  {
    name: 'kill -9 of a backup',
    restarts: false,
    async cause({ runTidings }) {
      const folder = await mkdtemp(join(tmpdir(), 'tidings-soak-'))
      const backup = runTidings('backup', join(folder, 'soak.backup'))
      await lastsFor(1 + Math.random() * 4)
      backup.kill('SIGKILL')
      await backup.exited
      await rm(folder, { recursive: true, force: true })
    },
  },
]

/** All faults, in the order in which a soak causes them. */
export const faults: readonly Fault[] = [
  ...databaseFaults,
  ...requestFaults,
  ...processFaults,
  ...restartFaults,
]
