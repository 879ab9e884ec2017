import { usePasswordHashesOfLeastCost } from './password-hashes.ts'
import { configureProperties } from './properties.ts'

configureProperties()
usePasswordHashesOfLeastCost()
