import { afterAll } from 'bun:test'
import { closeServer } from './database.ts'

afterAll(closeServer)
