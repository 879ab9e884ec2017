import { table } from './rules.ts'

// The dates of lunar holidays, from 2025 to 2036.

/** First day of the Chinese lunar year. Hong Kong Observatory, Gregorian-Lunar Calendar Conversion Table. */
export const lunarNewYear = table(`
  2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03 2031-01-23
  2032-02-11 2033-01-31 2034-02-19 2035-02-08 2036-01-28`)

/** 15th of the eighth Chinese month; the same source. */
export const midAutumn = table(`
  2025-10-06 2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12 2031-10-01
  2032-09-19 2033-09-08 2034-09-27 2035-09-16 2036-10-04`)

/** 15 Nisan. Passover, Rosh Hashanah, Yom Kippur and Hanukkah follow the Hebrew calendar, as ICU has it. */
export const passover = table(`
  2025-04-13 2026-04-02 2027-04-22 2028-04-11 2029-03-31 2030-04-18 2031-04-08
  2032-03-27 2033-04-14 2034-04-04 2035-04-24 2036-04-12`)

/** 1 Tishri (Rosh Hashanah). */
export const roshHashanah = table(`
  2025-09-23 2026-09-12 2027-10-02 2028-09-21 2029-09-10 2030-09-28 2031-09-18
  2032-09-06 2033-09-24 2034-09-14 2035-10-04 2036-09-22`)

/** 10 Tishri (Yom Kippur). */
export const yomKippur = table(`
  2025-10-02 2026-09-21 2027-10-11 2028-09-30 2029-09-19 2030-10-07 2031-09-27
  2032-09-15 2033-10-03 2034-09-23 2035-10-13 2036-10-01`)

/** 25 Kislev (Hanukkah). */
export const hanukkah = table(`
  2025-12-15 2026-12-05 2027-12-25 2028-12-13 2029-12-02 2030-12-21 2031-12-10
  2032-11-28 2033-12-17 2034-12-07 2035-12-26 2036-12-14`)

/** 1 Shawwal. Both Eids follow Saudi Arabia's Umm al-Qura calendar, as ICU has it: computed, not sighted. */
export const eidAlFitr = table(`
  2025-03-30 2026-03-20 2027-03-09 2028-02-26 2029-02-14 2030-02-04 2031-01-24
  2032-01-14 2033-01-03 2033-12-23 2034-12-12 2035-12-01 2036-11-19`)

/** 10 Dhu al-Hijja. */
export const eidAlAdha = table(`
  2025-06-06 2026-05-27 2027-05-16 2028-05-05 2029-04-24 2030-04-13 2031-04-02
  2032-03-22 2033-03-12 2034-03-01 2035-02-19 2036-02-08`)

/** Lakshmi Puja in India: timeanddate.com to 2035; 2036 by Drik Panchang's rule for a short new moon. */
export const diwali = table(`
  2025-10-20 2026-11-08 2027-10-29 2028-10-17 2029-11-05 2030-10-26 2031-11-14
  2032-11-02 2033-10-22 2034-11-10 2035-10-30 2036-10-18`)
