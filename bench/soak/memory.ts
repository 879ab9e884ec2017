import { readFile } from 'node:fs/promises'

/** The resident memory of a process in MB, or null when it does not run. */
async function residentMegabytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

const sampleMs = 15_000

/** Measures the memory of the process that `pid` returns, until it is stopped. */
export function watchMemory(pid: () => number) {
  const samples: { minute: number; megabytes: number }[] = []
  const startedAt = performance.now()
  const sample = async () => {
    const megabytes = await residentMegabytes(pid())
    const minute = (performance.now() - startedAt) / 60_000
    if (megabytes !== null) samples.push({ minute, megabytes })
  }
  void sample()
  const timer = setInterval(sample, sampleMs)
  const medianOf = (from: number, to: number) => {
    const inside = samples.filter(({ minute }) => minute >= from && minute < to)
    return inside.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[inside.length >> 1]
  }
  return {
    stop() {
      clearInterval(timer)
      const last = samples.at(-1)?.minute ?? 0
      return {
        atStart: samples[0]?.megabytes,
        minutes1to5: medianOf(1, 5),
        everyTenMinutes: Array.from({ length: Math.ceil(last / 10) }, (_, n) =>
          medianOf(n * 10, n * 10 + 10),
        ),
        last5Minutes: medianOf(last - 5, last + 1),
        most: Math.max(...samples.map(({ megabytes }) => megabytes)),
      }
    },
  }
}
