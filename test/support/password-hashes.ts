const { hash } = Bun.password
const leastCost = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

/**
 * Makes password hashes in this process cheap: one takes 0.04 s of CPU time otherwise, and tests
 * create and check hundreds.
 */
export function usePasswordHashesOfLeastCost(): void {
  Bun.password.hash = (password) => hash(password, leastCost)
}

/** Runs `work` with password hashes of the cost that the service chooses. */
export async function withPasswordHashesOfFullCost(work: () => Promise<void>): Promise<void> {
  Bun.password.hash = hash
  try {
    await work()
  } finally {
    usePasswordHashesOfLeastCost()
  }
}
