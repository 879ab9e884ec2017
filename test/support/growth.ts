const maxSamples = 50

/**
 * How many times the CPU time of `work` grows when its input grows from `size` to ten times `size`:
 * about 10 when it is linear, about 100 when it is quadratic. Compares the least of several samples
 * and stops as soon as it is below `limit`: other load on the machine makes single samples larger,
 * but cannot make a quadratic one small.
 */
export async function growthOf(
  work: (size: number) => unknown,
  size: number,
  limit = 15,
): Promise<number> {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let sample = 0; sample < maxSamples; sample++) {
    small = Math.min(small, (await cpuTimeUs(() => work(size), 10)) / 10)
    large = Math.min(large, await cpuTimeUs(() => work(size * 10), 1))
    if (sample > 0 && large < limit * small) break
  }
  return large / small
}

async function cpuTimeUs(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
