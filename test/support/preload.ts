import { afterAll } from 'bun:test'
import { closeServer } from './database.ts'
import { configureProperties } from './properties.ts'
import { endRun } from './test-run.ts'

configureProperties()
afterAll(async () => {
  await closeServer()
  await endRun()
})
