import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import { ResumeForm } from './resume-form';
import reviewSample from './review-sample.md?raw';
import checklistSample from './checklist-sample.md?raw';

export default function ReviewResumePage() {
  return (
    <TextToolPage
      tool="resume-review"
      lead="Add your resume and see what to improve, section by section."
      jobsTitle="Recent reviews"
      form={({ showAnother }) => <ResumeForm onSubmitted={showAnother} />}
      title="Analysis Results"
      prompt="Select your resume, then choose Review Resume."
      sample={reviewSample}
      offlineSample={checklistSample}
    />
  );
}
