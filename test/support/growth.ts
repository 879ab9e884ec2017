const samples = 5

/**
 * How many times the CPU time of `work` grows when the size of its input grows from `size` to ten
 * times `size`: about 10 when it is linear, about 100 when it is quadratic. Another process on the
 * same machine does not change the result, because it is no elapsed time.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const cost = async (units: number, times: number) => {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) await work(units)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The least of several, taken in turns: compilation and garbage collection disturb single ones.
  for (let sample = 0; sample < samples; sample++) {
    small = Math.min(small, (await cost(size, 10)) / 10)
    large = Math.min(large, await cost(size * 10, 1))
  }
  return large / small
}
