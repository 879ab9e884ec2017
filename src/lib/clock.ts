/** Where the time comes from: the system's clock, or a test's. */
export type Now = () => Date

export const systemClock: Now = () => new Date()
