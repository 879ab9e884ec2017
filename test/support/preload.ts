import { configureTests } from './properties.ts'

configureTests()
