/** An email address as it is stored, without the spaces and the capitals with which somebody has typed it. */
export const normalizeEmail = (typed: string): string => typed.trim().toLowerCase()
