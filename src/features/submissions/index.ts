export { createSubmission, NewSubmission, submissionTypes } from './create.ts'
export {
  createSubmissionLink,
  deleteSubmissionLink,
  findSubmissionLink,
  getTeamOfLink,
  type SubmissionLink,
  updateSubmissionLink,
} from './link.ts'
