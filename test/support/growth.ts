const maxSamples = 40
const minSampleUs = 5_000
/** As many samples are taken before garbage is collected first: a collection takes longer than a sample. */
const samplesWithGarbage = 5
/** Work that is not linear does not become so with more samples; each of them takes long. */
const maxSampledUs = 20_000_000

/**
 * Less than this is linear, and not quadratic, for ten times the input: on a busy machine, larger inputs lose the
 * processor's caches more often, so that linear work was seen to take 20 times as long.
 */
export const maxLinearGrowth = 30

/** Samples that follow each other share the load on the machine, whose caches a large input needs longer. */
const comparedSamples = 6

/**
 * How many times the CPU time of `work` grows when its input grows from `size` to ten times `size`:
 * about 10 when it is linear, about 100 when it is quadratic. Stops as soon as it is below `limit`, in the least
 * of all samples or in the sum of those that follow each other: other load on the machine makes single samples
 * larger, but cannot make a quadratic one small.
 */
export async function growthOf(
  work: (size: number) => unknown,
  size: number,
  limit = maxLinearGrowth,
): Promise<number> {
  const times = await repetitions(() => work(size * 10))
  const samples: Sample[] = []
  let growth = Number.POSITIVE_INFINITY
  let sampledUs = 0
  while (samples.length < maxSamples && growth >= limit && sampledUs <= maxSampledUs) {
    // Garbage of the sample before is not part of this one.
    if (samples.length >= samplesWithGarbage) Bun.gc(true)
    // The same amount of input on both sides.
    const small = (await cpuTimeUs(() => work(size), 10 * times)) / 10
    const large = await cpuTimeUs(() => work(size * 10), times)
    samples.push({ small, large })
    sampledUs += large
    growth = Math.min(growthOfLeast(samples), growthOfLatest(samples))
  }
  return growth
}

/** CPU time in µs for an input and for one of ten times its size. */
interface Sample {
  small: number
  large: number
}

const growthOfLeast = (samples: readonly Sample[]): number =>
  Math.min(...samples.map(({ large }) => large)) / Math.min(...samples.map(({ small }) => small))

function growthOfLatest(samples: readonly Sample[]): number {
  if (samples.length < comparedSamples) return Number.POSITIVE_INFINITY
  const latest = samples.slice(-comparedSamples)
  const sum = (side: keyof Sample) => latest.reduce((total, sample) => total + sample[side], 0)
  return sum('large') / sum('small')
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
