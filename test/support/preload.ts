import { afterAll } from 'bun:test'
import { closeServer } from './database.ts'
import { configureProperties } from './properties.ts'

configureProperties()
afterAll(closeServer)
