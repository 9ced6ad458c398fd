import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import titlesSample from './sample.md?raw';
import { TitlesForm } from './titles-form';

export default function BlogTitlesPage() {
  return (
    <TextToolPage
      tool="generate-blog-title"
      lead="Enter a keyword, pick a category, and get at least ten titles."
      jobsTitle="Recent titles"
      form={({ engine, showJob }) => <TitlesForm engine={engine} onSubmitted={showJob} />}
      sample={titlesSample}
      copied="Titles copied to clipboard!"
      copyFailed="Failed to copy titles"
    />
  );
}
