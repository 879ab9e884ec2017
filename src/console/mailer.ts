/** One mail to one person. */
export interface Mail {
  /** The team it belongs to, if any. */
  teamId: string | null
  recipient: string
  subject: string
  html: string
  text: string
}

/** Where the console hands mail over; done when it is kept safely. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}
