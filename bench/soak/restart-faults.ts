import { rename } from 'node:fs/promises'
import { type Fault, lastsFor } from './fault.ts'

const stopFault = (signal: 'SIGTERM' | 'SIGHUP' | 'SIGQUIT'): Fault => ({
  name: `${signal} and start`,
  restarts: true,
  cause: ({ restart }) => restart(signal),
})

/** What ends the process of the service. */
export const restartFaults: readonly Fault[] = [
  {
    name: 'kill -9 of the service at a random moment',
    restarts: true,
    async cause({ restart }) {
      await lastsFor(Math.random() * 5)
      await restart('SIGKILL')
    },
  },
  {
    name: 'kill -9 of the service and of PostgreSQL',
    restarts: true,
    async cause({ restart, postmaster }) {
      process.kill(await postmaster(), 'SIGKILL')
      await restart('SIGKILL')
    },
  },
  {
    name: 'kill -9 three times while it starts',
    restarts: true,
    async cause({ restart, service, start }) {
      service().process.kill('SIGKILL')
      for (let times = 0; times < 3; times++) {
        await service().exited
        start()
        await lastsFor(Math.random() * 3)
        service().process.kill('SIGKILL')
      }
      await restart('SIGKILL')
    },
  },
  stopFault('SIGTERM'),
  stopFault('SIGHUP'),
  stopFault('SIGQUIT'),
  {
    name: 'SIGTERM three times while it starts',
    restarts: true,
    async cause({ stop, start, awaitStart }) {
      await stop()
      for (let times = 0; times < 3; times++) {
        start()
        await lastsFor(Math.random() * 3)
        await stop()
      }
      start()
      await awaitStart()
    },
  },
  {
    name: 'the secret is missing when it starts',
    restarts: true,
    async cause({ stop, start, service, awaitStart, disk }) {
      await stop()
      await rename(`${disk.path}/secret`, `${disk.path}/secret-elsewhere`)
      start()
      await service().exited
      await rename(`${disk.path}/secret-elsewhere`, `${disk.path}/secret`)
      start()
      await awaitStart()
    },
  },
  {
    name: 'another program has its port when it starts',
    restarts: true,
    async cause({ stop, start, service, awaitStart, url }) {
      await stop()
      const refuse = () => new Response('another program', { status: 503 })
      const other = Bun.serve({ port: Number(new URL(url()).port), fetch: refuse })
      start()
      await service().exited
      await other.stop(true)
      start()
      await awaitStart()
    },
  },
  {
    name: 'kill -9 of a rotation of the secret',
    restarts: true,
    async cause({ stop, start, awaitStart, runTidings }) {
      await stop()
      const rotation = runTidings('secret', 'rotate')
      await lastsFor(0.5 + Math.random() * 4)
      rotation.kill('SIGKILL')
      await rotation.exited
      start()
      await awaitStart()
    },
  },
  {
    name: 'standard output is closed',
    restarts: true,
    cause: ({ service }) => service().closeOutput(),
  },
]
