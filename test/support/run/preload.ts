import { usePasswordHashesOfLeastCost } from '../password-hashes.ts'
import { configureProperties } from '../properties.ts'
import { extendTimeLimits } from './time-limits.ts'

configureProperties()
usePasswordHashesOfLeastCost()
extendTimeLimits()
