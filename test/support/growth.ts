const maxSamples = 40
const minSampleUs = 5_000
/** As many samples are taken before garbage is collected first: a collection takes longer than a sample. */
const samplesWithGarbage = 5
/** Work that is not linear does not become so with more samples; each of them takes long. */
const mostSampledUs = 20_000_000

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
  const times = await repetitions(() => work(size * 10))
  let [small, large, sampled] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
  for (let sample = 0; sample < maxSamples; sample++) {
    // Garbage of the sample before is not part of this one.
    if (sample >= samplesWithGarbage) Bun.gc(true)
    // The same amount of input on both sides.
    small = Math.min(small, (await cpuTimeUs(() => work(size), 10 * times)) / 10)
    const latest = await cpuTimeUs(() => work(size * 10), times)
    large = Math.min(large, latest)
    sampled += latest
    if (large < limit * small || sampled > mostSampledUs) break
  }
  return large / small
}

/** How often to repeat the work so that one sample is long enough to be measured. */
async function repetitions(work: () => unknown): Promise<number> {
  let times = 1
  while ((await cpuTimeUs(work, times)) < minSampleUs) times *= 2
  return times
}

async function cpuTimeUs(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
