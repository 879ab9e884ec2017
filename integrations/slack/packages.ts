import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Slack's libraries take 0.2 s of CPU time and 30 MB, so they are loaded when the first request needs them.

/** Slack's Bolt. */
export const bolt = (): typeof import('@slack/bolt') => require('@slack/bolt')

/** Slack's installation by OAuth. */
export const oauth = (): typeof import('@slack/oauth') => require('@slack/oauth')

/** Slack's client for Socket Mode. */
export const socketMode = (): typeof import('@slack/socket-mode') => require('@slack/socket-mode')
