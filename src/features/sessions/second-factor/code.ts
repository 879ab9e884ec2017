import { invalidField } from '../../../lib/errors.ts'

/** A code that is wrong, or that was used before. */
export const wrongCode = () =>
  invalidField('/code', 'the code is wrong or has been used; enter the next one')

/** The six digits of an authenticator app, or undefined for another code. */
export const digitsOf = (code: string) => /^\d{6}$/.exec(code.replaceAll(/\s/g, ''))?.[0]
