import { afterAll } from 'bun:test'
import { dropTemplate } from './database.ts'

afterAll(dropTemplate)
